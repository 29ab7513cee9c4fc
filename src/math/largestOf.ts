/** For arrays of any length: Math.max(...values) overflows the stack at about a hundred thousand arguments. */
export const largestOf = (values: readonly number[]): number =>
  values.reduce((most, value) => Math.max(most, value), -Infinity);
