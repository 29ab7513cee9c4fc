import { form } from '../../../math/coordinates.ts';
import type { RankFactor } from '../../../math/rankFactor.ts';
import { dot, product, times, unitAlong, type Vector } from '../../../math/vector.ts';
import { squared } from '../../../method/loss/squared.ts';
import type { PilotedRun } from '../../fittedRun.ts';
import type { FittedStudy } from '../../pilot/fittedStudy.ts';
import { curvatureFactor, solveBy } from '../../pilot/risk/curvatureFactor.ts';
import { weightedRisk } from '../../pilot/risk/weightedRisk.ts';
import { tellingRows } from '../../pilot/standardized.ts';
import { quoted, type Tell } from '../notes.ts';
import { LEAST_SHIFT } from './outliers.ts';

/**
 * Hausman's test (Econometrica 1978) of whether the conditional mean has other slopes than a robust fit. A robust fit
 * follows the bulk of the rows: its slopes are those of the mean if noise is symmetric, or has the same distribution in
 * all rows. Where a few rows respond to a feature and most do not, or skewed noise grows, they are not, though no row
 * is an outlier. Over the rows within reach, least squares is one Newton step away,
 *
 *   t_1 = t + H_1^-1 g_1,   g_1 = mean of w r x,   H_1 = mean of w x x'
 *
 * and if both estimate the same, t_1 - t has mean 0 and the variance of
 *
 *   d = H_1^-1 w r x - H_0^-1 psi x
 *
 *   r -> residuals, psi -> influence of rows on the gradient of the loss, H_0 -> its curvature
 *
 * Skewed noise that grows with the prediction, as that of amounts does, changes all slopes of the mean by about the
 * same factor 1 + k, k = t'H_1(t_1 - t) / t'H_1 t over slopes only. That is one number, with less sampling noise than
 * the largest of many slopes.
 *
 * Rows with residuals beyond reach do not count. The result is the estimate of least squares and the feature whose slope
 * differs most, in standard errors; null where slopes differ by no more than chance, and beside a penalty.
 */
export function leastSquaresContrast({ study: given, standardized, estimate, t }: FittedStudy, reach: number) {
  const { intercept, penalties } = given;
  if (penalties.some(penalty => penalty !== 0)) return null;
  const { loss } = estimate.loss;
  const { batch, weights: counts } = tellingRows(given);
  const { rows, target } = batch;
  const own = weightedRisk(batch, { intercept, weights: counts });
  const residuals = own.residuals(t, new Float64Array(rows));
  const near = counts.map((weight, i) => (Math.abs(residuals[i]!) <= reach ? weight : 0));
  const means = weightedRisk(batch, { intercept, weights: near });
  const momentsBy = (a: Float64Array, b: Float64Array): Float64Array =>
    weightedRisk(batch, { intercept, weights: product(a, b) }).derivatives(squared(), t).curvature;
  const [atMean, atOwn] = [means.derivatives(squared(), t), own.derivatives(loss, t)];
  const [meanFactor, ownFactor] = [atMean, atOwn].map(({ curvature }) =>
    curvatureFactor(curvature, t.length, intercept),
  ) as [RankFactor, RankFactor];
  if (meanFactor.kept.length !== ownFactor.kept.length) return null;
  const back = solveBy(ownFactor, atOwn.gradient);
  const moved = solveBy(meanFactor, atMean.gradient).map((value, j) => back[j]! - value);

  const pulls = product(near, residuals);
  const bounded = residuals.map((r, i) => -counts[i]! * loss.slope(target[i]! - r, target[i]!));
  const [ofMean, mixed, ofOwn] = [momentsBy(pulls, pulls), momentsBy(pulls, bounded), momentsBy(bounded, bounded)];
  /** |t_1 - t| along a direction, in standard errors. */
  const sizeAlong = (direction: Vector): number => {
    const [a, b] = [solveBy(meanFactor, direction), solveBy(ownFactor, direction)];
    const variance = form(a, ofMean, a) - 2 * form(a, mixed, b) + form(b, ofOwn, b);
    return variance > 0 ? Math.abs(dot(direction, moved)) / Math.sqrt(variance / rows) : 0;
  };
  const sizes = batch.columns.map((_, j) => sizeAlong(unitAlong(j, t.length)));
  const most = sizes.indexOf(Math.max(...sizes));
  const shared = sharedDirection(atMean.curvature, t, batch.columns.length);
  const isSignificant = sizes[most]! > BY_CHANCE || sizeAlong(shared) > SHARED;
  return isSignificant ? { theta: standardized.toTheta(t.map((value, j) => value + moved[j]!)), most } : null;
}

