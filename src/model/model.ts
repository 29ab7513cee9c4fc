import { ArgumentError, refuse, requireMembers } from '../errors.ts';
import type { Prescription } from '../plan/theorem/prescription.ts';

export { INTERCEPT } from '../sample/samples.ts';

/** The mark of a model file. */
export const MODEL_FORMAT = 'sluice-model';
/** The version of the format of model files. */
export const MODEL_VERSION = 1;

/**
 * A fitted model as the JSON file that `sluice fit --out` writes and `predict` and `evaluate` read. Coefficients are in
 * the data's own units. In a private run it holds released values and public facts only.
 */
export interface Model {
  readonly format: typeof MODEL_FORMAT;
  readonly version: typeof MODEL_VERSION;
  readonly loss: {
    /** A built-in one, or that of a loss of the caller's own. */
    readonly name: string;
    readonly parameter?: number;
    readonly ridge?: number;
    /** Where the loss is the caller's own and its scores are not predictions: these need the loss again. */
    readonly mean?: 'own';
  };
  /**
   * The two fits whose weighted mean the coefficients are, where the loss was left open: the one above is Huber's, and
   * the other one rejects far rows. Absent where there is one fit.
   */
  readonly blend?: Blend;
  readonly target: string;
  /** Names of the design's columns, in order: 'distance', 'origin=ATL', 'embedding[3]'. */
  readonly features: readonly string[];
  /** Declared levels of text columns, among them the target's where it is one. */
  readonly categorical: Readonly<Record<string, readonly string[]>>;
  /**
   * By text columns: the levels that were not declared and that rows of the fit had, which are the reference together;
   * null where they were more than 20. Absent where the run is private.
   */
  readonly reference?: Readonly<Record<string, readonly string[] | null>>;
  /**
   * By text columns whose rare levels are pooled: these levels, null where they were more than 20. The last level of
   * such a column stands for all that are neither its levels nor its reference, those that the fit did not see
   * included. Absent where there are none.
   */
  readonly pooled?: Readonly<Record<string, readonly string[] | null>>;
  /**
   * Features that were dates or times, in seconds; none unless given. In a private run only those that a schema says to
   * be some.
   */
  readonly times?: readonly string[];
  /** Null where the model was fitted without one. */
  readonly intercept: number | null;
  readonly coefficients: Readonly<Record<string, number>>;
  /** Dropped features; their coefficient is 0. None unless given. */
  readonly leftOut?: readonly string[];
  readonly plan: Readonly<Record<string, unknown>> & {
    /**
     * The set that coefficients were held to, and its size, in scaled units where the run is private; absent where
     * there is none.
     */
    readonly set?: string;
    readonly radius?: number;
    /** The column that said how much each row counts. */
    readonly weights?: string;
    /** Where a theorem of the paper prescribed the run. */
    readonly theorem?: Pick<Prescription, 'claim' | 'conditions'> & {
      readonly label: string;
      readonly given: Readonly<Record<string, unknown>>;
    };
  };
  readonly ledger: {
    readonly private: boolean;
    readonly epsilon: number | null;
    readonly delta: number | null;
    readonly rho: number | null;
    readonly entries: readonly unknown[];
    /** Of private runs: mu and slack of the guarantee, whom it protects, and where the run stands in a ledger file. */
    readonly mu?: number | null;
    readonly slack?: number;
    readonly unit?: string;
    readonly file?: { readonly dataset: string; readonly run: string; readonly head: string };
    readonly note?: string;
  };
  readonly rows: {
    readonly read: number;
    /** By steps. */
    readonly used: number;
    /** Rows that were read, but not used. */
    readonly leftOver: number;
    readonly invalid: number | null;
  };
  readonly steps: readonly {
    readonly step: number;
    readonly rows: number;
    readonly gradientNorm: number;
    readonly sigma: number | null;
  }[];
  /** How far the coefficients may be from those of the population. */
  readonly uncertainty?: Uncertainty;
  /** The loss on rows that no step saw. */
  readonly holdout?: { readonly rows: number } & Readonly<Record<string, number>>;
  /** What the plan chose by itself, and why, in plain words; public facts only where the run is private. */
  readonly choices?: readonly string[];
  /**
   * What a reader should know about the data, in plain words; where the run is private, of what was asked for and
   * released only.
   */
  readonly notes?: readonly string[];
  /**
   * Places in `notes`, from 0, of those by which the estimate or its intervals cannot be relied on; none unless given.
   */
  readonly severeNotes?: readonly number[];
  /**
   * Where the rows came from, for a page about the model; not in its file, which is the same whatever file the same
   * rows are in.
   */
  readonly data?: { readonly files: readonly string[] } | { readonly sql: string };
  readonly createdWith: string;
}

