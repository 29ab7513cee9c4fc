/**
 * Whether rows far from a fit are the long side of one law, as of amounts and durations, and not rows of another: then
 * rows lie all along the way to them, and beyond what the short side has there are
 *
 *   near -> between NEAR and FAR scales,   far -> beyond FAR
 *
 * of them. Of exponential noise near/far is 3, of log-normal noise 0.6 to 1.7; of outliers, which leave a gap or are
 * strewn far and wide, less than 0.2.
 */
const NEAR = 2;
const FAR = 4;
const ON_THE_WAY = 1 / 3;

/** In standard errors, of rows on the one side less those on the other. */
const BY_CHANCE = 3;

/** `weights` say how often rows count. */
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
  // Rows beyond may be few, or none, and one or two on the other side are no law of their own.
  const farAlong = Math.sign(near) * far;
  return (
    Math.abs(near) > BY_CHANCE * Math.sqrt(nearSquares) &&
    Math.abs(near) > ON_THE_WAY * farAlong &&
    farAlong >= -BY_CHANCE * Math.sqrt(farSquares)
  );
}
