/**
 * Estimates that count rows far out in their features little, for safety, and what they become where these follow the
 * others (highLeverageAgrees.ts): then they say most of the slopes, and are counted as much as any.
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
 * The robust estimate. Where near rows do not tell a slope well enough to reach far ones, the line that they draw misses
 * these by more than the loss allows, and they are left out for good. So the estimate of all rows begins at that of
 * pseudo-Huber's loss, which leaves out none.
 */
export function mostRobustEstimate(
  { batch, ...study }: Study,
  robust: TunedEstimate,
  options: LeverageOptions & {
    readonly scaleAt: (t: Vector) => number;
    /** The robust loss for residuals as they are at an estimate. */
    readonly mostRobustAt: (t: Vector) => Tuning['loss'];
  },
): Vector {
  if (!hasHighLeverage(options)) return robust.t;
  const { weights, scaleAt, mostRobustAt } = options;
  const alike = { ...study, weights };
  const start = irls(batch, pseudoHuber(HUBER_TUNING * scaleAt(robust.t)), robust.t, alike);
  const { loss } = mostRobustAt(start);
  const t = irls(batch, loss, start, alike);
  return highLeverageAgrees(batch, robust, { loss, t }, options) ? t : robust.t;
}

/** A loss that leaves out no row by its residual need not count far rows less. */
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
