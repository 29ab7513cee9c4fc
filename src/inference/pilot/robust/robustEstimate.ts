import { blend as weightedMean, type Vector } from '../../../math/vector.ts';
import { HUBER_TUNING, lossByName, type NamedLoss } from '../../../method/loss/lossByName.ts';
import type { SampleBatch } from '../../../sample/sampleBatch.ts';
import { blendOf } from '../blend/blend.ts';
import type { StudyEstimate } from '../fittedStudy.ts';
import { irls } from '../risk/minimize.ts';
import type { Study } from '../standardized.ts';
import { concentrationOf, leverageOf } from './leverage.ts';
import { leastScale, residualScales } from './residualScales.ts';

/**
 * The estimate of a linear target whose loss is left open: Huber's fit, blended with a bisquare fit unless only one is
 * asked for (blend.ts).
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
  const blend = isBlended
    ? blendOf(study, { huber, rows, least: leastScale(batch), leverageWeights: leverage.weights(squares) })
    : null;
  return {
    loss: huber.loss,
    t: blend === null ? huber.t : weightedMean(huber.t, blend.t, blend.weight),
    isMinimum: true,
    concentration: concentrationOf(squares),
    residualScale: huber.scale,
    ...(blend && { blend }),
  };
}

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
