/**
 * A first estimate of a few rows, and the loss it is of.
 *
 * It begins with pseudo-Huber's loss at the scale of the residuals, over a few of the rows weighted by leverage; from
 * there the estimate of the loss at hand is not far. Where the loss is left open and the target linear, it is a
 * redescending one, tuned to the residuals (chooseTuning.ts) where rows are many beside the coefficients, or the
 * squared one where targets have two values, or most the same (tiedTargets.ts); its estimate over all of these rows is
 * as good as a step's on as many.
 */
import { gemanMcClure } from '../loss/gemanMcClure.ts';
import type { Loss } from '../loss/loss.ts';
import { lossByName, type NamedLoss } from '../loss/lossByName.ts';
import { meanOf } from '../math/meanOf.ts';
import type { Vector } from '../math/vector.ts';
import { rowsBetween, type SampleBatch } from '../sample/sampleBatch.ts';
import { chooseTuning, mostEfficientLoss, mostRobustLoss, type Tuning } from './chooseTuning.ts';
import { degreesOfFreedomFactor, hasTooFewRows } from './degreesOfFreedom.ts';
import { dropLeverageWeights, mostRobustEstimate } from './dropLeverageWeights.ts';
import { glmEstimate } from './glmEstimate.ts';
import { hasPilotEstimate } from './hasPilotEstimate.ts';
import { huberStart } from './huberStart.ts';
import { concentrationOf, type Leverage, leverageOf } from './leverage.ts';
import { type LeverageReliance, leverageReliance } from './leverageReliance.ts';
import { irls, minimize } from './minimize.ts';
import { product } from './product.ts';
import { readmitExtremes, readmitGroups, readmitLongTail } from './readmitRejected.ts';
import { shiftsEstimate } from './shiftsEstimate.ts';
import { madScale, robustScale } from './standardized.ts';
import { type Study, startingRows } from './study.ts';
import { targetScale } from './targetScale.ts';
import { areTargetsTied } from './tiedTargets.ts';
import { tuneForUnequalNoise } from './tuneForUnequalNoise.ts';
import { twoValues } from './twoValues.ts';
import { type WeightedRisk, weightedRisk } from './weightedRisk.ts';

export interface FirstEstimate {
  readonly loss: NamedLoss;
  readonly t: Vector;
  /** Whether it is the loss's own over these rows. */
  readonly isEstimate: boolean;
  /** Whether classes are told apart without error, or all counts are 0, so that there is no finite estimate. */
  readonly isSeparated?: boolean;
  /**
   * sqrt(sum of d^4) / sum of d^2, d^2 the leverage of rows: how far off moments of so many rows may be, by the few
   * that are furthest out; 0 where nobody looked.
   */
  readonly concentration?: number;
  readonly residualScale: number;
  /** Where rows count by it, with the weights that the pilot's rows then have. */
  readonly leverage?: Leverage;
  readonly weights?: Float64Array;
  /** Where a slope rests on rows far out; none where nobody looked. */
  readonly leverageReliance?: LeverageReliance | null;
}

