import { requireKnown } from '../options.ts';
import { type Inspection, inspectTable } from '../source/inspect/inspection.ts';
import type { RowSource } from '../source/memory/rowSource.ts';
import { openTables } from '../source/read/openRows.ts';
import type { OpenOptions } from '../source/read/openTable.ts';
import { readingKinds } from '../source/read/readingKinds.ts';
import type { CallOptions } from './call.ts';
import { callKinds } from './optionKinds.ts';

/**
 * Describes rows before anything is fitted to them: types, ranges, nulls, tails and levels of every column, copies of
 * rows, and what to beware of; one description for every file, or one for a table in memory.
 *
 * @example
 * const [{ columns, warnings }] = await inspect('trips.parquet');
 */
export async function inspect(
  source: RowSource,
  given: CallOptions & Pick<OpenOptions, 'stdin' | 'types'> = {},
): Promise<readonly Inspection[]> {
  const { stdin, types } = readingKinds();
  requireKnown(given, { ...callKinds(), stdin, types });
  const { onProgress, ...options } = given;
  const { signal } = options;
  signal?.throwIfAborted();
  const tables = await openTables(source, { stdin: process.stdin, ...options });
  const found: Inspection[] = [];
  try {
    for (const table of tables) {
      const onRows = (rows: number): void => {
        signal?.throwIfAborted();
        onProgress?.({ phase: 'reading', rows, of: table.rows ?? Infinity });
      };
      found.push(await inspectTable(table, { onRows }));
      signal?.throwIfAborted();
    }
    return found;
  } finally {
    await Promise.all(tables.map(table => table.close()));
  }
}
