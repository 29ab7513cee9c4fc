/**
 * The estimate of a linear target whose loss is left open:
 *
 * 1. The most robust estimate, which fixes the scale of the residuals.
 * 2. Least squares instead, where targets have two values or most are the same, so that residuals have no scale.
 * 3. The redescending loss with the smallest expected error, with or without leverage weights (chooseTuning.ts).
 * 4. A loss that allows for unequal noise, where step 3 determines some direction poorly (tuneForUnequalNoise.ts).
 * 5. Pseudo-Huber's loss, where rows that step 4 rejects turn out to be noisy but not biased (readmitRejected.ts).
 * 6. Full weight for high-leverage rows, where these agree with the others (dropLeverageWeights.ts).
 *
 * With few rows per coefficient, rejecting some leaves a fit that follows the rest too closely: the scale shrinks, more
 * rows are rejected, and what remains says nothing about the others. There the scale stays that of the start, and
 * the loss one that rejects hardly any row.
 */
import { gemanMcClure } from '../loss/gemanMcClure.ts';
import type { Loss } from '../loss/loss.ts';
import { lossByName, type NamedLoss } from '../loss/lossByName.ts';
import { meanOf } from '../math/meanOf.ts';
import type { Vector } from '../math/vector.ts';
import { rowsBetween } from '../sample/sampleBatch.ts';
import { chooseTuning, mostEfficientLoss, mostRobustLoss, type Tuning } from './chooseTuning.ts';
import { hasTooFewRows } from './degreesOfFreedom.ts';
import { dropLeverageWeights, mostRobustEstimate } from './dropLeverageWeights.ts';
import type { LeverageOptions } from './highLeverageAgrees.ts';
import { concentrationOf, leverageOf } from './leverage.ts';
import { leverageReliance } from './leverageReliance.ts';
import { irls, minimize } from './minimize.ts';
import { product } from './product.ts';
import { readmitExtremes, readmitGroups, readmitLongTail, type TunedEstimate } from './readmitRejected.ts';
import { type ResidualScales, residualScales } from './residualScales.ts';
import { shiftsEstimate } from './shiftsEstimate.ts';
import { type Study, startingRows } from './study.ts';
import type { StudyEstimate } from './studyEstimate.ts';
import { areTargetsTied } from './tiedTargets.ts';
import { tuneForUnequalNoise } from './tuneForUnequalNoise.ts';
import { twoValues } from './twoValues.ts';
import { type WeightedRisk, weightedRisk } from './weightedRisk.ts';

/** `start` is Huber's estimate, and `runRows` the rows of the whole run. */
export function robustEstimate(study: Study, start: Vector, runRows: number): StudyEstimate {
  const search = searchOver(study, start, runRows);
  const robust = mostRobust(search);
  const scale = search.scales.mad(search.isShort ? start : robust);
  if (hasNoScale(search, robust, scale)) return leastSquares(search, robust);
  const estimateOf = ({ loss: { loss }, isWeighted }: Tuning): Vector =>
    irls(study.batch, loss, robust, {
      ...study,
      weights: isWeighted ? search.leverageWeights : study.weights,
    });
  const at: TuningPoint = { robust, scale, estimateOf };
  const tuning = tuned(search, at);
  const readmitted = readmit(search, { tuning, t: estimateOf(tuning) }, at);
  const chosen = dropLeverageWeights(study, readmitted, { ...search.options, estimateOf });
  const { loss, isWeighted } = chosen.tuning;
  return {
    loss,
    t: chosen.t,
    isMinimum: true,
    concentration: concentrationOf(search.squares),
    residualScale: scale,
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
  /** Tests against chance take the first rows only. */
  readonly someOptions: LeverageOptions;
}

interface TuningPoint {
  readonly robust: Vector;
  readonly scale: number;
  /** Over all rows, from the most robust estimate. */
  readonly estimateOf: (tuning: Tuning) => Vector;
}

function searchOver(study: Study, start: Vector, runRows: number): Search {
  const { batch, intercept, weights } = study;
  const risk = weightedRisk(batch, study);
  const leverage = leverageOf(batch, weights, intercept);
  const squares = leverage.squares(batch.columns, batch.rows);
  const leverageWeights = product(leverage.weights(squares), weights);
  const rows = startingRows(study);
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
    someOptions: {
      intercept,
      leverage,
      weights: weights.subarray(0, rows),
      leverageWeights: leverageWeights.subarray(0, rows),
    },
  };
}

/**
 * Outliers inflate the scale of Huber's estimate. Without them it settles in a second round, over the starting rows,
 * and a third over all rows. The slope of Geman and McClure's loss is never quite 0, so that a rough start can recover.
 */
function mostRobust({ study, start, scales, isShort, leverageWeights, options }: Search): Vector {
  const { batch } = study;
  const minimized = (loss: Loss, from: Vector, rows: number): Vector =>
    irls(rowsBetween(batch, 0, rows), loss, from, { ...study, weights: leverageWeights.subarray(0, rows) });
  const efficient = mostEfficientLoss(scales.mad(start));
  const mostRobustAt = (t: Vector): NamedLoss => (isShort ? efficient : mostRobustLoss(scales.mad(t)));
  const first = isShort
    ? start
    : minimized(gemanMcClure(WITHIN_REACH * scales.mad(start)), start, startingRows(study));
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

/** Steps 3 and 4. */
function tuned(
  { study, start, runRows, risk, scales, isShort, squares, options, someOptions }: Search,
  { robust, scale }: TuningPoint,
): Tuning {
  const { batch } = study;
  const chosen = isShort
    ? { loss: mostEfficientLoss(scales.mad(start)), isWeighted: false }
    : chooseTuning(batch, {
        ...options,
        squares,
        residuals: negated(risk.residuals(robust, new Float64Array(batch.rows))),
        scale,
        rows: runRows,
      });
  const some = rowsBetween(batch, 0, startingRows(study));
  return tuneForUnequalNoise(some, chosen, { ...someOptions, t: robust, scale, rows: runRows });
}

/** Step 5: rows that are noisy as a group, then those with extreme features, then those of a long tail. */
function readmit(
  { study, runRows, risk, someOptions }: Search,
  found: TunedEstimate,
  { scale, estimateOf }: TuningPoint,
): TunedEstimate {
  const { batch, weights } = study;
  const some = rowsBetween(batch, 0, startingRows(study));
  const residualsAt = (t: Vector): Float64Array => risk.residuals(t, new Float64Array(batch.rows));
  const withGroups = readmitGroups(batch, found, { risk, scale, runRows, estimateOf });
  const withExtremes = readmitExtremes(batch, withGroups, {
    residuals: residualsAt(withGroups.t),
    scale,
    estimateOf,
    movesEstimate: other =>
      shiftsEstimate(some, { chosen: withGroups.tuning, other }, { ...someOptions, t: withGroups.t }),
  });
  return readmitLongTail(withExtremes, {
    residuals: residualsAt(withExtremes.t),
    weights,
    scale,
    estimateOf,
    movesSlopes: other =>
      shiftsEstimate(
        some,
        { chosen: withExtremes.tuning, other },
        { ...someOptions, t: withExtremes.t },
        'slopes',
      ),
  });
}

/** A function of its own, so that it is compiled once. */
function negated(values: Float64Array): Float64Array {
  for (let i = 0; i < values.length; i++) values[i] = -values[i]!;
  return values;
}
