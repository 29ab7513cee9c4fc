import { stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { ArgumentError, fileProblem, refuse } from '../../errors.ts';
import { oneOf, requireKnown, text } from '../../options.ts';
import { peer } from '../../peers.ts';
import { confine, QUERY, requireReading } from '../../source/sql/confined.ts';
import type { SqlRows, SqlSource } from '../sql/sqlSession.ts';
import { quotedName } from '../sql/surveyTable.ts';
import { duckdbDialect } from './duckdbDialect.ts';
import { duckdbSession } from './duckdbSession.ts';

/** Rows that DuckDB reads in this process: files, a query over files, or a table of a database. */
export interface DuckdbOptions {
  /** Parquet, CSV or NDJSON files, patterns, or folders, whose names may hold columns as Hive has them (`year=2024`). */
  readonly files?: string | readonly string[];
  /** One SELECT statement over files that it names. */
  readonly sql?: string;
  /** A table of `database`, by its name or `schema.name`. */
  readonly table?: string;
  /** The file of a database of DuckDB. */
  readonly database?: string;
  /**
   * A column of whole numbers that tells rows apart, by which they are assigned to chunks and blocks. Files and tables
   * number their rows by themselves; a query needs it.
   */
  readonly id?: string;
}

/**
 * Rows that stay in DuckDB, an optional package: it computes block sums over files that this process then does not read.
 *
 * @example
 * const { coefficients } = await estimate(onDuckdb({ files: 'people.parquet' }), { target: 'income' });
 */
export function onDuckdb(options: DuckdbOptions): SqlRows {
  const paths = oneOf(
    'be a text or a list of texts',
    value => typeof value === 'string',
    value => Array.isArray(value) && value.every(path => typeof path === 'string'),
  );
  requireKnown(options, { database: text, files: paths, id: text, sql: text, table: text });
  const { files, sql, table, database, id } = options;
  const kinds = [files, sql, table].filter(each => each !== undefined).length;
  if (kinds !== 1) refuse('onDuckdb', 'be given one of `files`, `sql` and `table`', `${kinds} of them`);
  if ((table === undefined) !== (database === undefined))
    throw new ArgumentError(
      '`table` and `database` go together: the name of a table, and the file of the database that has it',
      'ERR_CONFLICT',
      { argument: 'table' },
    );
  if (sql !== undefined && id === undefined)
    throw new ArgumentError(
      '`sql` needs `id`, because DuckDB does not number the rows of a query; name a column of different whole numbers that the query gives, such as a key',
      'ERR_ARGUMENT',
      { argument: 'id' },
    );
  return Object.freeze({
    engine: { name: 'duckdb', files, sql, table, database, id },
    id,
    connect: async ({ writes = false } = {}) => {
      if (table !== undefined) return ofTable(table, database!, writes);
      if (writes)
        throw new ArgumentError(
          'a table of predictions goes into the database that has the rows, and files have none; give `table` and `database`, or have the rows read here and predictions written to a file',
          'ERR_CONFLICT',
          { argument: 'into' },
        );
      return sql !== undefined ? ofQuery(sql) : ofFiles(files!);
    },
  });
}

async function opened(path: string, options: Readonly<Record<string, string>> = {}) {
  const duckdb = await peer('@duckdb/node-api', '`onDuckdb`');
  const instance = await duckdb.DuckDBInstance.create(path, options);
  const connection = await duckdb.DuckDBConnection.create(instance);
  // Both hold memory and the file.
  const close = (): void => {
    connection.closeSync();
    instance.closeSync();
  };
  return { connection, close, session: duckdbSession(connection, close) };
}

/** Closes the connection where what follows fails. */
async function orClosed<T>({ close }: { readonly close: () => void }, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    close();
    throw error;
  }
}

const VIEW = 'rows_of_the_query';

async function ofQuery(sql: string): Promise<SqlSource> {
  const made = await opened(':memory:');
  return orClosed(made, async () => {
    await confine(made.connection, sql);
    await requireReading(made.connection, sql);
    await made.session.query(`CREATE TEMP VIEW ${VIEW} AS ${sql}`);
    return { session: made.session, name: QUERY, from: `${VIEW} s`, place: null, isWhole: false, fallible: [] };
  });
}

