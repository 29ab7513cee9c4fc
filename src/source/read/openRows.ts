import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ArgumentError, dataError, refuse } from '../../errors.ts';
import { type KnownSource, knownSource, type RowSource } from '../memory/rowSource.ts';
import type { SpoolOptions } from '../memory/spool.ts';
import { expandPaths } from '../table/expandPaths.ts';
import type { Table } from '../table/table.ts';
import { readingThread } from './columnThreads.ts';
import { confirmTypes, type OpenOptions, openSpooled, openTable } from './openTable.ts';
import { type ReadOptions, type TableSamples, tableSamples } from './tableSamples.ts';

/** How columns are chosen and read, and where rows that can be read once are kept. */
export type OpenRowsOptions = ReadOptions &
  OpenOptions &
  Pick<SpoolOptions, 'memoryBytes' | 'scratch' | 'scratchBytes'>;

/**
 * Opens rows as features and a target: the one door for every call that takes a `RowSource`. Whatever the source,
 * columns are chosen, converted and checked in the same way, with the same messages.
 */
export async function openRows(source: RowSource, asked: OpenRowsOptions): Promise<TableSamples> {
  const options = asked.forPrivate ? privateReading(asked) : asked;
  const known = knownSource(source);
  if (options.forPrivate && known.is === 'tables')
    throw new ArgumentError(
      'a query may combine several rows into one, or drop rows by their contents; for a private run, write its result to a file',
      'ERR_NOT_PRIVATE',
      { argument: 'source' },
    );
  if (known.is === 'samples') {
    const { namedSamples } = await import('../memory/namedSamples.ts');
    return namedSamples(known.samples, options);
  }
  const { threads = 1 } = options;
  const files = known.is === 'files' ? await expandPaths(known.paths.map(pathOf)) : undefined;
  const started = files && threads > 1 && (await isLarge(files)) ? readingThread() : undefined;
  let tables: readonly Table[] = [];
  try {
    tables = await (files ? openFiles(files, options) : openMemory(known, options));
    return await tableSamples(tables, rowsOf(known, options), started);
  } catch (error) {
    await Promise.all([started, ...tables].map(opened => opened?.close()));
    throw error;
  }
}

/** Opens rows as tables, all of whose columns can be read: for calls that look at data before columns are chosen. */
export async function openTables(source: RowSource, options: OpenRowsOptions = {}): Promise<readonly Table[]> {
  const known = knownSource(source);
  return known.is === 'files'
    ? openFiles(await expandPaths(known.paths.map(pathOf)), options)
    : openMemory(known, options);
}

async function openFiles(paths: readonly string[], options: OpenRowsOptions): Promise<readonly Table[]> {
  const tables: Table[] = [];
  try {
    for (const path of paths) tables.push(await openFile(path, { ...options, types: typesOf(options) }));
    return tables;
  } catch (error) {
    await Promise.all(tables.map(opened => opened.close()));
    throw error;
  }
}

/**
 * Standard input is kept in a file, unless its rows are declared: they are then read as they come, once. So are those of
 * a private run, whose plan must know that.
 */
async function openFile(path: string, options: OpenRowsOptions): Promise<Table> {
  const { stdin, rows, forPrivate } = options;
  if (path !== '-' || stdin === undefined || rows !== undefined || forPrivate) return openTable(path, options);
  const { spooledInput } = await import('./spooledInput.ts');
  const spooled = await spooledInput(stdin, options);
  return spooled === undefined ? openTable(path, options) : openSpooled(spooled, options);
}

async function openMemory(known: KnownSource, options: OpenRowsOptions): Promise<readonly Table[]> {
  if (known.is === 'tables') return known.source.openTables();
  const tables = await memoryOf(known, options);
  if (tables.every(({ rows }) => rows === 0)) {
    const name = tables[0]?.name ?? 'the batches';
    throw dataError({ table: name }, 'has no rows', 'give at least one row', 'ERR_NO_ROWS');
  }
  return Promise.all(tables.map(table => confirmTypes(table, { ...options, types: typesOf(options) })));
}

// Loaded on demand, like the readers of files.
async function memoryOf(
  known: Exclude<KnownSource, { is: 'tables' }>,
  options: OpenRowsOptions,
): Promise<readonly Table[]> {
  switch (known.is) {
    case 'once': {
      const { spool } = await import('../memory/spool.ts');
      return spool(known.source, options);
    }
    case 'columns': {
      const { COLUMNS, columnsBatch } = await import('../memory/columnsBatch.ts');
      const { tablesInPlace } = await import('../memory/memoryTables.ts');
      const { categorical = {}, forPrivate: mixed = false, unit } = options;
      const texts = [...Object.keys(categorical), ...(unit === undefined ? [] : [unit])];
      return tablesInPlace(COLUMNS, [await columnsBatch(known.columns, { texts, mixed })]);
    }
    case 'batches': {
      const { tablesInPlace } = await import('../memory/memoryTables.ts');
      return tablesInPlace(known.name, known.batches);
    }
    case 'samples': {
      const { samplesTable } = await import('../memory/namedSamples.ts');
      return [samplesTable(known.samples)];
    }
    default:
      throw new Error(`${known.is} are not in memory`);
  }
}

/** A source in memory knows its rows, so that there is no need to look for its end. */
function rowsOf({ is }: KnownSource, options: OpenRowsOptions): OpenRowsOptions {
  if (is === 'files' || options.rows !== Infinity) return options;
  const { rows: _, ...others } = options;
  return others;
}

/** A column with declared levels is text, even if its values in a text file look like numbers. */
const typesOf = ({ types, categorical = {} }: OpenRowsOptions): NonNullable<OpenOptions['types']> => ({
  ...types,
  ...Object.fromEntries(Object.keys(categorical).map(name => [name, 'text'] as const)),
});

function pathOf(file: string | URL): string {
  if (typeof file === 'string') return file;
  if (file.protocol === 'file:') return fileURLToPath(file);
  return refuse('a URL', 'begin with file:', file.href, 'download it first');
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
export function privateReading<Options extends ReadOptions & OpenOptions>(options: Options): Options {
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
      ...(unit !== undefined && { [unit]: 'text' }),
      ...options.types,
    },
  };
}
