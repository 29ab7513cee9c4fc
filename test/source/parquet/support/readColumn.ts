import type { Frame, Table } from '../../../../src/source/table/table.ts';
import type { Cell } from './fixtures.ts';

export interface Piece {
  readonly start: number;
  readonly count: number;
}

/** Rows of a column as cells: numbers, texts among the levels, or null. Whatever is not filled would show as NaN. */
export async function readPiece(
  frame: Frame,
  field: number,
  { start, count }: Piece,
  levels?: readonly string[],
): Promise<Cell[]> {
  const out = new Float64Array(count).fill(Number.NaN);
  const missing = new Uint8Array(count);
  const request = { field, start, count, out, missing };
  const absent = await (levels === undefined ? frame.fill(request) : frame.fillLevels({ ...request, levels }));
  const cells = Array.from(out, (value, i) => {
    if (missing[i] === 1) return value === 0 ? null : `${value} where a value is missing`;
    return levels === undefined ? value : (levels[value] ?? `level ${value}`);
  });
  if (absent !== missing.reduce((sum, mark) => sum + mark, 0)) throw new Error(`${absent} are missing, says fill`);
  return cells;
}

/** A whole column, `size` rows at a time. */
export async function readColumn(
  table: Table,
  name: string,
  size = Infinity,
  levels?: readonly string[],
): Promise<Cell[]> {
  const field = table.fields.findIndex(candidate => candidate.name === name);
  const cells: Cell[] = [];
  for await (const frame of table.frames([field])) {
    for (let start = 0; start < frame.rows; start += size) {
      cells.push(...(await readPiece(frame, field, { start, count: Math.min(size, frame.rows - start) }, levels)));
    }
  }
  return cells;
}
