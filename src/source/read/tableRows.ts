/** The number of rows in tables. */
import type { Table } from '../table/table.ts';

/** The number of rows according to metadata. */
export const knownRows = (tables: readonly Table[]): number =>
  tables.reduce((sum, { rows }) => sum + (rows ?? 0), 0);

/** From metadata if the format has it, otherwise by one pass that decodes nothing. */
export async function countRows(tables: readonly Table[]): Promise<number> {
  let total = 0;
  for (const table of tables) {
    if (table.rows !== null) {
      total += table.rows;
      continue;
    }
    for await (const frame of table.frames([])) total += frame.rows;
  }
  return total;
}

export async function hasRows(table: Table): Promise<boolean> {
  if (table.rows !== null) return table.rows > 0;
  for await (const frame of table.frames([])) if (frame.rows > 0) return true;
  return false;
}
