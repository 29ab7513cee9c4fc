import { meanOf } from '../../../math/median.ts';
import type { PilotedRun } from '../../fittedRun.ts';
import { targetScale } from '../../pilot/robust/residualScales.ts';
import type { Tell } from '../notes.ts';

/**
 * The share of rows, by weight, that a fit goes through but for rounding. Where it is 1 the target is a function of the features,
 * as a total is of its parts, and residuals are not noise: their scale, skew and correlation mean nothing.
 *
 *   |r_i| <= 1e-12 s + 1e-14 |y_i|,   s -> the scale of the targets
 */
export function exactShare(target: Float64Array, residuals: Float64Array, weights?: Float64Array): number {
  const { scale } = targetScale(target, weights);
  return meanOf(
    residuals.map((r, i) => (Math.abs(r) <= ROUNDING * scale + LAST_PLACES * Math.abs(target[i]!) ? 1 : 0)),
    weights,
  );
}

const ROUNDING = 1e-12;
const LAST_PLACES = 1e-14;

/** Whether the fit matches almost all rows up to rounding. */
export const isExact = ({ pilot }: PilotedRun): boolean => pilot.residuals.exactShare >= NEARLY_ALL;

const NEARLY_ALL = 0.99;

/** Rows without noise do not show how large it is. */
export const exactNotes: Tell = found => {
  const { pilot, uncertainty, fit } = found;
  // A fit with no more rows than coefficients has a note of its own.
  if (pilot.rows.positiveWeight <= fit.theta.length) return null;
  // So has a target that no feature is needed for.
  if (pilot.targets.constant !== null) return null;
  if (!isExact(found) && !hasSureSlopes(found)) return null;
  const intervals = uncertainty === null ? '' : ', and intervals reflect rounding only';
  return `the fit matches ${pilot.residuals.exactShare === 1 ? 'all' : 'most'} rows up to rounding: the target is computed from the features${intervals}. To explain it by other features, remove those it is computed from`;
};

/** Whether slopes are known up to rounding, as where outliers are beside many exact rows. */
function hasSureSlopes({ uncertainty, fit, plan }: PilotedRun): boolean {
  if (uncertainty === null || plan.loss.targets.least > -Infinity) return false;
  // Slopes only: with targets far from 0 the intercept always looks precise. A slope of 0 is rounding error.
  const slopes = uncertainty.errors.subarray(0, plan.features);
  const isSure = (error: number, j: number): boolean => fit.theta[j] !== 0 && error <= SURE * Math.abs(fit.theta[j]!);
  const isNone = (error: number, j: number): boolean => Math.abs(fit.theta[j]!) <= 1e4 * error;
  return slopes.every((error, j) => isSure(error, j) || isNone(error, j)) && slopes.some(isSure);
}

const SURE = 1e-12;
