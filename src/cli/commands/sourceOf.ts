import { onDuckdb, onSpark } from '../../engine/index.ts';
import { ArgumentError, fromSql, type RowSource } from '../../index.ts';
import type { FitFlags } from '../flags/fitFlags.ts';

/** The flags that say where rows are. */
export type SourceFlags = Pick<FitFlags, 'engine' | 'table' | 'path' | 'id'> & {
  readonly sql?: string;
  readonly rows?: string;
  readonly epsilon?: string;
  readonly theorem?: string;
};

/** The rows given to a command: files, standard input, a query, or rows that stay in an engine. */
export function sourceOf(paths: readonly string[], flags: SourceFlags): RowSource {
  const { engine = 'local', sql, rows, table, path, id, epsilon, theorem } = flags;
  if (engine === 'duckdb') return inDuckdb(paths, flags);
  if (engine.startsWith('sc://')) return inSpark(paths, flags, engine);
  if (engine !== 'local')
    throw new ArgumentError(
      `--engine must be local, duckdb or sc://host:port, got ${JSON.stringify(engine)}`,
      'ERR_ARGUMENT',
      { argument: '--engine', value: engine },
    );
  const other = table !== undefined ? `--table ${table}` : path !== undefined ? `--path ${path}` : undefined;
  if (other !== undefined)
    throw new ArgumentError(
      `${other} is of an engine; give --engine duckdb or --engine sc://host:port, or name files`,
      'ERR_CONFLICT',
      { arguments: [table !== undefined ? '--table' : '--path'] },
    );
  if (sql !== undefined) {
    if (paths.length === 0) return fromSql(sql);
    throw new ArgumentError(`give either files or --sql, got both: ${paths.join(', ')}`, 'ERR_CONFLICT', {
      arguments: ['files', '--sql'],
    });
  }
  if (paths.length === 0)
    throw new ArgumentError(
      'there is nothing to read; name files, - for standard input, give --sql QUERY, or --engine with --table NAME',
      'ERR_ARGUMENT',
      { argument: 'files' },
    );
  if (paths.includes('-') && id !== undefined)
    throw new ArgumentError(
      '--id is for rows that can be read again, and standard input cannot; leave it out',
      'ERR_CONFLICT',
      { arguments: ['-', '--id'] },
    );
  // What is planned before any row is read must know how many will come.
  if (paths.includes('-') && rows === undefined && (epsilon !== undefined || theorem !== undefined))
    throw new ArgumentError('standard input does not declare its number of rows; give --rows N', 'ERR_ARGUMENT', {
      argument: '--rows',
    });
  return paths;
}

function inDuckdb(paths: readonly string[], { sql, table, path, id }: SourceFlags): RowSource {
  const given = [paths.length > 0 && 'files', sql !== undefined && '--sql', table !== undefined && '--table'].filter(
    Boolean,
  );
  if (given.length !== 1)
    throw new ArgumentError(
      `--engine duckdb takes files, --sql QUERY, or --table NAME with --path DATABASE, got ${given.join(' and ') || 'none of them'}`,
      'ERR_CONFLICT',
      { arguments: ['--engine', ...given] },
    );
  if (paths.includes('-'))
    throw new ArgumentError(
      '--engine duckdb reads files, and standard input is none; leave --engine out, or save it as a file',
      'ERR_CONFLICT',
      { arguments: ['-', '--engine'] },
    );
  if (table !== undefined) {
    if (path === undefined)
      throw new ArgumentError('--table needs --path, the database file of DuckDB that has it', 'ERR_CONFLICT', {
        arguments: ['--table', '--path'],
      });
    return onDuckdb({ table, database: path, ...(id !== undefined && { id }) });
  }
  if (path !== undefined)
    throw new ArgumentError('--path is the database of --table; name files as arguments', 'ERR_CONFLICT', {
      arguments: ['--table', '--path'],
    });
  return onDuckdb({ ...(sql === undefined ? { files: paths } : { sql }), ...(id !== undefined && { id }) });
}

function inSpark(paths: readonly string[], { sql, table, path, id }: SourceFlags, url: string): RowSource {
  if (paths.length > 0 || sql !== undefined)
    throw new ArgumentError(
      `--engine ${url} reads rows where it is: give --table NAME, or --path for Parquet files as it sees them, instead of ${sql === undefined ? paths.join(', ') : '--sql'}`,
      'ERR_CONFLICT',
      { arguments: ['--engine', sql === undefined ? 'files' : '--sql'] },
    );
  if ((table === undefined) === (path === undefined))
    throw new ArgumentError(`--engine ${url} needs either --table NAME or --path PATH`, 'ERR_CONFLICT', {
      arguments: ['--table', '--path'],
    });
  return onSpark({
    url,
    ...(table !== undefined && { table }),
    ...(path !== undefined && { path }),
    ...(id !== undefined && { id }),
  });
}

/** 128 plus the signal number, by convention. */
const INTERRUPTED = 130;

/**
 * Runs something over rows that may be on another machine: there, the query under way has to be stopped before this
 * process ends. Elsewhere an interrupt ends the process by itself.
 */
export async function stoppable<T>(
  { engine = 'local' }: SourceFlags,
  run: (signal: AbortSignal | undefined) => Promise<T>,
): Promise<T> {
  if (!engine.startsWith('sc://')) return run(undefined);
  const stop = new AbortController();
  const interrupt = (): void => stop.abort();
  process.once('SIGINT', interrupt);
  process.once('SIGTERM', interrupt);
  try {
    return await run(stop.signal);
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    process.stderr.write('sluice: interrupted; the query under way was cancelled\n');
    return process.exit(INTERRUPTED);
  } finally {
    process.off('SIGINT', interrupt);
    process.off('SIGTERM', interrupt);
  }
}
