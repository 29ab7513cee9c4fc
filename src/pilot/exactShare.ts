/**
 * How many rows a fit goes through but for rounding. Where all do, the target is made of the features, as a total is of
 * its parts, and residuals are no noise: their scale, skew and neighbours say nothing.
 *
 *   |r_i| <= 1e-12 s + 1e-14 |y_i|,   s -> how far targets are from each other
 */
import { meanOf } from '../math/meanOf.ts';
import { targetScale } from './targetScale.ts';

/** Of all rows, as often as they count; alike unless weights say otherwise. */
export function exactShare(target: Float64Array, residuals: Float64Array, weights?: Float64Array): number {
  const { scale } = targetScale(target, weights);
  return meanOf(
    residuals.map((r, i) => (Math.abs(r) <= ROUNDING * scale + LAST_PLACES * Math.abs(target[i]!) ? 1 : 0)),
    weights,
  );
}

const ROUNDING = 1e-12;
const LAST_PLACES = 1e-14;
