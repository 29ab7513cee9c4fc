import { meanOf } from '../../math/median.ts';
import { addColumn, product, type Vector, zeros } from '../../math/vector.ts';
import { isGlm } from '../../method/loss/glm.ts';
import type { Loss } from '../../method/loss/loss.ts';
import { HUBER_TUNING, lossByName, type NamedLoss } from '../../method/loss/lossByName.ts';
import { pseudoHuber } from '../../method/loss/pseudoHuber.ts';
import { rowsBetween, type SampleBatch } from '../../sample/sampleBatch.ts';
import type { StudyEstimate } from './fittedStudy.ts';
import { irls, minimize } from './risk/minimize.ts';
import { weightedRisk } from './risk/weightedRisk.ts';
import { leverageOf, squaredNorms } from './robust/leverage.ts';
import { degreesOfFreedomFactor, residualScales } from './robust/residualScales.ts';
import { robustEstimate } from './robust/robustEstimate.ts';
import { medianOf, robustScale, type Study, startingRows } from './standardized.ts';

/**
 * The estimate of the pilot's rows, and the loss that it minimises.
 *
 * Every linear target starts from Huber's estimate over some of the rows (huberStart.ts). A loss that was asked for is
 * minimised from there. Otherwise two fits are blended (robustEstimate.ts). Targets of 0 and 1 get the logistic
 * loss. The estimate of a robust or generalized linear loss is worth as much as a step on that many rows.
 */
export function firstEstimate(
  study: Study,
  {
    loss,
    rows,
    isBlended,
  }: { readonly loss: NamedLoss | 'auto'; readonly rows: SampleBatch; readonly isBlended: boolean },
): StudyEstimate {
  const { target } = study.batch;
  const isBinary = target.every(value => value === 0 || value === 1);
  const known = loss === 'auto' && isBinary ? lossByName('logistic') : loss;
  if (known !== 'auto' && isGlm(known)) {
    return { loss: known, ...glmEstimate(study, known.loss), residualScale: 0 };
  }
  const start = huberStart(study);
  if (known === 'auto') return robustEstimate(study, { start, rows, isBlended });
  const residualScale = residualScales(study).plain(start);
  return hasPilotEstimate(known.loss)
    ? { loss: known, t: irls(study.batch, known.loss, start, study), isMinimum: true, residualScale }
    : { loss: known, t: start, isMinimum: false, residualScale };
}

/**
 * The estimate of a generalized linear model. The classes of few rows may be perfectly separated though those of all
 * rows are not. Then there is no finite estimate, and a ridge worth one row gives a point to start from.
 */
function glmEstimate(study: Study, loss: Loss): Pick<StudyEstimate, 't' | 'isMinimum' | 'isSeparated'> {
  const { batch, penalties, intercept } = study;
  const slopes = batch.columns.length;
  const held = penalties.map((penalty, j) => (j < slopes ? penalty + 1 / batch.rows : penalty));
  const near = minimize(weightedRisk(batch, { ...study, penalties: held }), loss, zeros(penalties.length), {
    intercept,
  });
  const risk = weightedRisk(batch, study);
  const t = minimize(risk, loss, near, { intercept });
  const chance = entropy(study);
  const isSeparated = loss.name.startsWith('logistic')
    ? chance === 0 || risk.value(loss, t) < SEPARATED * chance
    : loss.name.startsWith('poisson') && meanOf(batch.target, study.weights) === 0;
  return isSeparated ? { t: near, isMinimum: false, isSeparated } : { t, isMinimum: true };
}

/** Of the risk without features: below it the logistic risk is going to 0. */
const SEPARATED = 0.01;

function entropy({ batch, weights }: Study): number {
  const share = meanOf(batch.target, weights);
  const part = (p: number): number => (p > 0 ? -p * Math.log(p) : 0);
  return part(share) + part(1 - share);
}

/**
 * Huber's estimate as a start: three rounds of scale and estimate from the line through the medians, which is when the
 * scale settles. It is computed over all starting rows with leverage weights; over the half nearest to the centre,
 * where no cluster of high-leverage rows can pull; and over either half along the direction in which a nearby cluster
 * would lie. The one with the smallest scale of residuals is taken.
 */
function huberStart(study: Study): Vector {
  const { intercept, penalties } = study;
  const size = penalties.length;
  const few = rowsBetween({ ...study.batch, weights: study.weights }, 0, startingRows(study));
  const counts = few.weights!;
  // Unweighted medians are much faster.
  const given = study.batch.weights && counts;
  const freedom = degreesOfFreedomFactor(counts, size);
  const room = new Float64Array(few.rows);
  const leverage = leverageOf(few, counts, intercept);
  const leverageWeights = leverage.weights(leverage.squares(few.columns, few.rows));
  const huberBy = (weights: Float64Array, from: Vector): { readonly t: Vector; readonly scale: number } => {
    const options = { ...study, weights: product(weights, counts) };
    const risk = weightedRisk(few, options);
    const scaleAt = (t: Vector): number => freedom * robustScale(risk.residuals(t, room), given);
    let t = from;
    for (let round = 0; round < 3; round++) {
      t = irls(few, pseudoHuber(HUBER_TUNING * (scaleAt(t) || 1)), t, options);
    }
    return { t, scale: scaleAt(t) };
  };
  const medians = zeros(size);
  if (intercept) {
    room.set(few.target);
    medians[size - 1] = medianOf(room, given);
  }
  const all = huberBy(leverageWeights, medians);
  // Half of few rows can be fitted without saying anything about the others.
  if (few.rows <= 2 * size) return all.t;
  // A column that is constant there keeps its coefficient from all rows.
  const nearHalf = (far: Float64Array): { readonly t: Vector; readonly scale: number } => {
    const half = medianOf(far.slice(), given);
    return huberBy(
      far.map(value => (value <= half ? 1 : 0)),
      all.t,
    );
  };
  const along = towardsMean(few, leverageWeights);
  return [squaredNorms(few), along, along.map(place => -place)]
    .map(nearHalf)
    .reduce((best, other) => (other.scale < best.scale ? other : best), all).t;
}

/** Positions along the line from the medians to the mean, which a cluster pulls apart. */
function towardsMean({ rows, columns, weights }: SampleBatch, leverageWeights: Float64Array): Float64Array {
  const counts = weights === undefined ? leverageWeights : product(leverageWeights, weights);
  const places = new Float64Array(rows);
  for (const column of columns) addColumn(places, meanOf(column, counts), column);
  return places;
}

/**
 * Whether the minimum over the pilot's rows is a useful estimate. Least squares would follow the outliers that a median
 * of means is meant to resist, and nothing is known about a custom loss: these start from Huber's estimate, which does
 * not count as a step.
 */
export const hasPilotEstimate = ({ targets, kernel }: Loss): boolean =>
  targets.least > -Infinity || ['pseudo-huber', 'geman-mcclure', 'tukey'].includes(kernel?.kind ?? '');
