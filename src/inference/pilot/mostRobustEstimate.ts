import type { Vector } from '../../math/vector.ts';
import { pseudoHuber } from '../../method/loss/pseudoHuber.ts';
import { HUBER_TUNING } from '../../method/loss/tunings.ts';
import type { TunedEstimate, Tuning } from './chooseTuning.ts';
import { hasHighLeverage, highLeverageAgrees, type LeverageOptions } from './highLeverageAgrees.ts';
import { irls } from './minimize.ts';
import type { Study } from './study.ts';

/**
 * The most robust estimate. High-leverage rows are down-weighted for safety, but where they agree with the others
 * (highLeverageAgrees.ts) they carry most of the information about the slopes and get full weight. Where the other rows do not determine a slope well enough to extrapolate to the
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
