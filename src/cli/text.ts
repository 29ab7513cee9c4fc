/** Small helps for printing. */
import type { Condition } from '../index.ts';

/** Six significant digits, no more. */
export const significant = (value: number): string => Number(value.toPrecision(6)).toString();

/** 1 row, 2 rows. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Rows of cells in aligned columns, indented. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = rows.reduce<number[]>((widest, row) => {
    row.forEach((cell, k) => {
      widest[k] = Math.max(widest[k] ?? 0, cell.length);
    });
    return widest;
  }, []);
  return rows
    .map(
      row =>
        `  ${row
          .map((cell, k) => cell.padEnd(widths[k]!))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

/** A theorem's conditions with the numbers that decided them, a line each. */
export const conditionLines = (conditions: readonly Condition[]): string =>
  table(
    conditions.map(({ met, statement, numbers, kind }) => [
      met ? 'met' : 'NOT MET',
      statement,
      Object.entries(numbers)
        .map(([name, value]) => `${name} = ${significant(value)}`)
        .join(', '),
      met || kind === 'required' ? '' : 'voids only the claimed rate',
    ]),
  );
