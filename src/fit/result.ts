import type { Table } from 'apache-arrow';
import type { FittedRun, PrivateFit } from '../inference/fittedRun.ts';
import type { NamedLoss } from '../method/loss/lossByName.ts';
import type { Model } from '../model/model.ts';
import type { Plan } from '../plan/plan.ts';
import type { PrivacyLedger } from '../privacy/ledger.ts';
import { INTERCEPT } from '../sample/samples.ts';

/** One coefficient, in the units of the data; without an error and an interval where the run has none. */
export interface Coefficient {
  readonly estimate: number;
  /** The standard error. */
  readonly error: number | null;
  /** The ends of the interval, at the level that `model.uncertainty` names. */
  readonly lower: number | null;
  readonly upper: number | null;
}

/** What a reader should know about the data or the run, in plain words. */
export interface Note {
  readonly text: string;
  /** Whether the estimate or its intervals cannot be relied on because of it. */
  readonly isSevere: boolean;
}

/** How the errors of coefficients go together. */
export interface Covariance {
  /** In the order of rows and columns; an intercept is called `(intercept)`. */
  readonly names: readonly string[];
  /** Row by row. */
  readonly values: Float64Array;
}

/** What `estimate` and `estimatePrivately` return. */
export interface Estimate<Run = FittedRun | PrivateFit> {
  /** By name; an intercept is called `(intercept)`. */
  readonly coefficients: Readonly<Record<string, Coefficient>>;
  /**
   * The covariance of the coefficients, computed when it is asked for: its diagonal holds the squares of the standard
   * errors, its correlations come from the rows where all are in memory, and otherwise from the curvature of the risk.
   * Null where there are no standard errors, and for private runs, which release none.
   */
  covariance(): Covariance | null;
  /** Most important first. */
  readonly notes: readonly Note[];
  /** What the run chose by itself, and why. */
  readonly choices: readonly string[];
  /** About the call itself rather than the data, such as rows beyond the declared number. */
  readonly warnings: readonly string[];
  readonly rows: Model['rows'];
  readonly loss: NamedLoss;
  readonly plan: Plan;
  /** What was spent; `isPrivate` is false where no guarantee holds. */
  readonly ledger: PrivacyLedger;
  /** The record that `predict`, `evaluate` and reports take, and that `JSON.stringify` makes a file of. */
  readonly model: Model;
  /** The coefficients after every step, with each step's rows, length of gradient and noise. */
  trace(): Promise<Table>;
  /** Everything else that the run found. */
  readonly run: Run;
}

/** The part of an estimate that its model holds. */
export function resultOf(model: Model): Pick<Estimate, 'coefficients' | 'notes' | 'choices' | 'rows' | 'model'> {
  const { notes = [], severeNotes = [], choices = [], rows, uncertainty } = model;
  const coefficient = (name: string, estimate: number): [string, Coefficient] => {
    const { errors = {}, intervals = {} } = uncertainty ?? {};
    // Own properties only: a feature may be called toString.
    const known = Object.hasOwn(errors, name);
    const [lower, upper] = known ? intervals[name]! : [null, null];
    return [name, { estimate, error: known ? errors[name]! : null, lower, upper }];
  };
  const all = notes.map((text, k) => ({ text, isSevere: severeNotes.includes(k) }));
  return {
    coefficients: Object.fromEntries([
      ...model.features.map(name => coefficient(name, model.coefficients[name]!)),
      ...(model.intercept === null ? [] : [coefficient(INTERCEPT, model.intercept)]),
    ]),
    notes: [...all.filter(({ isSevere }) => isSevere), ...all.filter(({ isSevere }) => !isSevere)],
    choices,
    rows,
    model,
  };
}
