/** Rows compared with the coefficients that are estimated from them. */

/** sqrt(n/(n - p)): residuals of a fit are smaller than the errors, because p coefficients were fitted to them. */
export function degreesOfFreedomFactor(weights: Float64Array, coefficients: number): number {
  const rows = positiveIn(weights);
  return Math.sqrt(rows / Math.max(1, rows - coefficients));
}

const positiveIn = (weights: Float64Array): number =>
  weights.reduce((count, weight) => (weight > 0 ? count + 1 : count), 0);

export const hasTooFewRows = (weights: Float64Array, coefficients: number): boolean =>
  positiveIn(weights) < LEAST_ROWS_PER_COEFFICIENT * coefficients;

/** Fewer rows are not enough to choose among losses that reject some. */
export const LEAST_ROWS_PER_COEFFICIENT = 10;
