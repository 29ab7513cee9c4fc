import { toDigits } from '../../math/toDigits.ts';

export const rowsIn = (rows: number): string => `${rows} ${rows === 1 ? 'row' : 'rows'}`;

export const nameOf = (column: number, names: readonly string[]): string => names[column] ?? String(column);

export const digits = (value: number): string => toDigits(value, 3);

/** What draws coefficients draws their intervals along. */
export const ABOUT_PENALISED =
  'the intervals are about the penalised coefficients, and need not hold the ones without a penalty';
