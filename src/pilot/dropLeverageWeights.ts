/**
 * Whether high-leverage rows get full weight. They are down-weighted for safety, but where they agree with the others
 * (highLeverageAgrees.ts) they carry most of the information about the slopes.
 */
import { pseudoHuber } from '../loss/pseudoHuber.ts';
import { HUBER_TUNING } from '../loss/tunings.ts';
import type { Vector } from '../math/vector.ts';
import type { Tuning } from './chooseTuning.ts';
import { hasHighLeverage, highLeverageAgrees, type LeverageOptions } from './highLeverageAgrees.ts';
import { irls } from './minimize.ts';
import type { TunedEstimate } from './readmitRejected.ts';
import type { Study } from './study.ts';

/**
 * The most robust estimate. Where the other rows do not determine a slope well enough to extrapolate to the
 * high-leverage ones, their line misses these by more than the loss allows, and they would be rejected for good. So the
 * estimate with full weights starts from that of pseudo-Huber's loss, which rejects none.
 */
export function mostRobustEstimate(
  { batch, ...study }: Study,
  robust: TunedEstimate,
  options: LeverageOptions & {
    readonly scaleAt: (t: Vector) => number;
    /** The most robust loss, by the scale of the residuals at t. */
    readonly mostRobustAt: (t: Vector) => Tuning['loss'];
  },
): Vector {
  if (!hasHighLeverage(options)) return robust.t;
  const { weights, scaleAt, mostRobustAt } = options;
  const full = { ...study, weights };
  const start = irls(batch, pseudoHuber(HUBER_TUNING * scaleAt(robust.t)), robust.t, full);
  const { loss } = mostRobustAt(start);
  const t = irls(batch, loss, start, full);
  return highLeverageAgrees(batch, robust, { loss, t }, options) ? t : robust.t;
}

/** For pseudo-Huber's loss, which rejects no row by its residual. */
export function dropLeverageWeights(
  { batch }: Study,
  chosen: TunedEstimate,
  options: LeverageOptions & { readonly estimateOf: (tuning: Tuning) => Vector },
): TunedEstimate {
  const { loss, isWeighted } = chosen.tuning;
  if (!isWeighted || loss.name !== 'pseudo-huber') return chosen;
  const tuning = { loss, isWeighted: false };
  const t = options.estimateOf(tuning);
  return highLeverageAgrees(batch, chosen, { loss: loss.loss, t }, options) ? { tuning, t } : chosen;
}
