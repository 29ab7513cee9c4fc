/**
 * Overlapping blocks of a few neighbouring rows, one beginning at every row. They detect correlation over the next few
 * rows only, for which disjoint blocks have too few pairs where rows are few.
 *
 *   sum over blocks of m rows of (S^2 - Q) / (m - 1) = 2 sum over k < m of w_k T_k,   T_k = sum of s_i s_(i+k),   w_k = (m - k)/(m - 1)
 *
 * Given |s| and independent signs, its variance is 4 sum of w_k^2 s_i^2 s_(i+k)^2, and its third moment that of all
 * triples i < j < l within a block, 48 sum of w w w s_i^2 s_j^2 s_l^2. With m = 2 there are no such triples, and the
 * products are as independent as the signs are: tails are no heavier than normal ones, however few rows have most of
 * the sum.
 */
export interface SlidingSum {
  /** Sum of (S^2 - Q) in units of m - 1. */
  readonly above: number;
  /** Of that sum, for independent rows; at least its average over all orders of the rows, as for other blocks. */
  readonly variance: number;
  /** Third moment in units of the variance; never below 0. It is slow, and computed for the few large sums only. */
  skewness(): number;
}

/** For blocks of each width; `pairs` is the sum of s_i^2 s_j^2 over all i and j but i = j. */
export function slidingSums(
  values: Float64Array,
  squares: Float64Array,
  pairs: number,
  widths: readonly number[],
): readonly SlidingSum[] {
  const rows = values.length;
  const lags = Math.max(...widths) - 1;
  const products = Float64Array.from({ length: lags }, (_, k) => productOf(values, k + 1));
  const ofSquares = Float64Array.from({ length: lags }, (_, k) => productOf(squares, k + 1));
  return widths.map(width => {
    const weightOf = (lag: number): number => (width - lag) / (width - 1);
    let [above, own, usual] = [0, 0, 0];
    for (let lag = 1; lag < width; lag++) {
      above += 2 * weightOf(lag) * products[lag - 1]!;
      own += 4 * weightOf(lag) ** 2 * ofSquares[lag - 1]!;
      usual += 4 * weightOf(lag) ** 2 * (rows - lag) * (pairs / (rows * (rows - 1)));
    }
    const variance = Math.max(own, usual);
    return { above, variance, skewness: () => triplesOf(squares, width, weightOf) / variance ** 1.5 };
  });
}

function triplesOf(squares: Float64Array, width: number, weightOf: (lag: number) => number): number {
  let sum = 0;
  for (let near = 1; near < width; near++)
    for (let far = near + 1; far < width; far++)
      sum += weightOf(near) * weightOf(far - near) * weightOf(far) * tripleOf(squares, near, far);
  return 48 * sum;
}

// Functions of their own, so that they are compiled once for all columns.

function productOf(values: Float64Array, lag: number): number {
  let sum = 0;
  for (let i = lag; i < values.length; i++) sum += values[i - lag]! * values[i]!;
  return sum;
}

function tripleOf(values: Float64Array, near: number, far: number): number {
  let sum = 0;
  for (let i = far; i < values.length; i++) sum += values[i - far]! * values[i - far + near]! * values[i]!;
  return sum;
}
