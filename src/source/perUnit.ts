import { requireInteger } from '../math/check.ts';
import { columnArena } from '../sample/arena.ts';
import { requireBatch, type SampleBatch } from '../sample/sampleBatch.ts';
import type { Samples } from '../sample/samples.ts';
import { type UnitCounts, unitCounts } from './unitCounts.ts';

/**
 * At most `most` rows of every unit, such as a person: the first ones, in the order of the file. Later ones stay in
 * their place with weight 0. The unit is the last column of `samples`, a whole number that stands for it, and is left
 * out of the result. A row with any other number, which may be several rounded to one, such as decimals or all from
 * 2^53 on, has weight 0 too.
 *
 * Guarantee. Of one unit at most `most` rows count; so replacing all its rows by those of another that has no others
 * takes at most `most` rows out of the sums and puts at most `most` into them, which is what replacing `most` rows can
 * do.
 * Edge cases. Rows count or they do not: those of any weight but 1 do not, without a word, for no value may show in an
 * error of a private run. Memory grows with the number of units, not of rows.
 */
export function perUnit(samples: Samples, most: number): Samples {
  requireInteger('most', most, 1);
  const features = samples.features - 1;
  return {
    rows: samples.rows,
    features,
    weighted: true,
    hasTarget: samples.hasTarget,
    namesRows: samples.namesRows,
    async *batches() {
      const counts = unitCounts();
      let arena = columnArena({ features: 1, capacity: 1, slots: 1, weights: true });
      for await (const batch of samples.batches()) {
        requireBatch(batch, samples.features);
        if (arena.capacity < batch.rows) {
          arena = columnArena({ features: 1, capacity: batch.rows, slots: 1, weights: true });
        }
        const weights = arena.slots[0]!.weights.subarray(0, batch.rows);
        countRows(batch, features, most, counts, weights);
        yield { ...batch, columns: batch.columns.slice(0, features), weights };
      }
    },
  };
}

function countRows(
  { rows, columns, weights: given }: SampleBatch,
  unit: number,
  most: number,
  counts: UnitCounts,
  weights: Float64Array,
): void {
  const units = columns[unit]!;
  for (let i = 0; i < rows; i++) {
    const isValid = (given?.[i] ?? 1) === 1 && Number.isSafeInteger(units[i]);
    weights[i] = isValid && counts.take(units[i]!, most) ? 1 : 0;
  }
}
