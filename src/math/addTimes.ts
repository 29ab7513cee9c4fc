/**
 * Adds factor * (value - centre) to every sum, in place. A separate function, so that it is compiled once for all
 * columns.
 */
export function addTimes(sums: Float64Array, values: Float64Array, factor: number, centre = 0): void {
  if (factor !== 0) for (let i = 0; i < sums.length; i++) sums[i]! += factor * (values[i]! - centre);
}
