import { meanOf } from '../../../math/median.ts';
import { product, type Vector } from '../../../math/vector.ts';
import { gemanMcClure } from '../../../method/loss/gemanMcClure.ts';
import type { Loss } from '../../../method/loss/loss.ts';
import { HUBER_TUNING, lossByName, type NamedLoss } from '../../../method/loss/lossByName.ts';
import { pseudoHuber } from '../../../method/loss/pseudoHuber.ts';
import { rowsBetween, type SampleBatch } from '../../../sample/sampleBatch.ts';
import { leverageReliance } from '../../diagnostics/leverage/leverageReliance.ts';
import { twoValues } from '../../diagnostics/targets/targetValues.ts';
import type { StudyEstimate } from '../fittedStudy.ts';
import { irls, minimize } from '../risk/minimize.ts';
import { type WeightedRisk, weightedRisk } from '../risk/weightedRisk.ts';
import { medianOf, type Study, startingRows } from '../standardized.ts';
import { areOutliers, huberTuning } from './areOutliers.ts';
import { chooseTuning, mostEfficientLoss, mostRobustLoss, type TunedEstimate, type Tuning } from './chooseTuning.ts';
import { hasHighLeverage, highLeverageAgrees, type LeverageOptions } from './highLeverageAgrees.ts';
import { concentrationOf, leverageOf } from './leverage.ts';
import { hasTooFewRows, type ResidualScales, residualScales } from './residualScales.ts';

/**
 * The estimate of a linear target whose loss is left open:
 *
 * 1. The most robust estimate, by a redescending loss.
 * 2. Least squares instead, where targets have two values or most are the same, so that residuals have no scale.
 * 3. Huber's estimate: pseudo-Huber's loss at 1.345 scales of its residuals, with full weight for every row.
 * 4. Where the rows that step 1 rejects are outliers (areOutliers.ts), the redescending loss with the smallest expected
 *    error instead, with or without leverage weights (chooseTuning.ts).
 *
 * With few rows per coefficient, rejecting some leaves a fit that follows the rest too closely: the scale shrinks, more
 * rows are rejected, and what remains says nothing about the others. There the scale is that of the start, and the loss
 * one that rejects hardly any row.
 *
 * `start` is Huber's estimate over some of the rows, and `runRows` the rows of the whole run.
 */
export function robustEstimate(study: Study, start: Vector, runRows: number): StudyEstimate {
  const search = searchOver(study, start, runRows);
  const robust = mostRobust(search);
  const robustScale = search.scales.mad(search.isShort ? start : robust.t);
  if (hasNoScale(search, robust.t, robustScale)) return leastSquares(search, robust.t);
  const estimateOf = ({ loss: { loss }, isWeighted }: Tuning): Vector =>
    irls(study.batch, loss, robust.t, {
      ...study,
      weights: isWeighted ? search.leverageWeights : study.weights,
    });
  const huber = huberEstimate(search);
  const isRejecting =
    search.isShort || areOutliers(study.batch, { ...search.options, robust, huber, scale: robustScale });
  const tuning = isRejecting ? rejectingTuning(search, robust.t, robustScale) : huber.tuning;
  const chosen = isRejecting ? { tuning, t: estimateOf(tuning) } : huber;
  const { loss, isWeighted } = chosen.tuning;
  return {
    loss,
    t: chosen.t,
    isMinimum: true,
    concentration: concentrationOf(search.squares),
    residualScale: isRejecting ? robustScale : search.scales.mad(huber.t),
    ...(isWeighted && { leverage: search.options.leverage, weights: search.leverageWeights }),
    leverageReliance: leverageReliance(study, chosen, { ...search.options, estimateOf }),
  };
}

/** What all steps of the search share. */
interface Search {
  readonly study: Study;
  readonly start: Vector;
  readonly runRows: number;
  readonly risk: WeightedRisk;
  readonly scales: ResidualScales;
  /** Whether there are few rows per coefficient. */
  readonly isShort: boolean;
  /** d^2 of the rows (leverage.ts), and case weights times leverage weights. */
  readonly squares: Float64Array;
  readonly leverageWeights: Float64Array;
  readonly options: LeverageOptions;
}

function searchOver(study: Study, start: Vector, runRows: number): Search {
  const { batch, intercept, weights } = study;
  const risk = weightedRisk(batch, study);
  const leverage = leverageOf(batch, weights, intercept);
  const squares = leverage.squares(batch.columns, batch.rows);
  const leverageWeights = product(leverage.weights(squares), weights);
  return {
    study,
    start,
    runRows,
    risk,
    scales: residualScales(study),
    isShort: hasTooFewRows(weights, risk.size),
    squares,
    leverageWeights,
    options: { intercept, leverage, weights, leverageWeights },
  };
}

/**
 * Outliers inflate the scale of Huber's estimate. Without them it settles in a second round, over the starting rows,
 * and a third over all rows. The slope of Geman and McClure's loss is never quite 0, so that a rough start can recover.
 */
