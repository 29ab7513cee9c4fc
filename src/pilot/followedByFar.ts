/**
 * An estimate that counts rows far out in their features as much as others, where they follow these.
 *
 * The surest estimate counts such rows little. Where the others do not tell a slope well enough to reach so far, they
 * miss the line that they draw by more than the loss allows, and are left out though they belong, and say most of it. So
 * an estimate of all rows alike is made beside it, and taken where far rows are as near to it as others are, and where
 * it is no further from the surest than chance explains (Hausman, Econometrica 1978):
 *
 *   N (t - t_0)'H B^-1 H (t - t_0) <= (2.5 + sqrt k)^2,   H = mean of w psi' x x',   B = mean of (w psi)^2 x x'
 *
 *   t_0 -> the surest estimate, of whose N rows H and B are, t -> of all alike, k -> directions
 *
 * Of rows that belong, one sample in two thousand or so is beyond that. Rows of a law of their own mostly are, for they
 * lie where a slope that is a little off shows most.
 */
import type { Loss } from '../loss/loss.ts';
import { pseudoHuber } from '../loss/pseudoHuber.ts';
import { HUBER_TUNING } from '../loss/tunings.ts';
import { meanOf } from '../math/meanOf.ts';
import { rankFactor } from '../math/rankFactor.ts';
import { times } from '../math/times.ts';
import { dot, type Vector } from '../math/vector.ts';
import type { SampleBatch } from '../sample/sampleBatch.ts';
import type { Tuning } from './chooseTuning.ts';
import { solveBy } from './curvatureFactor.ts';
import { lossViews, type ViewOptions, whitened } from './lossViews.ts';
import { product } from './product.ts';
import { reweigh } from './settle.ts';
import type { Study } from './study.ts';
import { weightedRisk } from './weightedRisk.ts';

export interface FollowedOptions extends Omit<ViewOptions, 't'> {
  /** The surest loss for residuals as they are at an estimate. */
  readonly surestAt: (t: Vector) => Tuning['loss'];
  readonly scaleFrom: (t: Vector) => number;
}

/** The estimate of all rows alike, or `surest` where far rows do not follow the others, or there are none. */
export function followedByFar(
  { batch, ...study }: Study,
  surest: { readonly tuning: Tuning; readonly t: Vector },
  { surestAt, scaleFrom, ...options }: FollowedOptions,
): Vector {
  const { weights, byLeverage } = options;
  const isFar = byLeverage.map((weight, i) => (weight < FAR_WEIGHT * weights[i]! ? 1 : 0));
  if (!isFar.includes(1)) return surest.t;
  const alike = { ...study, weights };
  const convex = reweigh(batch, pseudoHuber(HUBER_TUNING * scaleFrom(surest.t)), surest.t, alike);
  const { loss } = surestAt(convex);
  const t = reweigh(batch, loss, convex, alike);
  const residuals = weightedRisk(batch, alike).residuals(t, new Float64Array(batch.rows));
  return areAlike(residuals, loss, isFar, weights) && isByChance(batch, surest, t, options) ? t : surest.t;
}

/** Of what a row would count without leverage. */
const FAR_WEIGHT = 1 / 2;

/** Whether far rows are as near to a fit as others are, by how much the loss lets them count. */
function areAlike(residuals: Float64Array, loss: Loss, isFar: Float64Array, weights: Float64Array): boolean {
  const counted = residuals.map(r => (r === 0 ? 1 : loss.slope(-r, 0) / -r));
  const far = product(isFar, weights);
  const near = weights.map((weight, i) => weight - far[i]!);
  return meanOf(counted, far) >= ALIKE * meanOf(counted, near);
}

const ALIKE = 0.8;

/** Whether an estimate is no further from the surest than that one may be off. */
function isByChance(
  batch: SampleBatch,
  { tuning, t: from }: { readonly tuning: Tuning; readonly t: Vector },
  t: Vector,
  options: Omit<ViewOptions, 't'>,
): boolean {
  const { leverage } = options;
  const rank = leverage.factor.kept.length;
  const view = lossViews(batch, { ...options, t: from })(tuning);
  const moved = t.map((value, j) => value - from[j]!);
  const pull = leverage.factor.solveFactor(times(view.curvature, moved));
  const variance = rankFactor(whitened(view.with(view.influence), leverage), rank);
  return batch.rows * dot(pull, solveBy(variance, pull)) <= (BY_CHANCE + Math.sqrt(rank)) ** 2;
}

const BY_CHANCE = 2.5;
