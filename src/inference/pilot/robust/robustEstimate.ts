import { type Vector, blend as weightedMean } from '../../../math/vector.ts';
import { HUBER_TUNING, lossByName, type NamedLoss } from '../../../method/loss/lossByName.ts';
import type { SampleBatch } from '../../../sample/sampleBatch.ts';
import { blendOf } from '../blend/blend.ts';
import type { StudyEstimate } from '../fittedStudy.ts';
import { irls } from '../risk/minimize.ts';
import type { Study } from '../standardized.ts';
import { concentrationOf, leverageOf } from './leverage.ts';
import { leastScale, residualScales } from './residualScales.ts';

/**
 * The estimate of a linear target whose loss is left open: Huber's fit, blended with a bisquare fit (blend.ts), or that
 * of both which would have more weight where only one is asked for.
 *
 * `start` is Huber's estimate over some of the rows, `rows` are those of the study in the units of the data.
 */
export function robustEstimate(
  study: Study,
  { start, rows, isBlended }: { readonly start: Vector; readonly rows: SampleBatch; readonly isBlended: boolean },
): StudyEstimate {
  const { batch, weights, intercept } = study;
  // Columns that others make up have no leverage of their own.
  const { kept } = leverageOf(batch, weights, intercept).factor;
  const huber = huberEstimate(study, start, kept.length);
  const slopes = batch.columns.filter((_, j) => kept.includes(j));
  const leverage = leverageOf(
    slopes.length === batch.columns.length ? batch : { ...batch, columns: slopes },
    weights,
    intercept,
  );
  const squares = leverage.squares(slopes, batch.rows);
  const blend = blendOf(study, { huber, rows, least: leastScale(batch), leverageWeights: leverage.weights(squares) });
  const found = { isMinimum: true, concentration: concentrationOf(squares), residualScale: huber.scale };
  if (blend === null) return { ...found, loss: huber.loss, t: huber.t };
  const { weight, loss } = blend;
  if (isBlended) return { ...found, loss: huber.loss, t: weightedMean(huber.t, blend.t, weight), blend };
  if (weight < EVEN) return { ...found, loss: huber.loss, t: huber.t };
  const t = irls(batch, loss.loss, blend.t, study);
  return { ...found, loss, t, residualScale: residualScales(study, kept.length).tied(t) };
}

/** The weight where both fits count the same. */
const EVEN = 1 / 2;

/** Rounds of scale and estimate over all rows until both have settled; of many rows three, which leave little. */
function huberEstimate(study: Study, start: Vector, rank: number) {
  const most = study.batch.rows * study.penalties.length > MANY_VALUES ? 3 : MOST_ROUNDS;
  const scales = residualScales(study, rank);
  const round = (t: Vector): { readonly loss: NamedLoss; readonly t: Vector; readonly scale: number } => {
    const scale = scales.tied(t);
    const loss = lossByName('pseudo-huber', { parameter: HUBER_TUNING * scale });
    return { loss, t: irls(study.batch, loss.loss, t, study), scale };
  };
  let found = round(start);
  for (let count = 1; count < most; count++) {
    const next = round(found.t);
    const isSettled = Math.abs(next.scale - found.scale) <= SETTLED * next.scale;
    found = next;
    if (isSettled && count > 1) break;
  }
  return found;
}

/** Beyond so many values three rounds take longer than all else. */
const MANY_VALUES = 1e5;

/** Each leaves a fifth or so of the change before. */
const MOST_ROUNDS = 30;

/** Relative to the scale: rounding alone is left. */
const SETTLED = 1e-13;
