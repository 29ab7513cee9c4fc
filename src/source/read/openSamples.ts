import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { ArgumentError } from '../../errors.ts';
import { expandPaths } from '../table/expandPaths.ts';
import type { Table } from '../table/table.ts';
import { type OpenOptions, openTable } from './openTable.ts';
import { readingThread } from './readingThread.ts';
import { type ReadOptions, type TableSamples, tableSamples } from './tableSamples.ts';

/** Opens files, globs or standard input ('-') as rows of features and a target: the entry point for most programs. */
export async function openSamples(
  patterns: string | readonly string[],
  asked: ReadOptions & OpenOptions,
): Promise<TableSamples> {
  const options = asked.forPrivate ? privateReading(asked) : asked;
  const paths = await expandPaths(typeof patterns === 'string' ? [patterns] : patterns);
  // A column with declared levels is text, even if its values in a text file look like numbers.
  const leveled = Object.keys(options.categorical ?? {}).map(name => [name, 'text'] as const);
  const types = { ...options.types, ...Object.fromEntries(leveled) };
  const { threads = 1 } = options;
  const started = threads > 1 && (await isLarge(paths)) ? readingThread() : undefined;
  const tables: Table[] = [];
  try {
    for (const path of paths) tables.push(await openTable(path, { ...options, types }));
    return await tableSamples(tables, options, started);
  } catch (error) {
    await Promise.all([started, ...tables].map(opened => opened?.close()));
    throw error;
  }
}

/**
 * The size in bytes from which Parquet files, judged by their names, are likely to be read by threads
 * (columnThreads.ts).
 */
const LARGE = 2 ** 24;

/** A thread is started while files are being opened, which takes about as long. */
async function isLarge(paths: readonly string[]): Promise<boolean> {
  if (!paths.every(path => extname(path) === '.parquet')) return false;
  const sizes = await Promise.all(
    paths.map(path =>
      stat(path).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0) >= LARGE;
}

/**
 * How a private run reads: nothing that a row holds may show in an error, in the type of a column or in the number of
 * rows. Columns are named and declared rather than sampled, and a row that cannot be used stays in its place with
 * weight 0, whatever is wrong with it.
 */
function privateReading<Options extends ReadOptions & OpenOptions>(options: Options): Options {
  const { target, features, unit } = options;
  if (target === undefined || features === undefined) {
    throw new ArgumentError(
      'rows for a private run need `target` and `features` by name, because columns must not be chosen by what rows hold; name them',
      'ERR_NOT_PRIVATE',
      { arguments: ['target', 'features'] },
    );
  }
  if (options.nulls === 'error' || options.malformed === 'error') {
    throw new ArgumentError(
      'rows for a private run cannot be refused for what they hold: leave out the options nulls and malformed',
      'ERR_NOT_PRIVATE',
      { arguments: ['nulls', 'malformed'] },
    );
  }
  return {
    ...options,
    nulls: 'skip',
    malformed: 'nulls',
    sampleRows: 0,
    types: {
      ...Object.fromEntries([...features, target].map(name => [name, 'mixed'])),
      // Two units whose numbers round to the same one would share their rows.
      ...(unit !== undefined && { [unit]: 'integer' }),
      ...options.types,
    },
  };
}