export function firstEstimate(
  study: Study,
  { loss, runRows }: { readonly loss: NamedLoss | 'auto'; readonly runRows: number },
): FirstEstimate {
  const { batch, intercept } = study;
  const isBinary = batch.target.every(target => target === 0 || target === 1);
  const known = loss === 'auto' && isBinary ? lossByName('logistic') : loss;
  if (known !== 'auto' && known.loss.targets.least > -Infinity) {
    return { loss: known, ...glmEstimate(study, known.loss), residualScale: 0 };
  }
  const few = huberStart(study);
  const room = new Float64Array(batch.rows);
  const risk = weightedRisk(batch, study);
  const freedom = degreesOfFreedomFactor(study.weights, risk.size);
  // Where a line fits all rows but for rounding, residuals have no scale of their own.
  const least = leastScale(batch);
  const scaleBy = (of: typeof robustScale, t: Vector): number =>
    Math.max(freedom * of(risk.residuals(t, room), batch.weights), least);
  if (known !== 'auto') return { ...named(study, known, few), residualScale: scaleBy(robustScale, few) };
  // Most rows may lie on the line exactly, and the others tell nothing of it then.
  const scaleFrom = (t: Vector): number => scaleBy(madScale, t);

  const leverage = leverageOf(batch, study.weights, intercept);
  const squares = leverage.squares(batch.columns, batch.rows);
  const leverageWeights = product(leverage.weights(squares), study.weights);
  const settled = (loss: Loss, t: Vector, rows: number): Vector =>
    irls(rowsBetween(batch, 0, rows), loss, t, { ...study, weights: leverageWeights.subarray(0, rows) });
  // Few rows a coefficient can be fitted all too well once some are left out: the scale shrinks with them, more are
  // left out, and what remains says nothing of the others. So theirs stays that of pseudo-Huber's fit, and the loss
  // leaves out hardly any.
  const isShort = hasTooFewRows(study.weights, risk.size);
  const mildest = mostEfficientLoss(scaleFrom(few));
  // Rows that do not belong blow the first scale up; without them it settles in a second round, and a third that sees
  // all rows. Geman and McClure's slope is never quite 0, so that from a rough start there is a way back.
  const first = isShort
    ? few
    : settled(gemanMcClure(WITHIN_REACH * scaleFrom(few)), few, startingRows(study));
  const surestAt = (t: Vector): NamedLoss => (isShort ? mildest : mostRobustLoss(scaleFrom(t)));
  const weighted = { loss: surestAt(first), isWeighted: true };
  const far = { intercept, leverage, weights: study.weights, leverageWeights };
  const surest = mostRobustEstimate(
    study,
    { tuning: weighted, t: settled(weighted.loss.loss, first, batch.rows) },
    { ...far, surestAt, scaleFrom },
  );
  const scale = scaleFrom(isShort ? few : surest);
  const residuals = risk.residuals(surest, room);
  negate(residuals);
  if (twoValues(batch) !== null || areTargetsTied(batch, residuals, WITHIN_REACH * scale))
    return meanEstimate(study, risk, surest);
  const tuned = isShort
    ? { loss: mildest, isWeighted: false }
    : chooseTuning(batch, {
        intercept,
        leverage,
        squares,
        weights: study.weights,
        leverageWeights,
        residuals,
        scale,
        rows: runRows,
      });
  const rows = startingRows(study);
  const someRows = rowsBetween(batch, 0, rows);
  const some = {
    intercept,
    leverage,
    weights: study.weights.subarray(0, rows),
    leverageWeights: leverageWeights.subarray(0, rows),
  };
  const even = tuneForUnequalNoise(someRows, tuned, { ...some, t: surest, scale, rows: runRows });
  const estimateOf = ({ loss: { loss }, isWeighted }: Tuning): Vector =>
    irls(batch, loss, surest, { ...study, weights: isWeighted ? leverageWeights : study.weights });
  const found = readmitGroups(
    batch,
    { tuning: even, t: estimateOf(even) },
    { risk, scale, runRows, estimateOf },
  );
  const noisy = readmitExtremes(batch, found, {
    residuals: risk.residuals(found.t, room),
    scale,
    estimateOf,
    isCarriedBy: other => shiftsEstimate(someRows, { chosen: found.tuning, other }, { ...some, t: found.t }),
  });
  const longSided = readmitLongTail(noisy, {
    residuals: risk.residuals(noisy.t, room),
    weights: study.weights,
    scale,
    estimateOf,
    movesSlopes: other =>
      shiftsEstimate(someRows, { chosen: noisy.tuning, other }, { ...some, t: noisy.t }, 'slopes'),
  });
  const chosen = dropLeverageWeights(study, longSided, { ...far, estimateOf });
  const { loss: own, isWeighted } = chosen.tuning;
  const weights = isWeighted ? leverageWeights : study.weights;
  return {
    loss: own,
    t: chosen.t,
    isEstimate: true,
    concentration: concentrationOf(squares),
    residualScale: scale,
    ...(isWeighted && { leverage, weights }),
    leverageReliance: leverageReliance(study, chosen, { ...far, estimateOf }),
  };
}

/**
 * A little of how far targets are from each other, and some units in their last place: how far they are from 0 says
 * nothing of noise.
 */
function leastScale({ target, weights }: SampleBatch): number {
  const { centre, scale } = targetScale(target, weights);
  return Math.max(LEAST_SCALE * scale, LAST_PLACES * Math.abs(centre)) || LEAST_SCALE;
}

const LEAST_SCALE = 1e-9;
const LAST_PLACES = 1e-14;

/** In residual scales: nineteen normal residuals of twenty. */
const WITHIN_REACH = 2;

/** A linear loss that was asked for. */
const named = (
  study: Study,
  loss: NamedLoss,
  near: Vector,
): Pick<FirstEstimate, 'loss' | 't' | 'isEstimate'> =>
  hasPilotEstimate(loss.loss)
    ? { loss, t: irls(study.batch, loss.loss, near, study), isEstimate: true }
    : { loss, t: near, isEstimate: false };

/** Least squares, over all rows alike. */
function meanEstimate({ batch, intercept }: Study, risk: WeightedRisk, from: Vector): FirstEstimate {
  const loss = lossByName('squared');
  const t = minimize(risk, loss.loss, from, { intercept });
  const sizes = risk.residuals(t, new Float64Array(batch.rows)).map(Math.abs);
  return { loss, t, isEstimate: true, residualScale: 1.2533 * meanOf(sizes, batch.weights) };
}

/** In a function of its own, which is compiled once. */
function negate(values: Float64Array): void {
  for (let i = 0; i < values.length; i++) values[i] = -values[i]!;
}
