/** Rows beside the coefficients that are made of them. */

/** Residuals of a fit are smaller than errors, by the root of the share of rows that its coefficients do not use up. */
export function degreesOfFreedomFactor(weights: Float64Array, coefficients: number): number {
  const rows = positiveIn(weights);
  return Math.sqrt(rows / Math.max(1, rows - coefficients));
}

const positiveIn = (weights: Float64Array): number =>
  weights.reduce((count, weight) => (weight > 0 ? count + 1 : count), 0);

export const hasTooFewRows = (weights: Float64Array, coefficients: number): boolean =>
  positiveIn(weights) < LEAST_ROWS_PER_COEFFICIENT * coefficients;

/** Rows, for a choice among losses that leave some out. */
export const LEAST_ROWS_PER_COEFFICIENT = 10;
