import { ArgumentError, requireVector } from '../../errors.ts';
import { requireBatch, type SampleBatch } from '../../sample/sampleBatch.ts';
import type { BlockRequest } from './blockSummer.ts';

/** `count` points of R^size, row-major. */
export interface Points {
  readonly count: number;
  readonly size: number;
  readonly values: Float64Array;
}

/** The memory limit for one chunk's gradients, unless the caller allows more. */
export const LARGEST_CHUNK_BYTES = 2 ** 30;

/** Rejects a chunk whose gradients would not fit. */
export function requirePointsFit(count: number, size: number, largestBytes: number): void {
  const bytes = 8 * count * size;
  if (!(bytes <= largestBytes)) {
    throw new ArgumentError(
      `the gradients of ${count} rows x ${size} features take ${bytes} bytes, more than the limit of ${largestBytes}; use more steps or median-of-means`,
      'ERR_TOO_LARGE',
      { bytes, limit: largestBytes },
    );
  }
}

type GradientRequest = Pick<BlockRequest, 'loss' | 'at' | 'intercept'>;

/** The gradient of every row of a chunk, for estimators that cannot work from block sums. */
export function rowGradients(batch: SampleBatch, request: GradientRequest, largestBytes = LARGEST_CHUNK_BYTES): Points {
  const { rows: count } = batch;
  const size = requireVector('at', request.at).length;
  requireBatch(batch, request.intercept ? size - 1 : size);
  requirePointsFit(count, size, largestBytes);
  const values = new Float64Array(count * size);
  writeGradients(batch, request, values);
  return { count, size, values };
}

/** The same, written to the start of `values`, so that the batches of a chunk need no more memory than the chunk. */
export function writeGradients(
  batch: SampleBatch,
  { loss, at, intercept = false }: GradientRequest,
  values: Float64Array,
): void {
  const size = requireVector('at', at).length;
  const features = intercept ? size - 1 : size;
  requireBatch(batch, features);
  const { rows: count, columns, target, weights } = batch;
  const slopes = new Float64Array(count).fill(intercept ? at[features]! : 0);
  for (let j = 0; j < features; j++) {
    const column = columns[j]!;
    for (let i = 0; i < count; i++) slopes[i]! += column[i]! * at[j]!;
  }
  for (let i = 0; i < count; i++) slopes[i] = (weights?.[i] ?? 1) * loss.slope(slopes[i]!, target[i]!);
  for (let j = 0; j < size; j++) {
    const column = columns[j];
    for (let i = 0; i < count; i++) values[i * size + j] = slopes[i]! * (column?.[i] ?? 1);
  }
}
