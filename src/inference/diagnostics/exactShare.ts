/**
 * The share of rows that a fit goes through but for rounding. Where it is 1 the target is a function of the features,
 * as a total is of its parts, and residuals are not noise: their scale, skew and correlation mean nothing.
 *
 *   |r_i| <= 1e-12 s + 1e-14 |y_i|,   s -> the scale of the targets
 */
import { meanOf } from '../../math/median.ts';
import { targetScale } from '../pilot/residualScales.ts';

/** By weight. */
export function exactShare(target: Float64Array, residuals: Float64Array, weights?: Float64Array): number {
  const { scale } = targetScale(target, weights);
  return meanOf(
    residuals.map((r, i) => (Math.abs(r) <= ROUNDING * scale + LAST_PLACES * Math.abs(target[i]!) ? 1 : 0)),
    weights,
  );
}

const ROUNDING = 1e-12;
const LAST_PLACES = 1e-14;
