/** The gradient of every row of a chunk, for estimators that cannot work from block sums. */

import { ArgumentError, requireVector } from '../math/check.ts';
import { requireBatch, type SampleBatch } from '../sample/sampleBatch.ts';
import type { BlockRequest } from './blockSummer.ts';

/** `count` points of R^size, row-major. */
export interface Points {
  readonly count: number;
  readonly size: number;
  readonly values: Float64Array;
}

/** What one chunk's gradients may take, unless the caller allows more. */
export const LARGEST_CHUNK_BYTES = 2 ** 30;

/** Refuses a chunk whose gradients would not fit. */
export function requirePointsFit(count: number, size: number, largestBytes: number): void {
  const bytes = 8 * count * size;
  if (!(bytes <= largestBytes)) {
    throw new ArgumentError(
      `the gradients of ${count} rows x ${size} features take ${bytes} bytes, more than ${largestBytes}; use more steps or median-of-means`,
    );
  }
}

export function rowGradients(
  batch: SampleBatch,
  { loss, at, intercept = false }: Pick<BlockRequest, 'loss' | 'at' | 'intercept'>,
  largestBytes = LARGEST_CHUNK_BYTES,
): Points {
  const size = requireVector('at', at).length;
  const features = intercept ? size - 1 : size;
  requireBatch(batch, features);
  const { rows: count, columns, target, weights } = batch;
  requirePointsFit(count, size, largestBytes);
  const slopes = new Float64Array(count).fill(intercept ? at[features]! : 0);
  for (let j = 0; j < features; j++) {
    const column = columns[j]!;
    for (let i = 0; i < count; i++) slopes[i]! += column[i]! * at[j]!;
  }
  for (let i = 0; i < count; i++) slopes[i] = (weights?.[i] ?? 1) * loss.slope(slopes[i]!, target[i]!);
  const values = new Float64Array(count * size);
  for (let j = 0; j < size; j++) {
    const column = columns[j];
    for (let i = 0; i < count; i++) values[i * size + j] = slopes[i]! * (column?.[i] ?? 1);
  }
  return { count, size, values };
}

/** The points of several batches, in order. */
export function joinPoints(parts: readonly Points[]): Points {
  const count = parts.reduce((sum, part) => sum + part.count, 0);
  const size = parts[0]?.size ?? 0;
  const values = new Float64Array(count * size);
  let offset = 0;
  for (const part of parts) {
    values.set(part.values, offset);
    offset += part.values.length;
  }
  return { count, size, values };
}
