/** A summary of a table, column by column: one pass over it, in memory that does not grow with its rows. */
import { type ColumnInspection, columnInspector } from './inspect/columnInspector.ts';
import { warningsOf } from './inspect/warnings.ts';
import type { Table } from './table.ts';
import { BATCH_ROWS } from './tableSamples.ts';

export interface Inspection {
  readonly name: string;
  readonly format: Table['format'];
  readonly rows: number;
  readonly columns: readonly ColumnInspection[];
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
  const out = new Float64Array(BATCH_ROWS);
  const missing = new Uint8Array(BATCH_ROWS);
  let rows = 0;
  for await (const frame of table.frames(readable)) {
    for (let start = 0; start < frame.rows; start += BATCH_ROWS) {
      const count = Math.min(BATCH_ROWS, frame.rows - start);
      for (const { field, read } of inspectors) await read(frame, { field, start, count, out, missing });
    }
    rows += frame.rows;
    onRows?.(rows);
  }
  const columns = Object.freeze(inspectors.map(({ result }) => result()));
  return Object.freeze({
    name: table.name,
    format: table.format,
    rows,
    columns,
    warnings: warningsOf(columns, rows),
  });
}
