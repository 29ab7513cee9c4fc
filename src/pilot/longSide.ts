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

export function isLongSide(residuals: Float64Array, scale: number): boolean {
  let [near, far, around] = [0, 0, 0];
  for (const residual of residuals) {
    const size = Math.abs(residual) / scale;
    if (size <= NEAR) continue;
    const side = Math.sign(residual);
    if (size > FAR) {
      far += side;
    } else {
      near += side;
      around++;
    }
  }
  return near * far > 0 && Math.abs(near) > BY_CHANCE * Math.sqrt(around) && near / far > ON_THE_WAY;
}
