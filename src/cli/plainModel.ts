import type { FittedSamples, Model, TableSamples } from '../index.ts';
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
    },
  );
}
