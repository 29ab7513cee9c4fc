/** Of any number of values: as arguments of Math.max, a hundred thousand are more than the stack holds. */
export const largestOf = (values: readonly number[]): number =>
  values.reduce((most, value) => Math.max(most, value), -Infinity);
