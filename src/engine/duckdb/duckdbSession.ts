import type { DuckDBConnection } from '@duckdb/node-api';
import { ArgumentError } from '../../errors.ts';
import type { SqlSession, SqlTable } from '../sql/sqlSession.ts';
import { duckdbDialect } from './duckdbDialect.ts';

/** A connection to DuckDB in this process as a session that answers SQL. */
export function duckdbSession(connection: DuckDBConnection, close: () => void): SqlSession {
  const run = async (sql: string, signal?: AbortSignal) => {
    signal?.throwIfAborted();
    const stop = (): void => connection.interrupt();
    signal?.addEventListener('abort', stop);
    try {
      return await connection.runAndReadAll(sql);
    } catch (error) {
      signal?.throwIfAborted();
      throw stopped((error as Error).message);
    } finally {
      signal?.removeEventListener('abort', stop);
    }
  };
  return {
    dialect: duckdbDialect,
    async query(sql, { signal, onProgress } = {}): Promise<SqlTable> {
      const watch = onProgress && setInterval(() => onProgress(connection.progress.percentage / 100), PACE);
      try {
        const reader = await run(sql, signal);
        const names = reader.deduplicatedColumnNames();
        const columns = reader.getColumns();
        const of = (name: string): readonly unknown[] => columns[names.indexOf(name)] ?? [];
        return {
          rows: reader.currentRowCount,
          numbers: name => Float64Array.from(of(name), value => (value === null ? Number.NaN : Number(value))),
          texts: name => of(name).map(value => (value === null ? null : String(value))),
        };
      } finally {
        clearInterval(watch);
      }
    },
    async columnsOf(query) {
      const reader = await run(`DESCRIBE ${query}`);
      return reader.getRows().map(([name, type]) => ({ name: String(name), type: String(type) }));
    },
    close: async () => close(),
  };
}

/** Milliseconds between two looks at how far a query is. */
const PACE = 250;

/** DuckDB's message about a statement is what the user needs, so it is passed on. */
const stopped = (message: string): ArgumentError =>
  new ArgumentError(`DuckDB stopped: ${message}`, 'ERR_FILE', { table: 'DuckDB' });
