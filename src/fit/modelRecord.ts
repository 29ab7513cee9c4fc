import type { Fit } from '../flow/summarize.ts';
import type { Vector } from '../math/vector.ts';
import { LOSS_NAMES, type NamedLoss } from '../method/loss/lossByName.ts';
import { MODEL_FORMAT, MODEL_VERSION, type Model, type Uncertainty } from '../model/model.ts';
import type { Plan } from '../plan/plan.ts';
import { INTERCEPT } from '../sample/samples.ts';
import { version } from '../version.ts';

/** What only the kind of run can tell. */
export type ModelAccount = Pick<Model, 'plan' | 'categorical' | 'target'> & {
  /** In the units of the data, an intercept last. */
  readonly theta: Float64Array;
  readonly names: readonly string[];
  readonly read: number;
  /**
   * Rows that served otherwise than in steps, and in none of them: as a pilot, or to evaluate the model; 0 unless
   * given.
   */
  readonly aside?: number;
  readonly invalid: number | null;
  /** Features that are dates or times; none unless given. */
  readonly times?: readonly string[];
  /** That of a run that is not private, unless given. */
  readonly ledger?: Model['ledger'];
} & Pick<
    Model,
    'blend' | 'leftOut' | 'uncertainty' | 'choices' | 'notes' | 'severeNotes' | 'holdout' | 'reference' | 'pooled'
  >;

/** A run as the model file has it. */
export function modelRecord(
  { fit, plan, loss }: { readonly fit: Fit; readonly plan: Plan; readonly loss: NamedLoss },
  {
    theta,
    names,
    read,
    aside = 0,
    invalid,
    target,
    categorical,
    times = [],
    plan: described,
    ledger = notPrivate(fit),
    blend,
    ...told
  }: ModelAccount,
): Model {
  return {
    format: MODEL_FORMAT,
    version: MODEL_VERSION,
    loss: {
      name: loss.name,
      ...(loss.parameter !== undefined && { parameter: loss.parameter }),
      ...(plan.loss.penalty > 0 && { ridge: plan.loss.penalty }),
      ...(!(LOSS_NAMES as readonly string[]).includes(loss.name) && 'mean' in loss.loss && { mean: 'own' }),
    },
    ...(blend !== undefined && { blend }),
    target,
    features: names,
    categorical,
    ...(times.length > 0 && { times }),
    intercept: plan.intercept ? theta[names.length]! : null,
    coefficients: Object.fromEntries(names.map((name, j) => [name, theta[j]!])),
    plan: { rule: plan.rule.name, ...described },
    ledger,
    rows: { read, used: fit.rows.used, leftOver: read - fit.rows.used - aside, invalid },
    steps: fit.steps,
    ...told,
    createdWith: `sluice ${version}`,
  };
}

const notPrivate = ({ ledger }: Fit): Model['ledger'] => ({
  private: false,
  epsilon: null,
  delta: null,
  rho: null,
  entries: ledger.entries,
});

/**
 * Intervals of coefficients in their order, an intercept last, as a model has them: by name. Columns that were left out
 * have none.
 */
export function namedUncertainty(
  { level, errors, lower, upper, radii }: IntervalEnds,
  names: readonly string[],
  basis: string,
  leftOut: readonly number[] = [],
): Uncertainty {
  const all = [...names, INTERCEPT].slice(0, errors.length);
  const by = <T>(read: (j: number) => T): Record<string, T> =>
    Object.fromEntries(all.flatMap((name, j) => (leftOut.includes(j) ? [] : [[name, read(j)]])));
  return {
    level,
    errors: by(j => errors[j]!),
    intervals: by(j => [lower[j]!, upper[j]!] as const),
    radii: by(j => radii[j]!),
    basis,
  };
}

export interface IntervalEnds extends Pick<Uncertainty, 'level'> {
  readonly errors: Vector;
  readonly lower: Vector;
  readonly upper: Vector;
  readonly radii: Vector;
}
