import { type Fit, type Model, modelFile, type NamedLoss, type Plan, type TableSamples } from '../index.ts';
import type { FitFlags } from './fitFlags.ts';
import type { FitRequest } from './fitRequest.ts';

/** The model file of a theorem's run that is not private. */
export const plainModel = (
  run: { readonly fit: Fit; readonly plan: Plan; readonly loss: NamedLoss },
  { design, tally, rows }: TableSamples,
  { read, estimate: { orderSeed } }: FitRequest,
  { target }: FitFlags,
  described: Model['plan'],
): Model =>
  modelFile(run, {
    theta: run.fit.theta,
    names: design.features.map(({ name }) => name),
    read: rows,
    invalid: tally.invalid,
    target,
    categorical: read.categorical ?? {},
    plan: { ...described, ...(orderSeed !== undefined && { orderSeed }) },
  });
