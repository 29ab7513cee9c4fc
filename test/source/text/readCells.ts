import type { Records, Split } from '../../../src/source/text/readRecords.ts';
import { readRecords } from '../../../src/source/text/readRecords.ts';

type CellOf<T> = (bytes: Buffer, start: number, end: number) => T;

/** Every record as an array of its cells, null for nulls. */
export async function readCells<T>(
  chunks: AsyncIterable<Uint8Array>,
  split: Split,
  cells: number,
  cellOf: CellOf<T>,
): Promise<(T | null)[][]> {
  const rows: (T | null)[][] = [];
  for await (const records of readRecords(chunks, { table: 'test', split, cells, skip: 0 })) {
    if (records.firstRow !== rows.length) throw new Error(`row ${rows.length} is called ${records.firstRow}`);
    for (let row = 0; row < records.rows; row++) rows.push(rowOf(records, row, cells, cellOf));
  }
  return rows;
}

const rowOf = <T>(
  { bytes, starts, ends, capacity }: Records,
  row: number,
  cells: number,
  cellOf: CellOf<T>,
): (T | null)[] =>
  Array.from({ length: cells }, (_, slot) => {
    const cell = slot * capacity + row;
    return starts[cell]! < 0 ? null : cellOf(bytes, starts[cell]!, ends[cell]!);
  });
