import { BATCH_ROWS } from '../read/tableSamples.ts';
import type { Table } from '../table/table.ts';
import type { LiveRows, LiveSchema } from './liveSchema.ts';

/** Some consecutive rows of a table, as cells of the stream's columns. */
export interface TableRows extends LiveRows {
  /** Rows of the table up to and with these, the bad ones included. */
  readonly upTo: number;
}

/**
 * The rows of a table from row `skip` on, in pieces of at most 65,536, so that a large one takes no more memory. Its
 * columns are those of the stream; `places` says where. A table that has no more than those says so by a piece without
 * rows.
 */
export async function* tableRows(
  table: Table,
  schema: LiveSchema,
  places: readonly (number | null)[],
  skip = 0,
): AsyncGenerator<TableRows> {
  const isText = table.format === 'csv' || table.format === 'ndjson';
  let before = 0;
  for await (const frame of table.frames(places.filter(place => place !== null))) {
    for (let start = Math.max(0, skip - before); start < frame.rows; start += BATCH_ROWS) {
      const count = Math.min(BATCH_ROWS, frame.rows - start);
      const read = await schema.read({ frame, places, start, count, isText });
      yield { ...read, upTo: before + start + count };
    }
    before += frame.rows;
  }
  if (skip >= before) yield { cells: [], rows: 0, bad: new Map(), upTo: before };
}
