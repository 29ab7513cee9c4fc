import { ArgumentError } from '../../errors.ts';
import type { Design, DesignColumn } from '../../source/design/design.ts';
import { rankedLevels } from '../../source/design/design.ts';
import type { Field } from '../../source/table/table.ts';
import type { Dialect } from './dialect.ts';
import { LARGEST_DOUBLE } from './dialect.ts';
import type { SqlSource } from './sqlSession.ts';

/** A column as the double that a fit computes with, NULL where it has none. */
export function numberOf(dialect: Dialect, { name, kind, type }: Field): string {
  const column = dialect.quote(name);
  if (kind === 'time') return dialect.seconds(column, type);
  // Larger whole numbers are not all doubles; rows that have them cannot be used.
  if (kind === 'exact' && !/decimal/i.test(type))
    return `CASE WHEN ${column} >= -9007199254740992 AND ${column} <= 9007199254740992 THEN CAST(${column} AS DOUBLE) END`;
  if (kind === 'boolean') return `CASE WHEN ${column} THEN 1e0 WHEN NOT ${column} THEN 0e0 END`;
  return `CAST(${column} AS DOUBLE)`;
}

export const textOf = (dialect: Dialect, { name, kind }: Pick<Field, 'name' | 'kind'>): string => {
  const column = dialect.quote(name);
  return kind === 'text' ? column : `CAST(${column} AS ${dialect.textType})`;
};

/** A column of a design: a number, whether a row has a level, or for a target which of its two levels. */
export function columnExpression(dialect: Dialect, fields: readonly Field[], column: DesignColumn): string {
  const field = fields[column.field]!;
  const { levels, level, found } = column;
  if (levels === undefined) return numberOf(dialect, field);
  const text = textOf(dialect, field);
  const literal = (value: string): string => dialect.text(value);
  if (level === undefined)
    return `CASE ${levels.map((each, k) => `WHEN ${text} = ${literal(each)} THEN ${k}e0`).join(' ')} END`;
  if (found?.pools && level === levels.length - 1)
    return `CASE WHEN ${text} IN (${rankedLevels(column).map(literal).join(', ')}) THEN 0e0 WHEN ${text} IS NOT NULL THEN 1e0 END`;
  return `CASE WHEN ${text} = ${literal(levels[level]!)} THEN 1e0 WHEN ${text} IS NOT NULL THEN 0e0 END`;
}

/** A row's id as a whole number: the declared column, or the row's number and its file. */
export function idExpression({ session, place, name }: SqlSource, id: string | undefined): string {
  const { dialect } = session;
  if (id !== undefined) return `CAST(${dialect.quote(id)} AS BIGINT)`;
  if (place !== null) {
    const { row, file } = place;
    return file === null ? `CAST(${row} AS BIGINT)` : `(CAST(${row} AS BIGINT) + 4294967296 * ${dialect.digest(file)})`;
  }
  throw new ArgumentError(
    `${dialect.name} does not number the rows of ${name}, and rows are assigned to chunks and blocks by a number of their own; name a column of different whole numbers, such as a key, with \`id\``,
    'ERR_ARGUMENT',
    { argument: 'id' },
  );
}

/** Whether a row's value can be used: not NULL, and a finite number. */
export const isUsable = (expression: string): string => `abs(${expression}) <= ${LARGEST_DOUBLE}`;

/** The expressions of a design's columns. */
export function designExpressions(dialect: Dialect, fields: readonly Field[], design: Design) {
  const of = (column: DesignColumn): string => columnExpression(dialect, fields, column);
  return {
    features: design.features.map(of),
    target: design.target && of(design.target),
    weights: design.weights && of(design.weights),
  };
}
