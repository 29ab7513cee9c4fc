import { meanOf } from '../../math/meanOf.ts';
import { type Vector, zeros } from '../../math/vector.ts';
import { pseudoHuber } from '../../method/loss/pseudoHuber.ts';
import { HUBER_TUNING } from '../../method/loss/tunings.ts';
import { rowsBetween, type SampleBatch } from '../../sample/sampleBatch.ts';
import { addColumn } from './addColumn.ts';
import { degreesOfFreedomFactor, hasTooFewRows } from './degreesOfFreedom.ts';
import { leverageOf, squaredNorms } from './leverage.ts';
import { irls } from './minimize.ts';
import { product } from './product.ts';
import { medianOf, robustScale } from './standardized.ts';
import { type Study, startingRows } from './study.ts';
import { weightedRisk } from './weightedRisk.ts';

/**
 * Huber's estimate as a start: three rounds of scale and estimate from the line through the medians, which is when the
 * scale settles. It is computed over all starting rows with leverage weights; over the half nearest to the centre,
 * where no cluster of high-leverage rows can pull; and over either half along the direction in which a nearby cluster
 * would lie. The one with the smallest scale of residuals is taken.
 */
export function huberStart(study: Study): Vector {
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
  if (hasTooFewRows(counts, size)) return all.t;
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
