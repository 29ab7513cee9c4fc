import type { Random } from '../../math/random/random.ts';
import { rowCells } from './rowCells.ts';

/**
 * The positions in the file of the first rows of a run. After a shuffle, the rows of a cell are a random share of all,
 * in the order of the file (scatter.ts).
 *
 * Of the rows of the first whole cells that hold at most `most` rows. `cells` are those of the shuffle, which together
 * hold all rows; without `random` rows stay where they are.
 */
export function pilotPlaces(cells: readonly number[], most: number, random: Random | null): Float64Array {
  const rows = cells.reduce((sum, size) => sum + size, 0);
  if (random === null) return Float64Array.from({ length: Math.min(most, rows) }, (_, i) => i);
  const next: number[] = [];
  let count = 0;
  for (const size of cells) {
    if (count + size > most) break;
    next.push(count);
    count += size;
  }
  const places = new Float64Array(count);
  if (count === 0) return places;
  const findCells = rowCells(cells, random);
  const room = new Uint32Array(Math.min(rows, CHUNK_ROWS));
  for (let first = 0; first < rows; first += room.length) {
    const found = room.subarray(0, Math.min(room.length, rows - first));
    findCells(first, found);
    place(found, first, next, places);
  }
  return places;
}

const CHUNK_ROWS = 2 ** 14;

function place(cells: Uint32Array, first: number, next: number[], places: Float64Array): void {
  const { length } = next;
  for (let i = 0; i < cells.length; i++) if (cells[i]! < length) places[next[cells[i]!]!++] = first + i;
}
