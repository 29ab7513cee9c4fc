/** Where in the file the first rows of a run were. Of a shuffle, the rows of a cell are a random share of all, in the order that they have in the file (scatter.ts). */
import { inversePermutation } from '../random/permutation.ts';
import type { Random } from '../random/random.ts';

/** Of the rows of whole cells, as many as hold `most` rows or fewer. `cells` are those of the shuffle, together all rows; without `random` rows stay where they are. */
export function pilotPlaces(cells: readonly number[], most: number, random: Random | null): Float64Array {
  const rows = cells.reduce((sum, size) => sum + size, 0);
  if (random === null) return Float64Array.from({ length: Math.min(most, rows) }, (_, i) => i);
  const ends: number[] = [];
  let count = 0;
  for (const size of cells) {
    if (count + size > most) break;
    count += size;
    ends.push(count);
  }
  const rowAt = inversePermutation(rows, random);
  const places = new Float64Array(count);
  for (let i = 0; i < count; i++) places[i] = rowAt(i);
  ends.forEach((end, k) => {
    places.subarray(ends[k - 1] ?? 0, end).sort();
  });
  return places;
}
