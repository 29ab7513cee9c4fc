/** The gradient of every row of a chunk, for estimators that cannot work from block sums. */

import type { Loss } from '../loss/loss.ts';
import { ArgumentError, requireLength, requireVector } from '../math/check.ts';
import type { Vector } from '../math/vector.ts';
import type { SampleBatch } from '../sample/sampleBatch.ts';

/** `count` points of R^size, row-major. */
export interface Points {
  readonly count: number;
  readonly size: number;
  readonly values: Float64Array;
}

/** What one chunk's gradients may take, unless the caller allows more. */
export const LARGEST_CHUNK_BYTES = 2 ** 30;

export function rowGradients(
  batch: SampleBatch,
  loss: Loss,
  at: Vector,
  largestBytes = LARGEST_CHUNK_BYTES,
): Points {
  const size = requireVector('at', at).length;
  requireLength('batch.columns', batch.columns, size);
  const count = batch.rows;
  const bytes = 8 * count * size;
  if (bytes > largestBytes) {
    throw new ArgumentError(
      `the gradients of ${count} rows x ${size} features take ${bytes} bytes, more than ${largestBytes}; use more steps or median-of-means`,
    );
  }
  const scores = new Float64Array(count);
  batch.columns.forEach((column, j) => {
    for (let i = 0; i < count; i++) scores[i]! += column[i]! * at[j]!;
  });
  const slopes = scores.map((score, i) => loss.slope(score, batch.target[i]!));
  const values = new Float64Array(count * size);
  batch.columns.forEach((column, j) => {
    for (let i = 0; i < count; i++) values[i * size + j] = slopes[i]! * column[i]!;
  });
  return { count, size, values };
}
