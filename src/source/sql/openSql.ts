import type { DuckDBConnection, DuckDBDataChunk } from '@duckdb/node-api';
import { ArgumentError, dataError, refuse } from '../../errors.ts';
import { peer } from '../../peers.ts';
import type { TableSource } from '../memory/rowSource.ts';
import { timeType } from '../table/numberType.ts';
import { rankTexts } from '../table/rankBytes.ts';
import type { DiscoverRequest, Field, FieldKind, FillRequest, Frame, LevelRequest, Table } from '../table/table.ts';
import { confine, QUERY, rejected, requireReading } from './confined.ts';

/** What the query is called in the statements that read it. */
const VIEW = 'rows_of_the_query';

/** The result of a query as rows for any call that takes some; it is asked when the rows are opened. */
export function fromSql(sql: string): TableSource {
  if (typeof sql !== 'string') refuse('sql', 'be the text of a query', sql);
  return { openTables: async () => [await openSql(sql)] };
}

/**
 * The result of a query as a table, through embedded DuckDB (an optional package). It is read through a view, so that
 * every number leaves DuckDB as a double and every time as seconds since 1970, apart from what doubles would round:
 * whole numbers of 64 bits and more, long decimals, and nanoseconds.
 *
 * The rows that a query gives. It is one statement that only reads, of the files that it names in full or by a pattern:
 * `'sales.parquet'`, `read_csv('2024-*.csv')`. Nothing is written, no extension is loaded, and there is no network.
 */
export async function openSql(sql: string): Promise<Table> {
  const duckdb = await peer('@duckdb/node-api', '`fromSql`');
  const connection = await duckdb.DuckDBConnection.create(await duckdb.DuckDBInstance.create(':memory:'));
  try {
    await confine(connection, sql);
    await requireReading(connection, sql);
    await ask(connection, `CREATE TEMP VIEW ${VIEW} AS ${sql}`);
    const described = await ask(connection, `DESCRIBE ${VIEW}`);
    const fields = described.map(([name, type]) => fieldOf(String(name), String(type)));
    const [[count] = [0]] = await ask(connection, `SELECT count(*) FROM ${VIEW}`);
    return table(connection, fields, Number(count));
  } catch (error) {
    connection.closeSync();
    throw error;
  }
}

async function ask(connection: DuckDBConnection, sql: string): Promise<unknown[][]> {
  try {
    return await (await connection.run(sql)).getRows();
  } catch (error) {
    throw rejected((error as Error).message);
  }
}

function fieldOf(name: string, type: string): Field {
  return Object.freeze({ name, type, kind: kindOf(type), width: 1 });
}

function kindOf(type: string): FieldKind {
  if (/^(FLOAT|DOUBLE)$/.test(type)) return 'float';
  if (/^U?(TINYINT|SMALLINT|INTEGER)$/.test(type)) return 'integer';
  if (/^(U?BIGINT|U?HUGEINT|DECIMAL.*)$/.test(type)) return 'exact';
  if (type === 'BOOLEAN') return 'boolean';
  if (/^(DATE|TIMESTAMP.*)$/.test(type)) return 'time';
  return /^(VARCHAR|ENUM.*|UUID)$/.test(type) ? 'text' : 'unsupported';
}

/** The SQL that returns a column as a double, or as text. */
function expression({ name, kind, type }: Field): string {
  const column = `"${name.replaceAll('"', '""')}"`;
  if (kind === 'text') return `CAST(${column} AS VARCHAR)`;
  if (kind === 'time')
    return type === FINE ? `epoch_ns(${column})` : `CAST(epoch_us(${column}::TIMESTAMP) AS DOUBLE) / 1e6`;
  if (kind !== 'exact') return `CAST(${column} AS DOUBLE)`;
  const [, digits] = /^DECIMAL\((\d+),\d+\)$/.exec(type) ?? [];
  if (digits === undefined) return column;
  // DuckDB rounds twice where the digits are more than a double holds; their text is rounded once.
  return `CAST(${column} AS ${Number(digits) > EXACT_DIGITS ? 'VARCHAR' : 'DOUBLE'})`;
}

/** The type of times in nanoseconds. */
const FINE = 'TIMESTAMP_NS';

/** Whole numbers of that many digits are below 2^53. */
const EXACT_DIGITS = 15;

/** The double nearest to a value that a query gives, or what rounding has changed. */
function numberOf(value: unknown, { type }: Field, rest: boolean): number {
  if (typeof value !== 'bigint') return rest ? 0 : Number(value);
  if (type !== FINE) return rest ? Number(value - BigInt(Number(value))) : Number(value);
  const nanoseconds = timeType(8, { perSecond: 1e9 });
  const out = new Float64Array(1);
  (rest ? nanoseconds.rest! : nanoseconds.widen)(new Uint8Array(BigInt64Array.of(value).buffer), out);
  return out[0]!;
}

function table(connection: DuckDBConnection, fields: readonly Field[], rows: number): Table {
  return Object.freeze({
    name: QUERY,
    format: 'sql' as const,
    fields,
    rows,
    async *frames(wanted: readonly number[]) {
      const chosen = wanted.map(index => expression(fields[index]!));
      const sql = `SELECT ${chosen.length === 0 ? '0' : chosen.join(', ')} FROM ${VIEW}`;
      try {
        for await (const chunk of await connection.stream(sql)) yield frameOf(chunk, wanted, fields);
      } catch (error) {
        if (error instanceof ArgumentError) throw error;
        throw dataError({ table: QUERY }, `DuckDB stopped: ${(error as Error).message}`);
      }
    },
    close: async () => connection.closeSync(),
  });
}

function frameOf(chunk: DuckDBDataChunk, wanted: readonly number[], fields: readonly Field[]): Frame {
  const each = ({ field, start, count, out, missing }: FillRequest, convert: (value: unknown) => number): number => {
    const column = chunk.getColumnVector(wanted.indexOf(field));
    let holes = 0;
    for (let i = 0; i < count; i++) {
      const value = column.getItem(start + i);
      if (value === null) {
        missing[i] = 1;
        out[i] = 0;
        holes++;
      } else out[i] = convert(value);
    }
    return holes;
  };
  const fillLevels = (request: LevelRequest | DiscoverRequest): number => {
    const rankOf = rankTexts(request);
    return each(request, value => rankOf(String(value)));
  };
  return {
    rows: chunk.rowCount,
    fill: request => {
      const { field, rest = false } = request;
      return each(request, value => numberOf(value, fields[field]!, rest));
    },
    fillLevels,
    discoverLevels: fillLevels,
  };
}
