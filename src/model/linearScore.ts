import { refuse } from '../errors.ts';
import { requireBatch, type SampleBatch } from '../sample/sampleBatch.ts';
import type { Model } from './model.ts';

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
