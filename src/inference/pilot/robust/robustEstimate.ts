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
  const huber = huberEstimate(study, start);
  const leverage = leverageOf(batch, weights, intercept);
  const squares = leverage.squares(batch.columns, batch.rows);
  const blend = blendOf(study, { huber, rows, least: leastScale(batch), leverageWeights: leverage.weights(squares) });
  const found = { isMinimum: true, concentration: concentrationOf(squares), residualScale: huber.scale };
  if (blend === null) return { ...found, loss: huber.loss, t: huber.t };
  const { weight, loss } = blend;
  if (isBlended) return { ...found, loss: huber.loss, t: weightedMean(huber.t, blend.t, weight), blend };
  if (weight < EVEN) return { ...found, loss: huber.loss, t: huber.t };
  const t = irls(batch, loss.loss, blend.t, study);
  return { ...found, loss, t, residualScale: residualScales(study).tied(t) };
}

/** The weight where both fits count the same. */
const EVEN = 1 / 2;

/** Three rounds of scale and estimate over all rows, after which both have settled. */
function huberEstimate(study: Study, start: Vector) {
  const scales = residualScales(study);
  const round = (t: Vector): { readonly loss: NamedLoss; readonly t: Vector; readonly scale: number } => {
    const scale = scales.tied(t);
    const loss = lossByName('pseudo-huber', { parameter: HUBER_TUNING * scale });
    return { loss, t: irls(study.batch, loss.loss, t, study), scale };
  };
  return round(round(round(start).t).t);
}
