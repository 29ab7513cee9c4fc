/**
 * Estimates that count rows far out in their features little, for safety, and what they become where these follow the
 * others (farRowsFollow.ts): then they say most of the slopes, and are counted as much as any.
 */
import { pseudoHuber } from '../loss/pseudoHuber.ts';
import { HUBER_TUNING } from '../loss/tunings.ts';
import type { Vector } from '../math/vector.ts';
import type { Tuning } from './chooseTuning.ts';
import type { Tuned } from './countingLeftOut.ts';
import { type FarOptions, farRowsFollow, hasFarRows } from './farRowsFollow.ts';
import { reweigh } from './settle.ts';
import type { Study } from './study.ts';

/**
 * The surest estimate. Where near rows do not tell a slope well enough to reach far ones, the line that they draw misses
 * these by more than the loss allows, and they are left out for good. So the estimate of all rows begins at that of
 * pseudo-Huber's loss, which leaves out none.
 */
export function surestOfAll(
  { batch, ...study }: Study,
  surest: Tuned,
  options: FarOptions & {
    readonly scaleFrom: (t: Vector) => number;
    /** The surest loss for residuals as they are at an estimate. */
    readonly surestAt: (t: Vector) => Tuning['loss'];
  },
): Vector {
  if (!hasFarRows(options)) return surest.t;
  const { weights, scaleFrom, surestAt } = options;
  const alike = { ...study, weights };
  const start = reweigh(batch, pseudoHuber(HUBER_TUNING * scaleFrom(surest.t)), surest.t, alike);
  const { loss } = surestAt(start);
  const t = reweigh(batch, loss, start, alike);
  return farRowsFollow(batch, surest, { loss, t }, options) ? t : surest.t;
}

/** A loss that leaves out no row by its residual need not count far rows less. */
export function countingFarAlike(
  { batch }: Study,
  chosen: Tuned,
  options: FarOptions & { readonly estimateOf: (tuning: Tuning) => Vector },
): Tuned {
  const { loss, isWeighted } = chosen.tuning;
  if (!isWeighted || loss.name !== 'pseudo-huber') return chosen;
  const tuning = { loss, isWeighted: false };
  const t = options.estimateOf(tuning);
  return farRowsFollow(batch, chosen, { loss: loss.loss, t }, options) ? { tuning, t } : chosen;
}
