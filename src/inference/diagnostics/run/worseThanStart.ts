import { dot, type Vector } from '../../../math/vector.ts';
import type { Loss } from '../../../method/loss/loss.ts';
import type { Chunk } from '../../../sample/chunk.ts';
import type { SampleBatch } from '../../../sample/sampleBatch.ts';

/** Enough to detect a loss that grew by a fifth. */
const MOST_KEPT = 2000;

/** Of the mean difference, in standard errors: practically never reached by chance. */
const LEAST_RATIO = 5;

/** Steps near the answer may end slightly above their start. */
const WORSE = 1.2;

export function keepRows(last: number) {
  let kept: SampleBatch | null = null;
  const copied = ({ rows, columns, target, weights }: SampleBatch): SampleBatch => {
    const count = Math.min(rows, MOST_KEPT);
    const copy = (values: Float64Array): Float64Array => values.slice(0, count);
    const batch = { rows: count, columns: columns.map(copy), target: copy(target) };
    return weights === undefined ? batch : { ...batch, weights: copy(weights) };
  };
  const seen = async function* (batches: AsyncIterable<SampleBatch>): AsyncGenerator<SampleBatch> {
    for await (const batch of batches) {
      if (kept === null || kept.rows < Math.min(batch.rows, MOST_KEPT)) kept = copied(batch);
      yield batch;
    }
  };
  return {
    /** Returns the same chunk; the first rows of the chunk with index `last` are copied as they are read. */
    keep: (chunk: Chunk): Chunk =>
      chunk.index === last ? { ...chunk, batches: { [Symbol.asyncIterator]: () => seen(chunk.batches) } } : chunk,
    found: (): SampleBatch | null => kept,
  };
}

/**
 * Whether steps on fresh chunks ended at a larger loss than they began with, judged by rows of the last chunk. Without a
 * pilot no other rows are kept, and gradients of bounded length carry little information: near the answer their
 * directions are random, and far from it they oscillate.
 *
 *   d_i = w_i (loss at the end - loss at the start) of row i, where both losses include the ridge penalty
 *
 * The mean of d must be above 0 by far. With numbers as targets most rows must have a larger loss besides: gross errors may
 * be further from a good end than from the start.
 */
export function worseThanStart(
  { rows, columns, target, weights }: SampleBatch,
  { loss, start, end }: { readonly loss: Loss; readonly start: Vector; readonly end: Vector },
): boolean {
  const lossAt = (theta: Vector, i: number): number => {
    // An intercept is the last coordinate.
    let score = theta[columns.length] ?? 0;
    for (let j = 0; j < columns.length; j++) score += columns[j]![i]! * theta[j]!;
    const value = loss.value(score, target[i]!) + (loss.penalty / 2) * dot(theta, theta);
    return (weights?.[i] ?? 1) * value;
  };
  let [before, after, squares, worse, counted] = [0, 0, 0, 0, 0];
  for (let i = 0; i < rows; i++) {
    if (weights?.[i] === 0) continue;
    const [first, last] = [lossAt(start, i), lossAt(end, i)];
    before += first;
    after += last;
    squares += (last - first) ** 2;
    counted++;
    if (!(last <= first)) worse++;
  }
  // Steps that overflow have diverged.
  if (!Number.isFinite(after) || !Number.isFinite(squares)) return Number.isFinite(before);
  const growth = after - before;
  const error = Math.sqrt(Math.max(0, squares - growth ** 2 / rows));
  const isMost = loss.targets.least > -Infinity || worse > counted / 2;
  return isMost && after > WORSE * before && growth > LEAST_RATIO * error;
}
