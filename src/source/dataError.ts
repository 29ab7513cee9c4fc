import { ArgumentError } from '../math/check.ts';

/** Thrown for data that cannot be used as requested: names the file and, if known, the column and row. */
export class DataError extends ArgumentError {}

export interface Place {
  readonly table: string;
  readonly column?: string;
  /** Counted from 0 within the table. */
  readonly row?: number;
}

export function dataError({ table, column, row }: Place, problem: string, remedy?: string): DataError {
  const where = [
    table,
    column && `column ${JSON.stringify(column)}`,
    row !== undefined && `row ${row}, counted from 0`,
  ];
  return new DataError(`${where.filter(Boolean).join(', ')}: ${problem}${remedy ? `; ${remedy}` : ''}`);
}
