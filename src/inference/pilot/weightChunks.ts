import type { Layout } from '../../plan/layout.ts';
import type { Chunk } from '../../sample/chunk.ts';
import type { SampleBatch } from '../../sample/sampleBatch.ts';
import type { Diagnosis } from '../diagnostics/diagnose.ts';

type RowWeights = NonNullable<Diagnosis['leverage']['rowWeights']>;

/** The weights of that many rows take 64 MB. */
const MOST_KEPT = 2 ** 23;

/**
 * Multiplies the weights of a chunk's rows by `rowWeights`. Steps over all rows meet the same rows again, and weights are
 * kept from the first, as far as memory allows: by position, since every pass may cut batches elsewhere.
 */
export function weightChunks(rowWeights: RowWeights, mode: Layout['mode']): (chunk: Chunk) => Chunk {
  let kept = new Float64Array(0);
  let known = 0;
  const weightsOf = (batch: SampleBatch, first: number): Float64Array => {
    const end = first + batch.rows;
    if (end <= known) return kept.subarray(first, end);
    const weights = weightsBy(rowWeights, batch);
    if (first <= known && end <= kept.length) {
      kept.set(weights, first);
      known = end;
    }
    return weights;
  };
  return chunk => ({
    ...chunk,
    batches: {
      async *[Symbol.asyncIterator]() {
        if (mode === 'full' && kept.length === 0) kept = new Float64Array(Math.min(chunk.rows, MOST_KEPT));
        let first = 0;
        for await (const batch of chunk.batches) {
          yield { ...batch, weights: weightsOf(batch, first) };
          first += batch.rows;
        }
      },
    },
  });
}

/** Rows with their weights in the steps. */
export const weightBatch = (
  { rowWeights }: Pick<Diagnosis['leverage'], 'rowWeights'>,
  batch: SampleBatch,
): SampleBatch => (rowWeights === null ? batch : { ...batch, weights: weightsBy(rowWeights, batch) });

function weightsBy(rowWeights: RowWeights, batch: SampleBatch): Float64Array {
  const weights = rowWeights(batch);
  const given = batch.weights;
  if (given !== undefined) for (let i = 0; i < batch.rows; i++) weights[i]! *= given[i]!;
  return weights;
}
