/** Rows beside the coefficients that are made of them. */

/** Residuals of a fit are smaller than errors, by the root of the share of rows that its coefficients do not use up. */
export function freedomFactor(weights: Float64Array, coefficients: number): number {
  const rows = countingIn(weights);
  return Math.sqrt(rows / Math.max(1, rows - coefficients));
}

const countingIn = (weights: Float64Array): number =>
  weights.reduce((count, weight) => (weight > 0 ? count + 1 : count), 0);

export const isShortOf = (weights: Float64Array, coefficients: number): boolean =>
  countingIn(weights) < ENOUGH_A_COEFFICIENT * coefficients;

/** Rows, for a choice among losses that leave some out. */
export const ENOUGH_A_COEFFICIENT = 10;