function mostRobust({ study, start, scales, isShort, leverageWeights, options }: Search): TunedEstimate {
  const { batch } = study;
  const minimized = (loss: Loss, from: Vector, rows: number): Vector =>
    irls(rowsBetween(batch, 0, rows), loss, from, { ...study, weights: leverageWeights.subarray(0, rows) });
  const efficient = mostEfficientLoss(scales.mad(start));
  const mostRobustAt = (t: Vector): NamedLoss => (isShort ? efficient : mostRobustLoss(scales.mad(t)));
  const first = isShort ? start : minimized(gemanMcClure(WITHIN_REACH * scales.mad(start)), start, startingRows(study));
  const loss = mostRobustAt(first);
  const weighted = { tuning: { loss, isWeighted: true }, t: minimized(loss.loss, first, batch.rows) };
  return mostRobustEstimate(study, weighted, { ...options, mostRobustAt, scaleAt: scales.mad });
}

/** In residual scales: nineteen normal residuals of twenty. */
const WITHIN_REACH = 2;

const hasNoScale = ({ study: { batch }, risk }: Search, t: Vector, scale: number): boolean =>
  twoValues(batch) !== null ||
  areTargetsTied(batch, risk.residuals(t, new Float64Array(batch.rows)), WITHIN_REACH * scale);

function leastSquares({ study: { batch, intercept }, risk }: Search, from: Vector): StudyEstimate {
  const loss = lossByName('squared');
  const t = minimize(risk, loss.loss, from, { intercept });
  const sizes = risk.residuals(t, new Float64Array(batch.rows)).map(Math.abs);
  return { loss, t, isMinimum: true, residualScale: 1.2533 * meanOf(sizes, batch.weights) };
}

/** Three rounds of scale and estimate over all rows, after which both have settled. */
function huberEstimate({ study, start, scales }: Search): TunedEstimate {
  const round = (t: Vector): TunedEstimate => {
    const tuning = huberTuning(scales.mad(t));
    return { tuning, t: irls(study.batch, tuning.loss.loss, t, study) };
  };
  return round(round(round(start).t).t);
}

function rejectingTuning(
  { study: { batch }, start, runRows, risk, scales, isShort, squares, options }: Search,
  robust: Vector,
  scale: number,
): Tuning {
  if (isShort) return { loss: mostEfficientLoss(scales.mad(start)), isWeighted: false };
  const residuals = negated(risk.residuals(robust, new Float64Array(batch.rows)));
  return chooseTuning(batch, { ...options, squares, residuals, scale, rows: runRows });
}

/** A function of its own, so that it is compiled once. */
function negated(values: Float64Array): Float64Array {
  for (let i = 0; i < values.length; i++) values[i] = -values[i]!;
  return values;
}

/**
 * The most robust estimate. High-leverage rows are down-weighted for safety, but where they agree with the others
 * (highLeverageAgrees.ts) they carry most of the information about the slopes and get full weight. Where the other rows do not determine a slope well enough to extrapolate to the
 * high-leverage ones, their line misses these by more than the loss allows, and they would be rejected for good. So the
 * estimate with full weights starts from that of pseudo-Huber's loss, which rejects none.
 */
function mostRobustEstimate(
  { batch, ...study }: Study,
  robust: TunedEstimate,
  options: LeverageOptions & {
    readonly scaleAt: (t: Vector) => number;
    /** The most robust loss, by the scale of the residuals at t. */
    readonly mostRobustAt: (t: Vector) => Tuning['loss'];
  },
): TunedEstimate {
  if (!hasHighLeverage(options)) return robust;
  const { weights, scaleAt, mostRobustAt } = options;
  const full = { ...study, weights };
  const start = irls(batch, pseudoHuber(HUBER_TUNING * scaleAt(robust.t)), robust.t, full);
  const loss = mostRobustAt(start);
  const t = irls(batch, loss.loss, start, full);
  return highLeverageAgrees(batch, robust, { loss: loss.loss, t }, options)
    ? { tuning: { loss, isWeighted: false }, t }
    : robust;
}

/**
 * Whether more than half of the rows within `reach` of a fit have the same target, as counts that are mostly 0 do. The
 * fit then follows a value rather than a line, and its residuals have no scale by which to judge other rows. A value
 * that many rows have far from the fit, such as a code for a missing value, is not such a tie; neither is the value of
 * a single row, whatever its weight.
 */
export function areTargetsTied({ target, weights }: SampleBatch, residuals: Float64Array, reach: number): boolean {
  const near = new Float64Array(target.length);
  const counts = new Float64Array(target.length);
  let [found, total] = [0, 0];
  for (let i = 0; i < target.length; i++) {
    const count = weights?.[i] ?? 1;
    if (!(Math.abs(residuals[i]!) <= reach) || count === 0) continue;
    near[found] = target[i]!;
    counts[found++] = count;
    total += count;
  }
  // A value that more than half of them have is the median.
  const value = medianOf(near.slice(0, found), weights && counts.subarray(0, found));
  let [same, rows] = [0, 0];
  for (let i = 0; i < found; i++) {
    if (near[i] !== value) continue;
    same += counts[i]!;
    rows++;
  }
  return rows > 1 && 2 * same > total;
}
