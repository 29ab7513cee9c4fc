import {
  ArgumentError,
  type OpenOptions,
  openSamples,
  openSql,
  type ReadOptions,
  type TableSamples,
  tableSamples,
} from '../../index.ts';
import type { FitFlags } from '../flags/fitFlags.ts';

/** The rows given to a command: files, standard input, or a query. */
export async function openData(
  paths: readonly string[],
  { sql, unit }: FitFlags,
  asked: ReadOptions & OpenOptions,
): Promise<TableSamples> {
  const read = unit === undefined ? asked : { ...asked, unit };
  if (sql !== undefined) {
    if (paths.length > 0)
      throw new ArgumentError(`give either files or --sql, got both: ${paths.join(', ')}`);
    return tableSamples([await openSql(sql)], read);
  }
  if (paths.length === 0) {
    throw new ArgumentError(
      'there is nothing to read; name files, - for standard input, or give --sql QUERY',
    );
  }
  if (paths.includes('-') && read.rows === undefined) {
    throw new ArgumentError('standard input does not declare its number of rows; give --rows N');
  }
  return openSamples(paths, { ...read, stdin: process.stdin });
}

/** Standard input cannot be read again for the next step. */
export function requireRereadable(readOnce: boolean, mode: 'full' | 'fresh'): void {
  if (!readOnce || mode === 'fresh') return;
  throw new ArgumentError(
    'standard input can be read once, but --mode full reads it every step; use --mode fresh, or save it as a file',
  );
}
