/**
 * Whether rows with large residuals are the long tail of skewed noise, as of amounts and durations, and not outliers. A
 * tail is continuous. Of the rows on the long side, less those on the short one, there are
 *
 *   near -> between NEAR and FAR scales,   far -> beyond FAR
 *
 * near/far is 3 for exponential noise and 0.6 to 1.7 for log-normal noise; for outliers, which leave a gap or are
 * spread widely, it is less than 0.2.
 */
const NEAR = 2;
const FAR = 4;
const ON_THE_WAY = 1 / 3;

/** In standard errors of the difference between the two sides. */
const BY_CHANCE = 3;

/** `weights` are case weights. */
export function isLongTail(residuals: Float64Array, scale: number, weights: Float64Array): boolean {
  let [near, nearSquares, far, farSquares] = [0, 0, 0, 0];
  residuals.forEach((residual, i) => {
    const size = Math.abs(residual) / scale;
    if (size <= NEAR) return;
    const pull = Math.sign(residual) * weights[i]!;
    if (size > FAR) {
      far += pull;
      farSquares += pull ** 2;
    } else {
      near += pull;
      nearSquares += pull ** 2;
    }
  });
  // There may be few rows beyond, or none, and one or two on the other side do not matter.
  const farAlong = Math.sign(near) * far;
  return (
    Math.abs(near) > BY_CHANCE * Math.sqrt(nearSquares) &&
    Math.abs(near) > ON_THE_WAY * farAlong &&
    farAlong >= -BY_CHANCE * Math.sqrt(farSquares)
  );
}
