/** Adds `factor` times a column. A function of its own, so that it is compiled once for all columns. */
export function addColumn(sums: Float64Array, factor: number, column: Float64Array): void {
  for (let i = 0; i < sums.length; i++) sums[i]! += factor * column[i]!;
}
