import type { Field } from '../../source/table/table.ts';
import type { Dialect } from './dialect.ts';
import { textOf } from './sqlColumns.ts';
import type { QueryOptions, SqlSource } from './sqlSession.ts';

/** The texts of a column with their rows, the most frequent first. */
export interface TextCounts {
  /** Null if they are more than were asked for. */
  readonly levels: readonly { readonly level: string; readonly rows: number }[] | null;
  /** Rows with a text longer than asked for. */
  readonly long: number;
}

/** The columns of a table, by their kinds. */
export async function fieldsOf({ session, from }: SqlSource): Promise<readonly Field[]> {
  const columns = await session.columnsOf(`SELECT * FROM ${from}`);
  return columns.map(({ name, type }) => Object.freeze({ name, type, kind: session.dialect.kindOf(type), width: 1 }));
}

/** The rows of a table, and how many of them have a value in each of some columns. */
export async function valueCounts(
  { session, from }: SqlSource,
  columns: readonly string[],
  options: QueryOptions,
): Promise<{ readonly rows: number; readonly values: readonly number[] }> {
  const counts = columns.map((name, k) => `, CAST(count(${session.dialect.quote(name)}) AS DOUBLE) AS c${k}`);
  const found = await session.query(`SELECT CAST(count(*) AS DOUBLE) AS n${counts.join('')} FROM ${from}`, options);
  return { rows: found.numbers('n')[0]!, values: columns.map((_, k) => found.numbers(`c${k}`)[0]!) };
}

/** Counts the texts of a column, at most `most` of them, and of `longest` bytes at most. */
export async function textCounts(
  { session, from }: SqlSource,
  field: Field,
  { most, longest, ...options }: { readonly most: number; readonly longest: number } & QueryOptions,
): Promise<TextCounts> {
  const text = textOf(session.dialect, field);
  const short = `CASE WHEN ${session.dialect.bytes(text)} <= ${longest} THEN ${text} END`;
  const found = await session.query(
    `SELECT t, CAST(count(*) AS DOUBLE) AS n FROM (SELECT ${short} AS t FROM ${from} WHERE ${text} IS NOT NULL) c GROUP BY t ORDER BY n DESC, t LIMIT ${most + 2}`,
    options,
  );
  const [texts, rows] = [found.texts('t'), found.numbers('n')];
  const place = texts.indexOf(null);
  const levels = texts.flatMap((level, k) => (level === null ? [] : [{ level, rows: rows[k]! }]));
  return { levels: levels.length > most ? null : levels, long: place < 0 ? 0 : rows[place]! };
}

/** Whether ids are what rows can be assigned by: whole numbers from 0 on, one for every row. */
export async function idCounts(
  { session, from }: SqlSource,
  id: string,
  options: QueryOptions,
): Promise<{ readonly rows: number; readonly ids: number; readonly least: number; readonly different: number }> {
  const found = await session.query(
    `SELECT CAST(count(*) AS DOUBLE) AS n, CAST(count(i) AS DOUBLE) AS ids, CAST(min(i) AS DOUBLE) AS least, CAST(count(DISTINCT i) AS DOUBLE) AS different FROM (SELECT ${id} AS i FROM ${from}) c`,
    options,
  );
  const of = (name: string): number => found.numbers(name)[0]!;
  return { rows: of('n'), ids: of('ids'), least: of('least'), different: of('different') };
}

/** How many rows fulfil each of some conditions, and the largest of some expressions; NaN where there is none. */
export async function conditionCounts(
  { session, from }: SqlSource,
  conditions: readonly string[],
  largest: readonly string[],
  options: QueryOptions,
): Promise<{ readonly counts: readonly number[]; readonly largest: readonly number[] }> {
  if (conditions.length + largest.length === 0) return { counts: [], largest: [] };
  const sums = conditions.map((condition, k) => `sum(CASE WHEN ${condition} THEN 1e0 ELSE 0e0 END) AS c${k}`);
  const tops = largest.map((expression, k) => `max(${expression}) AS m${k}`);
  const found = await session.query(`SELECT ${[...sums, ...tops].join(', ')} FROM ${from}`, options);
  return {
    counts: conditions.map((_, k) => found.numbers(`c${k}`)[0]!),
    largest: largest.map((_, k) => found.numbers(`m${k}`)[0]!),
  };
}

/** The names of a table in a dotted text, those in quotes with their dots. */
export const quotedName = ({ quote }: Dialect, table: string): string =>
  [...table.matchAll(/"((?:[^"]|"")+)"|`((?:[^`]|``)+)`|([^.]+)/g)]
    .map(([, double, back, bare]) => quote(double?.replaceAll('""', '"') ?? back?.replaceAll('``', '`') ?? bare!))
    .join('.');
