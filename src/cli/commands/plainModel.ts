import {
  type Explanation,
  explainLevels,
  type Fit,
  type Model,
  modelFile,
  type NamedLoss,
  type Plan,
  referenceOf,
  type TableSamples,
} from '../../index.ts';
import type { FitFlags } from '../flags/fitFlags.ts';
import type { FitRequest } from '../flags/fitRequest.ts';

/** The model file of a non-private run by a theorem. */
export const plainModel = (
  run: { readonly fit: Fit; readonly plan: Plan; readonly loss: NamedLoss },
  { design, tally, rows, levels }: TableSamples,
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
    times: design.times ?? [],
    plan: { ...described, ...(orderSeed !== undefined && { orderSeed }) },
    ...told(explainLevels(levels())),
    ...referenceOf(levels()),
  });

const told = ({ choices, notes }: Explanation): Pick<Model, 'choices' | 'notes'> => ({
  ...(choices.length > 0 && { choices }),
  ...(notes.length > 0 && { notes }),
});