async function ofTable(table: string, database: string, writes: boolean): Promise<SqlSource> {
  if ((await stat(database).catch(() => undefined)) === undefined)
    throw fileProblem(database, 'does not exist; name the file of a database of DuckDB as `database`');
  const made = await opened(database, writes ? {} : { access_mode: 'READ_ONLY' });
  return {
    session: made.session,
    name: table,
    from: `${quotedName(duckdbDialect, table)} s`,
    place: { row: 'rowid', file: null },
    isWhole: true,
    // A date may be beyond the range of times.
    fallible: ['time'],
  };
}

const READERS: Readonly<Record<string, string>> = {
  '.parquet': 'read_parquet',
  '.csv': 'read_csv',
  '.ndjson': 'read_ndjson_auto',
  '.jsonl': 'read_ndjson_auto',
};

async function ofFiles(files: string | readonly string[]): Promise<SqlSource> {
  const paths = await Promise.all((typeof files === 'string' ? [files] : files).map(patternOf));
  if (paths.length === 0)
    throw new ArgumentError('`files` must name at least one file, got none', 'ERR_ARGUMENT', { argument: 'files' });
  const ends = new Set(paths.map(path => extname(path).toLowerCase()));
  const [end = ''] = ends;
  const reader = READERS[end];
  if (reader === undefined || ends.size > 1)
    throw new ArgumentError(
      `DuckDB reads files of one kind, whose names end in .parquet, .csv or .ndjson, got ${paths.join(', ')}; leave the engine out, and Sluice reads them itself`,
      'ERR_FILE',
      { files: paths },
    );
  const listed = `[${paths.map(duckdbDialect.text).join(', ')}]`;
  const made = await opened(':memory:');
  return orClosed(made, async () => {
    if (paths.some(isElsewhere)) await reachNetwork(made.connection, paths);
    else await confine(made.connection, listed);
    const name = paths.join(', ');
    const { session } = made;
    if (reader === 'read_parquet') {
      const from = `read_parquet(${listed}, filename = true, file_row_number = true, union_by_name = false) s`;
      const place = { row: 'file_row_number', file: 'parse_filename(filename)' };
      return {
        session: hiding(session, ['filename', 'file_row_number']),
        name,
        from,
        place,
        isWhole: true,
        fallible: ['text', 'time'],
      };
    }
    // Read in the order of the files, which `preserve_insertion_order` keeps for any number of threads.
    const from = `(SELECT *, row_number() OVER () - 1 AS sluice_row FROM ${reader}(${listed})) s`;
    return {
      session: hiding(session, ['sluice_row']),
      name,
      from,
      place: { row: 'sluice_row', file: null },
      isWhole: true,
      // The types of text files are guesses, which any row may contradict.
      fallible: ['float', 'integer', 'exact', 'boolean', 'text', 'time'],
    };
  });
}

/** A session whose tables do not show the columns that only number rows. */
const hiding = (session: SqlSource['session'], names: readonly string[]): SqlSource['session'] => ({
  ...session,
  columnsOf: async query => (await session.columnsOf(query)).filter(({ name }) => !names.includes(name)),
});

const isElsewhere = (path: string): boolean => /^(https?|s3|gcs|r2|hf):\/\//i.test(path);

/** The Parquet files below a folder; anything else as it is. */
async function patternOf(path: string): Promise<string> {
  if (isElsewhere(path)) return path;
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() ? join(path, '**', '*.parquet') : path;
}

/** DuckDB reads other machines through an extension, which its user installs once: nothing is downloaded behind their back. */
async function reachNetwork(connection: DuckDBConnection, paths: readonly string[]): Promise<void> {
  try {
    await connection.run('SET autoinstall_known_extensions = false');
    await connection.run('LOAD httpfs');
  } catch {
    throw new ArgumentError(
      `DuckDB reads ${paths.find(isElsewhere)} through its extension httpfs, which is not installed here; run INSTALL httpfs once in DuckDB, copy the files to this machine, or have a server of Spark read them where they are`,
      'ERR_PEER_MISSING',
      { package: 'httpfs' },
    );
  }
}
