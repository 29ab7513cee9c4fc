import { requireInteger, requireVector } from '../../math/check.ts';
import { dot, type Vector } from '../../math/vector.ts';
import type { Random } from '../../random/random.ts';
import { type SampleBatch, sampleBatch } from '../../sample/sampleBatch.ts';
import type { Covariates } from './covariates.ts';
import type { Response } from './response.ts';

/** Rows drawn from a known model, and the parameter theta* they were drawn with. */
export interface SyntheticSample {
  readonly batch: SampleBatch;
  readonly truth: Vector;
}

/**
 * Independent rows (x, y): x by `covariates`, then y by `response` to the score x.theta*. Rows are drawn one after
 * another, so with the same stream the first k of many rows are the rows of a sample of k.
 */
export function syntheticSample({
  rows,
  truth,
  covariates,
  response,
  random,
}: {
  rows: number;
  truth: Vector;
  covariates: Covariates;
  response: Response;
  random: Random;
}): SyntheticSample {
  requireInteger('rows', rows, 1);
  const features = requireVector('truth', truth).length;
  const columns = Array.from({ length: features }, () => new Float64Array(rows));
  const target = new Float64Array(rows);
  const row = new Float64Array(features);
  for (let i = 0; i < rows; i++) {
    covariates(random, row);
    for (let j = 0; j < features; j++) columns[j]![i] = row[j]!;
    target[i] = response(random, dot(row, truth));
  }
  return { batch: sampleBatch(columns, target), truth };
}
