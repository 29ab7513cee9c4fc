/**
 * Whether the rows that a redescending loss rejects are outliers, or the tail of one distribution.
 *
 * Huber's loss rejects no row and bounds the influence of each residual. Its estimate is unique, and changes little with
 * the sample. A redescending loss is better where some rows follow a law of their own. Elsewhere it is worse: with noise
 * that is skewed or unequal, or a relation that is curved, it has several minima, and describes whichever part of the
 * rows it starts from. So rows are rejected only where two conditions hold.
 *
 * 1. The estimates differ by more than chance for the other rows, those with |r| <= 4 s:
 *
 *      sum of (x . (t_H - t))^2 / s^2 > p + 3 sqrt(2 p),   t_H -> Huber's estimate, t -> the redescending one
 *
 *    or a score test says so (shiftsEstimate.ts). The sum leaves out the 5 % of the rows with the largest terms: a small
 *    group of noisy rows with a coefficient of its own is rejected in good part, but is no outlier to the others.
 * 2. There is a gap. At the redescending estimate, every row pulls Huber's by psi(r) x, here in whitened coordinates.
 *    Rows on the way to the far ones must not pull the same way:
 *
 *      sum over near rows of p_i + k se < (0.3 - 0.2 k) |far|^2,   p_i = psi(r_i) x_i . far,   se^2 = sum of p_i^2
 *
 *      far -> the sum of psi(r) x over rows with |r| > 4 s, near rows -> those with 2 s < |r| <= 4 s,
 *      k -> the share of far rows in units of 5 %, at most 1
 *
 *    The more rows would be rejected, the clearer the gap must be. The near row that pulls most is left out of the sums:
 *    one row of a high-leverage cluster may lie close to the fit by chance. For outliers the ratio of the sum to |far|^2
 *    is about 0, for exponential noise 3, for log-normal noise 0.6 to 1.7.
 */

import { lossByName } from '../loss/lossByName.ts';
import { HUBER_TUNING } from '../loss/tunings.ts';
import { dot, subtract, type Vector } from '../math/vector.ts';
import type { SampleBatch } from '../sample/sampleBatch.ts';
import type { TunedEstimate, Tuning } from './chooseTuning.ts';
import type { LeverageOptions } from './highLeverageAgrees.ts';
import { shiftsEstimate } from './shiftsEstimate.ts';
import { weightedRisk } from './weightedRisk.ts';

/** Pseudo-Huber's loss at the usual 1.345 scales, with full weight for every row. */
export const huberTuning = (scale: number): Tuning => ({
  loss: lossByName('pseudo-huber', { parameter: HUBER_TUNING * scale }),
  isWeighted: false,
});

/** `scale` is that of the residuals at the redescending estimate `robust`. */
export interface OutlierOptions extends LeverageOptions {
  readonly robust: TunedEstimate;
  readonly huber: TunedEstimate;
  readonly scale: number;
}

export const areOutliers = (batch: SampleBatch, options: OutlierOptions): boolean =>
  hasGap(batch, options) && differ(batch, options);

function differ(batch: SampleBatch, { robust, huber, scale, ...options }: OutlierOptions): boolean {
  const { weights, intercept } = options;
  const residuals = residualsAt(batch, robust.t, options);
  const moved = scoresOf(batch, subtract(huber.t, robust.t), intercept);
  const terms = moved
    .map((value, i) => (Math.abs(residuals[i]!) > FAR * scale ? 0 : weights[i]! * (value / scale) ** 2))
    .sort();
  const kept = terms.subarray(0, Math.ceil((1 - TRIMMED) * terms.length));
  const rank = options.leverage.factor.kept.length;
  return (
    kept.reduce((sum, term) => sum + term, 0) > rank + BY_CHANCE * Math.sqrt(2 * rank) ||
    shiftsEstimate(batch, { chosen: robust.tuning, other: huberTuning(scale) }, { ...options, t: robust.t })
  );
}

/** In standard deviations of chi-square. */
const BY_CHANCE = 3;
const TRIMMED = 0.05;

function hasGap(batch: SampleBatch, { robust: { t }, scale, ...options }: OutlierOptions): boolean {
  const { intercept, weights, leverage } = options;
  const { loss } = huberTuning(scale).loss;
  const residuals = residualsAt(batch, t, options);
  const isFar = (i: number): boolean => Math.abs(residuals[i]!) > FAR * scale;
  const farWeights = weights.map((weight, i) => (isFar(i) ? weight : 0));
  const far = leverage.factor.solveFactor(
    weightedRisk(batch, { intercept, weights: farWeights }).derivatives(loss, t).gradient,
  );
  const along = scoresOf(batch, leverage.factor.solveTransposed(far), intercept);
  let [count, sum, squares, largest] = [0, 0, 0, 0];
  for (let i = 0; i < batch.rows; i++) {
    if (isFar(i)) count++;
    else if (Math.abs(residuals[i]!) > NEAR * scale) {
      const pull = (weights[i]! * loss.slope(-residuals[i]!, 0) * along[i]!) / batch.rows;
      sum += pull;
      squares += pull ** 2;
      largest = Math.max(largest, pull);
    }
  }
  const k = Math.min(1, count / batch.rows / MANY);
  const error = Math.sqrt(Math.max(0, squares - largest ** 2));
  return sum - largest + k * error < (FEW_ALLOW - (FEW_ALLOW - MANY_ALLOW) * k) * dot(far, far);
}

/** In residual scales. */
const NEAR = 2;
const FAR = 4;
/** A share of the rows. */
const MANY = 0.05;
/** The ratios of near to far pulls below which few rows, and many, are outliers. */
const FEW_ALLOW = 0.3;
const MANY_ALLOW = 0.1;

const residualsAt = (
  batch: SampleBatch,
  t: Vector,
  { intercept, weights }: Pick<LeverageOptions, 'intercept' | 'weights'>,
): Float64Array => weightedRisk(batch, { intercept, weights }).residuals(t, new Float64Array(batch.rows));

/** x . direction of every row. */
function scoresOf({ rows, columns }: SampleBatch, direction: Vector, intercept: boolean): Float64Array {
  const scores = new Float64Array(rows).fill(intercept ? direction[columns.length]! : 0);
  for (const [j, column] of columns.entries()) addTo(scores, direction[j]!, column);
  return scores;
}

/** A function of its own, so that it is compiled once for all columns. */
function addTo(sums: Float64Array, factor: number, column: Float64Array): void {
  for (let i = 0; i < sums.length; i++) sums[i]! += factor * column[i]!;
}