/** Huber's fit and a bisquare fit, and how much the second counts. */
export interface Blend {
  /** Of the bisquare fit, from 0 to 1. */
  readonly weight: number;
  /** The residual from which on the bisquare fit gives a row no weight. */
  readonly parameter: number;
  /** The share of the pilot's rows, by weight, that it gives none. */
  readonly withoutWeight: number;
  /** The coefficients of both, by name, and (intercept). */
  readonly huber: Readonly<Record<string, number>>;
  readonly bisquare: Readonly<Record<string, number>>;
}

/** Standard errors and intervals by the coefficients' names, and where they come from. */
export interface Uncertainty {
  /** Of each interval, and of all within `radii` at once: 0.95. */
  readonly level: number;
  /** By the coefficients' names, and (intercept). */
  readonly errors: Readonly<Record<string, number>>;
  readonly intervals: Readonly<Record<string, readonly [number, number]>>;
  /** For each coefficient, how many standard errors to either side cover all of them at once. */
  readonly radii: Readonly<Record<string, number>>;
  /** Where the errors come from, in plain words. */
  readonly basis: string;
}

/**
 * The text of a model file, which `parseModel` reads.
 *
 * @example
 * parseModel(formatModel(model)).features; // ['hours', 'age']
 */
export const formatModel = (model: Model): string => `${JSON.stringify(requireModel(model), null, 2)}\n`;

/**
 * Reads a model: the text of a model file, or what JSON.parse made of it. What is wrong with it is said by `name`, such
 * as that of the file.
 *
 * @example
 * parseModel(JSON.stringify(model)).target; // 'income'
 */
export function parseModel(json: string | object, name = 'the model'): Model {
  const wrong = (problem: string): never => {
    throw new ArgumentError(`${name}: ${problem}; give a file that \`JSON.stringify(model)\` wrote`, 'ERR_FILE', {
      file: name,
    });
  };
  let found: unknown = json;
  if (typeof json === 'string') {
    try {
      found = JSON.parse(json);
    } catch {
      return wrong('is not JSON');
    }
  }
  const problem = problemOf(found);
  if (problem !== undefined) return wrong(problem);
  return { ...(found as Model), categorical: (found as Partial<Model>).categorical ?? {} };
}

/** For untyped callers, who may give the text of a model, the result of a fit, or a promise of either. */
export function requireModel(model: Model): Model {
  const requirement = 'be a model, such as the `model` of an estimate';
  const isResult = isRecord(model) && isRecord(model.model) && problemOf(model.model) === undefined;
  const remedy = typeof model === 'string' ? 'read it with `parseModel`' : isResult ? 'give its `model`' : undefined;
  requireMembers('model', requirement, model, isResult ? 'format' : '', remedy);
  const problem = problemOf(model);
  return problem === undefined ? model : refuse('model', requirement, model, `it ${problem}`);
}

/** What is wrong with a record that should be a model; undefined if nothing is. */
function problemOf(found: unknown): string | undefined {
  if (!isRecord(found) || found.format !== MODEL_FORMAT) return 'is not a sluice model';
  if (found.version !== MODEL_VERSION)
    return `has version ${JSON.stringify(found.version)}, but this sluice reads ${MODEL_VERSION}`;
  const {
    features,
    coefficients,
    intercept,
    target,
    loss,
    categorical = {},
    reference = {},
    pooled = {},
    times = [],
    notes = [],
    severeNotes = [],
  } = found;
  if (typeof target !== 'string') return 'has no target';
  if (!isRecord(loss) || typeof loss.name !== 'string') return 'has no loss';
  if (!isStrings(features) || features.length === 0) return 'has no features';
  if (!isRecord(coefficients)) return 'has no coefficients';
  for (const feature of features) {
    if (!Number.isFinite(coefficients[feature])) return `has no coefficient for ${JSON.stringify(feature)}`;
  }
  if (intercept !== null && !Number.isFinite(intercept)) return 'has an intercept that is neither a number nor null';
  if (!isRecord(categorical) || !Object.values(categorical).every(isStrings)) return 'has malformed categorical levels';
  if (!isRecord(reference) || !Object.values(reference).every(levels => levels === null || isStrings(levels)))
    return 'has malformed levels of reference';
  if (
    !isRecord(pooled) ||
    !Object.entries(pooled).every(
      ([column, levels]) =>
        (levels === null || isStrings(levels)) && isStrings(reference[column]) && reference[column].length === 1,
    )
  )
    return 'has malformed pooled levels';
  if (!isStrings(times)) return 'has malformed times';
  if (!arePlaces(severeNotes, notes)) return 'has severeNotes that are not places of its notes';
  return undefined;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const arePlaces = (value: unknown, list: unknown): boolean =>
  Array.isArray(value) && value.every(place => Array.isArray(list) && Number.isInteger(place) && place in list);

const isStrings = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every(item => typeof item === 'string');
