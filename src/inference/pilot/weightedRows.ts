/** Rows of positive weight, and how unequal their weights are. */
import { maxNorm } from '../../math/vector.ts';
import type { SampleBatch } from '../../sample/sampleBatch.ts';

/** Drops rows of weight 0, so that no diagnostic depends on them, and the weights where all others are 1. */
export function dropZeroWeights(batch: SampleBatch): SampleBatch {
  const { columns, target, weights } = batch;
  if (weights === undefined || !weights.includes(0)) return batch;
  const counts = (_: number, i: number): boolean => i < batch.rows && weights[i] !== 0;
  const kept = weights.filter(counts);
  const rows = kept.length;
  return {
    rows,
    columns: columns.map(column => column.filter(counts)),
    target: target.filter(counts),
    ...(kept.some(weight => weight !== 1) && { weights: kept }),
  };
}

export interface WeightSummary {
  readonly mean: number;
  /** The mean over all rows of the run, those of weight 0 among them. */
  readonly meanOfRun: number;
  /** Kish's effective sample size, (sum of w)^2 / sum of w^2. */
  readonly effectiveRows: number;
}

/** Of rows of positive weight, which are this share of the run's. */
export function weightSummary({ rows, weights }: SampleBatch, share: number): WeightSummary {
  if (weights === undefined) return { mean: 1, meanOfRun: share, effectiveRows: rows };
  const largest = maxNorm(weights);
  let [sum, squares] = [0, 0];
  for (const weight of weights) {
    sum += weight / largest;
    squares += (weight / largest) ** 2;
  }
  const mean = (sum / rows) * largest;
  return { mean, meanOfRun: mean * share, effectiveRows: sum ** 2 / squares };
}
