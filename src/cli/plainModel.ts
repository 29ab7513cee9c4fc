import type { FittedSamples, FitUncertainty, Model, TableSamples } from '../index.ts';
import type { FitFlags } from './fitFlags.ts';
import type { FitRequest } from './fitRequest.ts';
import { modelFile } from './modelFile.ts';

/** The model file of a run that is not private. */
export function plainModel(
  { fit, plan, loss }: Pick<FittedSamples, 'fit' | 'plan' | 'loss'>,
  { design, tally, rows }: TableSamples,
  { read, estimate: { orderSeed } }: FitRequest,
  { target }: FitFlags,
  described: Model['plan'],
  told: Pick<Model, 'uncertainty' | 'choices' | 'notes' | 'holdout'> = {},
): Model {
  const { ledger } = fit;
  return modelFile(
    { fit, plan, loss },
    {
      theta: fit.theta,
      names: design.features.map(({ name }) => name),
      read: rows,
      invalid: tally.invalid,
      target,
      categorical: read.categorical ?? {},
      plan: { ...described, ...(orderSeed !== undefined && { orderSeed }) },
      ledger: {
        private: ledger.isPrivate,
        epsilon: null,
        delta: null,
        rho: ledger.isPrivate ? ledger.rho : null,
        entries: ledger.entries,
      },
      ...told,
    },
  );
}

/** Intervals by the coefficients' names. */
export function namedUncertainty(
  { level, errors, degrees, lower, upper, radius }: FitUncertainty,
  names: readonly string[],
): NonNullable<Model['uncertainty']> {
  const all = [...names, '(intercept)'].slice(0, errors.length);
  const by = <T>(read: (j: number) => T): Record<string, T> =>
    Object.fromEntries(all.map((name, j) => [name, read(j)]));
  return {
    level,
    errors: by(j => errors[j]!),
    intervals: by(j => [lower[j]!, upper[j]!] as const),
    radius,
    basis: `how far the run's disjoint blocks are from each other, with ${degrees} degrees of freedom, and the pilot's curvature`,
  };
}
