import { addColumn, dot, subtract, type Vector } from '../../../math/vector.ts';
import { HUBER_TUNING, lossByName } from '../../../method/loss/lossByName.ts';
import type { SampleBatch } from '../../../sample/sampleBatch.ts';
import { weightedRisk } from '../risk/weightedRisk.ts';
import type { TunedEstimate, Tuning } from './chooseTuning.ts';
import type { LeverageOptions } from './highLeverageAgrees.ts';

/** Pseudo-Huber's loss at the usual 1.345 scales, with full weight for every row. */
export const huberTuning = (scale: number): Tuning => ({
  loss: lossByName('pseudo-huber', { parameter: HUBER_TUNING * scale }),
  isWeighted: false,
});

interface OutlierOptions extends Pick<LeverageOptions, 'intercept' | 'leverage' | 'weights'> {
  /** The redescending estimate t. */
  readonly robust: TunedEstimate;
  readonly huber: TunedEstimate;
  /** s */
  readonly scale: number;
}

/**
 * Whether the rows that a redescending loss rejects are outliers, or the tail of one distribution.
 *
 * Huber's loss rejects no row and bounds the influence of each residual. Its estimate is unique, and changes little with
 * the sample. A redescending loss is better where some rows follow a law of their own. Elsewhere it is worse: with noise
 * that is skewed or unequal, or a relation that is curved, it has several minima, and describes whichever part of the
 * rows it starts from. So rows are rejected only where two conditions hold, at the redescending estimate t with
 * residuals r of scale s.
 *
 * 1. There is a gap. Every row pulls Huber's estimate by psi(r) x, here in whitened coordinates. Rows on the way to the
 *    far ones must not pull the same way:
 *
 *      sum over near rows of p_i + k se < (0.3 - 0.2 k) |far|^2,   p_i = psi(r_i) x_i . far,   se^2 = sum of p_i^2
 *
 *      far -> the sum of psi(r) x over rows with |r| > 4 s, near rows -> those with 2 s < |r| <= 4 s,
 *      k -> the share of far rows in units of 5 %, at most 1
 *
 *    The more rows would be rejected, the clearer the gap must be. The near row that pulls most is left out of the sums:
 *    one row of a high-leverage cluster may lie close to the fit by chance. For outliers the ratio of the sum to |far|^2
 *    is about 0, for exponential noise 3, for log-normal noise 0.6 to 1.7.
 * 2. The estimates differ by more than chance for the other rows, those with |r| <= 4 s:
 *
 *      sum of (x . (t_H - t))^2 / s^2 > 0.3 (p + 3 sqrt(2 p)),   t_H -> Huber's estimate, p -> coefficients
 *
 *    Under normal noise the sum is about 0.2 p. It leaves out the 5 % of the rows with the largest terms: a small group
 *    of noisy rows with a coefficient of its own is rejected in good part, but does not concern the others.
 */
export function areOutliers(batch: SampleBatch, options: OutlierOptions): boolean {
  const { robust, scale, intercept, weights } = options;
  const residuals = weightedRisk(batch, { intercept, weights }).residuals(robust.t, new Float64Array(batch.rows));
  const sizes = residuals.map(r => Math.abs(r) / scale);
  return hasGap(batch, residuals, sizes, options) && differ(batch, sizes, options);
}

/** In residual scales. */
const NEAR = 2;
const FAR = 4;

function hasGap(
  batch: SampleBatch,
  residuals: Float64Array,
  sizes: Float64Array,
  { robust, scale, intercept, weights, leverage }: OutlierOptions,
): boolean {
  const { loss } = huberTuning(scale).loss;
  const farWeights = weights.map((weight, i) => (sizes[i]! > FAR ? weight : 0));
  const far = leverage.factor.solveFactor(
    weightedRisk(batch, { intercept, weights: farWeights }).derivatives(loss, robust.t).gradient,
  );
  const along = scoresOf(batch, leverage.factor.solveTransposed(far), intercept);
  let [count, sum, squares, largest] = [0, 0, 0, 0];
  for (let i = 0; i < batch.rows; i++) {
    if (sizes[i]! > FAR) count++;
    else if (sizes[i]! > NEAR) {
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

/** A share of the rows. */
const MANY = 0.05;

/** The ratios of near to far pulls below which few rows, and many, are outliers. */
const FEW_ALLOW = 0.3;
const MANY_ALLOW = 0.1;

function differ(
  batch: SampleBatch,
  sizes: Float64Array,
  { robust, huber, scale, intercept, weights, leverage }: OutlierOptions,
): boolean {
  const terms = scoresOf(batch, subtract(huber.t, robust.t), intercept)
    .map((moved, i) => (sizes[i]! > FAR ? 0 : weights[i]! * (moved / scale) ** 2))
    .sort();
  const kept = terms.subarray(0, Math.ceil((1 - TRIMMED) * terms.length));
  const p = leverage.factor.kept.length;
  return kept.reduce((sum, term) => sum + term, 0) > CHANCE * (p + 3 * Math.sqrt(2 * p));
}

const TRIMMED = 0.05;
const CHANCE = 0.3;

/** x . direction of every row. */
function scoresOf({ rows, columns }: SampleBatch, direction: Vector, intercept: boolean): Float64Array {
  const scores = new Float64Array(rows).fill(intercept ? direction[columns.length]! : 0);
  for (const [j, column] of columns.entries()) addColumn(scores, direction[j]!, column);
  return scores;
}
