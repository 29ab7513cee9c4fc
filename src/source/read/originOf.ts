import type { Place } from '../../errors.ts';
import type { PlacedRows } from './columnFeed.ts';

/** The table that a row of these pieces comes from, and its row number there. */
export function originOf(
  pieces: readonly PlacedRows[],
  row: number,
  tables: readonly string[],
): Required<Pick<Place, 'table' | 'row'>> {
  let end = 0;
  const piece = pieces.find(({ count }) => {
    end += count;
    return row < end;
  })!;
  return { table: tables[piece.table]!, row: piece.row + row - (end - piece.count) };
}
