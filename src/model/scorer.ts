import { refuse } from '../errors.ts';
import { lossByName, type NamedLoss } from '../method/loss/lossByName.ts';
import { requireBatch, type SampleBatch } from '../sample/sampleBatch.ts';
import type { Model } from './model.ts';

/** Writes what a model expects of every row's target into `out`: the score itself, a probability, or a rate. */
export function scorer(model: Model): (batch: SampleBatch, out: Float64Array) => void {
  const score = linearScore(model);
  const { predict } = lossOf(model);
  return (batch, out) => {
    score(batch, out);
    for (let i = 0; i < batch.rows; i++) out[i] = predict(out[i]!);
  };
}

/** Writes x.theta plus the intercept of every row of a batch into `out`, column by column. */
export function linearScore({
  features,
  coefficients,
  intercept,
}: Pick<Model, 'features' | 'coefficients' | 'intercept'>): (batch: SampleBatch, out: Float64Array) => void {
  const theta = Float64Array.from(features, name => coefficients[name]!);
  return (batch, out) => {
    const { rows, columns } = requireBatch(batch, theta.length);
    if (out.length < rows) refuse('the length of out', `be at least batch.rows = ${rows}`, out.length);
    out.fill(intercept ?? 0, 0, rows);
    columns.forEach((column, j) => {
      const coefficient = theta[j]!;
      for (let i = 0; i < rows; i++) out[i]! += coefficient * column[i]!;
    });
  };
}

/** The loss that a model was fitted with, its penalty included. */
export function lossOf({ loss: { name, parameter, ridge } }: Pick<Model, 'loss'>): NamedLoss {
  return lossByName(name, {
    ...(parameter === undefined ? {} : { parameter }),
    ...(ridge === undefined ? {} : { penalty: ridge }),
  });
}
