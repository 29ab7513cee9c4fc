/** Small helps for printing. */

/** Six significant digits, no more. */
export const significant = (value: number): string => Number(value.toPrecision(6)).toString();

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
