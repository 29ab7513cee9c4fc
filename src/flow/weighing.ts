import type { Layout } from '../plan/layout.ts';
import type { Pilot } from '../plan/pilot.ts';
import type { Chunk } from '../sample/chunk.ts';
import type { SampleBatch } from '../sample/sampleBatch.ts';

/** The weights of so many rows take 64 MB. */
const MOST_KEPT = 2 ** 23;

/** The chunk's rows, counting by what `weigh` says of them. Steps over all rows meet the same batches again, and their weights are kept, as far as there is room. */
export function weighing(
  weigh: NonNullable<Pilot['rowWeights']>,
  mode: Layout['mode'],
): (chunk: Chunk) => Chunk {
  const kept: Float64Array[] = [];
  let room = mode === 'full' ? MOST_KEPT : 0;
  const weightsOf = (batch: SampleBatch, place: number): Float64Array => {
    const known = kept[place];
    if (known?.length === batch.rows) return known;
    const weights = weightsBy(weigh, batch);
    if (room >= batch.rows) {
      room -= batch.rows;
      kept[place] = weights;
    }
    return weights;
  };
  return chunk => ({
    ...chunk,
    batches: {
      async *[Symbol.asyncIterator]() {
        let place = 0;
        for await (const batch of chunk.batches) yield { ...batch, weights: weightsOf(batch, place++) };
      },
    },
  });
}

/** Rows with the weights that they have in the steps. */
export const weighedBy = ({ rowWeights }: Pick<Pilot, 'rowWeights'>, batch: SampleBatch): SampleBatch =>
  rowWeights === null ? batch : { ...batch, weights: weightsBy(rowWeights, batch) };

function weightsBy(weigh: NonNullable<Pilot['rowWeights']>, batch: SampleBatch): Float64Array {
  const weights = weigh(batch);
  const given = batch.weights;
  if (given !== undefined) for (let i = 0; i < batch.rows; i++) weights[i]! *= given[i]!;
  return weights;
}