/** H_1 t over slopes only: without the intercept, which outliers on one side move, and what goes with it. */
function sharedDirection(curvature: Float64Array, t: Vector, slopes: number): Vector {
  const size = t.length;
  const along = times(
    curvature,
    t.map((value, j) => (j < slopes ? value : 0)),
  );
  if (slopes === size) return along;
  const factor = along[slopes]! / curvature[slopes * size + slopes]!;
  return along.map((value, j) => (j < slopes ? value - factor * curvature[j * size + slopes]! : 0));
}

/** In standard errors: chance takes one of a hundred slopes beyond it in fewer than one sample of a hundred. */
const BY_CHANCE = 4;

/** For k: chance takes it beyond in one sample of a thousand. */
const SHARED = 3.3;

/**
 * Whether the mean of the target has other slopes by more than the intervals allow. Codes for missing values and censored
 * targets change least squares too, and are told of as what they are.
 */
function hasOtherSlopes({ fit, uncertainty, pilot }: PilotedRun): boolean {
  const { residuals, columns, targets } = pilot;
  const { leastSquaresContrast } = residuals;
  const isExplained = columns.missingCodes.length > 0 || targets.censoringBounds.length > 0;
  if (leastSquaresContrast === null || isExplained) return false;
  const { theta, most } = leastSquaresContrast;
  return uncertainty === null || Math.abs(theta[most]! - fit.theta[most]!) > LEAST_SHIFT * uncertainty.errors[most]!;
}

/**
 * The intercept of a robust fit is that of the mean only where noise is symmetric. Its slopes are also where noise has
 * the same distribution in all rows.
 */
export const meanNotes: Tell = (found, { names }) => {
  const { pilot } = found;
  const { skew, meanResidual, uncodedOutlierShare, leastSquaresContrast } = pilot.residuals;
  const hasOther = hasOtherSlopes(found);
  if (skew === 0 && !hasOther) return null;
  const slope = hasOther ? `, most for ${quoted(leastSquaresContrast!.most, names)}` : '';
  const genuine = uncodedOutlierShare > 0 ? ' if large residuals are genuine' : '';
  const first = pilot.columns.missingCodes.length > 0 ? 'remove rows with codes, then ' : '';
  const advice = `${first}use \`loss: 'squared'\` for means${genuine}${alternative(pilot.targets, skew)}`;
  const others = 'the mean of the target has other slopes than typical rows';
  if (skew === 0) return `${others}${slope}; ${advice}`;
  const [direction, side] = skew > 0 ? ['upward', 'below'] : ['downward', 'above'];
  // Rows far off on the other side may outweigh the skew of the others.
  const averages =
    Math.sign(meanResidual) === Math.sign(skew) ? `, and predictions are on average ${side} the targets` : '';
  return `errors are skewed ${direction}: the fit describes typical rows${averages}${hasOther ? `; ${others}${slope}` : ''}; ${advice}`;
};

/** Another fit that suits the targets. */
function alternative({ areCounts, arePositive }: PilotedRun['pilot']['targets'], skew: number): string {
  if (areCounts) return ", or `loss: 'poisson'` for counts";
  return skew > 0 && arePositive ? ', or fit the logarithm of the target' : '';
}
