/** A summary of a table, column by column: one pass over it, in memory that does not grow with its rows. */

import { isRowIndex } from '../design/isRowIndex.ts';
import { BATCH_ROWS } from '../read/tableSamples.ts';
import type { Table } from '../table/table.ts';
import { type ColumnInspection, columnInspector } from './columnInspector.ts';
import { type DuplicateRows, duplicateRows } from './duplicateRows.ts';
import { warningsOf } from './warnings.ts';

export interface Inspection {
  readonly name: string;
  readonly format: Table['format'];
  readonly rows: number;
  readonly columns: readonly ColumnInspection[];
  /** Rows that equal another row in every column; null if there are few, or if rows of such values often coincide. */
  readonly duplicates: DuplicateRows | null;
  /** In plain English. */
  readonly warnings: readonly string[];
}

/** `onRows` is called with the number of rows inspected so far. */
export async function inspectTable(
  table: Table,
  { onRows }: { readonly onRows?: (rows: number) => void } = {},
): Promise<Inspection> {
  const inspectors = table.fields.flatMap((field, index) =>
    Array.from({ length: field.width }, (_, element) => ({
      field: index,
      ...columnInspector(field, element),
    })),
  );
  const readable = [...table.fields.keys()].filter(index => table.fields[index]!.kind !== 'unsupported');
  const duplicates = duplicateRows(inspectors.length, BATCH_ROWS);
  const compare = inspectors.map(({ field }, column) =>
    isRowIndex(table.fields[field]!.name)
      ? undefined
      : (values: Float64Array, missing: Uint8Array, count: number): void =>
          duplicates.add(column, values, missing, count),
  );
  const out = new Float64Array(BATCH_ROWS);
  const missing = new Uint8Array(BATCH_ROWS);
  let rows = 0;
  for await (const frame of table.frames(readable)) {
    for (let start = 0; start < frame.rows; start += BATCH_ROWS) {
      const count = Math.min(BATCH_ROWS, frame.rows - start);
      for (const [column, { field, read }] of inspectors.entries())
        await read(frame, { field, start, count, out, missing }, compare[column]);
      duplicates.end(count);
    }
    rows += frame.rows;
    onRows?.(rows);
  }
  const columns = Object.freeze(inspectors.map(({ result }) => result()));
  // If a column was not read to the end, or has more texts than are distinguished, rows may differ in it.
  const isCompared = columns.every(
    ({ problem, kind, texts }) =>
      problem === undefined && kind !== 'unsupported' && (texts === undefined || texts.distinct !== null),
  );
  const found = isCompared ? duplicates.found() : null;
  return Object.freeze({
    name: table.name,
    format: table.format,
    rows,
    columns,
    duplicates: found,
    warnings: warningsOf(columns, rows, found),
  });
}
