import { ArgumentError, refuse } from '../../errors.ts';
import { requireKnown, text } from '../../options.ts';
import type { SqlRows, SqlSession, SqlSource, SqlTable } from '../sql/sqlSession.ts';
import { quotedName } from '../sql/surveyTable.ts';
import { sparkAddress } from './address.ts';
import { connectClient } from './connectClient.ts';
import { sparkDialect } from './sparkDialect.ts';

/** Rows that Spark reads, or another server that speaks Spark Connect, such as Sail. */
export interface SparkOptions {
  /** `sc://host:15002`; `sc://host:15002/;use_ssl=true` for TLS, which a token to another machine always has. */
  readonly url: string;
  /** A table by its name, such as `db.trips`. */
  readonly table?: string;
  /** Parquet files by their path as the server sees it, such as `s3://bucket/trips`. */
  readonly path?: string;
  /** The token of the server; that of the environment variable SLUICE_ENGINE_TOKEN unless given. */
  readonly token?: string;
  /**
   * A column of different whole numbers, by which rows are assigned to chunks and blocks. Spark numbers the rows of
   * files by itself; other servers need it.
   */
  readonly id?: string;
}

/** Larger methods are not compiled unless this is raised, and a round has some: measured as three times faster. */
const SETTINGS = ['SET spark.sql.session.timeZone=UTC', 'SET spark.sql.codegen.hugeMethodLimit=8000'];

/**
 * Rows that stay in a Spark cluster: this process sends a query for each round, and gets block sums.
 *
 * @example
 * const rows = onSpark({ url: 'sc://cluster:15002', table: 'db.trips', id: 'trip' });
 * rows.id; // 'trip'
 */
export function onSpark(options: SparkOptions): SqlRows {
  requireKnown(options, { id: text, path: text, table: text, token: text, url: text });
  const { url, table, path, id, token = process.env.SLUICE_ENGINE_TOKEN || undefined } = options;
  if ((table === undefined) === (path === undefined))
    refuse('onSpark', 'be given either `table` or `path`', table === undefined ? 'neither' : 'both');
  const address = sparkAddress(url, token !== undefined);
  return Object.freeze({
    engine: { name: 'spark', url, table, path, id },
    id,
    connect: async (): Promise<SqlSource> => {
      const client = await connectClient(address, token, async execute => {
        for (const setting of SETTINGS) await execute(setting).catch(unlessUnknown);
      });
      try {
        const session = await sessionOf(client);
        const from = table !== undefined ? quotedName(sparkDialect, table) : `parquet.${sparkDialect.quote(path!)}`;
        const place = id === undefined ? await placeOf(session, from) : null;
        return { session, name: table ?? path!, from: `${from} s`, place, isWhole: true, fallible: [] };
      } catch (error) {
        await client.close();
        throw error;
      }
    },
  });
}

/** A setting that a server does not know does not matter to it. */
const unlessUnknown = (error: unknown): void => {
  if (!(error instanceof ArgumentError) || !/answered:/.test(error.message)) throw error;
};

/** The row's number and its file, where the server has them. */
async function placeOf(session: SqlSession, from: string): Promise<SqlSource['place']> {
  try {
    await session.columnsOf(`SELECT _metadata.row_index AS r, _metadata.file_name AS f FROM ${from}`);
    return { row: '_metadata.row_index', file: '_metadata.file_name' };
  } catch (error) {
    unlessUnknown(error);
    return null;
  }
}

async function sessionOf(client: Awaited<ReturnType<typeof connectClient>>): Promise<SqlSession> {
  const { tableFromIPC } = await import('apache-arrow');
  const read = (parts: readonly Uint8Array[]) => parts.map(part => tableFromIPC(part));
  return {
    dialect: sparkDialect,
    async query(sql, options = {}): Promise<SqlTable> {
      const tables = read(await client.execute(sql, options)).filter(({ numRows }) => numRows > 0);
      const each = function* (name: string): Generator<unknown> {
        for (const table of tables) yield* table.getChild(name) ?? [];
      };
      const rows = tables.reduce((sum, { numRows }) => sum + numRows, 0);
      return {
        rows,
        numbers: name => {
          const values = new Float64Array(rows);
          let place = 0;
          for (const value of each(name)) values[place++] = value === null ? Number.NaN : Number(value);
          return values;
        },
        texts: name => [...each(name)].map(value => (value === null ? null : String(value))),
      };
    },
    async columnsOf(query) {
      const [table] = read(await client.execute(`SELECT * FROM (${query}) c LIMIT 0`));
      return (table?.schema.fields ?? []).map(({ name, type }) => ({ name, type: String(type) }));
    },
    close: client.close,
  };
}
