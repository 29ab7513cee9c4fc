/**
 * Whether high-leverage rows agree with the others, so that they can have full weight: they are as near as other rows
 * to an estimate with full weights, and by Hausman's test (Econometrica 1978) this one differs from the down-weighted
 * one by no more than chance,
 *
 *   N (t - t_0)'H B^-1 H (t - t_0) <= (2 + sqrt k)^2,   H = mean of w psi' x x',   B = mean of (w psi)^2 x x'
 *
 *   t_0 -> the estimate with leverage weights, of whose N rows H and B are, t -> with full weights, k -> directions
 *
 * in all directions together, and for every coefficient by itself, so that no single one uses up what all may differ
 * by. About one sample in two hundred without outliers fails. High-leverage outliers mostly fail, because a small error
 * of a slope shows most there.
 */

import { meanOf } from '../../math/meanOf.ts';
import { normalQuantile } from '../../math/normalQuantile.ts';
import { rankFactor } from '../../math/rankFactor.ts';
import { times } from '../../math/times.ts';
import { dot, subtract, type Vector } from '../../math/vector.ts';
import type { Loss } from '../../method/loss/loss.ts';
import type { SampleBatch } from '../../sample/sampleBatch.ts';
import type { TunedEstimate } from './chooseTuning.ts';
import { solveBy } from './curvatureFactor.ts';
import { type EquationOptions, estimatingEquations, whitened } from './estimatingEquations.ts';
import { product } from './product.ts';
import { standardErrors } from './standardErrors.ts';
import { weightedRisk } from './weightedRisk.ts';

export type LeverageOptions = Omit<EquationOptions, 't'>;

/** Whether leverage weights cut any row to less than half. */
export const hasHighLeverage = ({
  weights,
  leverageWeights,
}: Pick<LeverageOptions, 'weights' | 'leverageWeights'>): boolean =>
  leverageWeights.some((weight, i) => isFar(weight, weights[i]!));

/** `weighted` is the estimate with leverage weights, `full` the one without. */
export function highLeverageAgrees(
  batch: SampleBatch,
  weighted: TunedEstimate,
  full: { readonly loss: Loss; readonly t: Vector },
  options: LeverageOptions,
): boolean {
  return fitsAsWell(batch, full, options) && isByChance(batch, weighted, full.t, options);
}

const isFar = (leverageWeights: number, weight: number): boolean => leverageWeights < FAR_WEIGHT * weight;
const FAR_WEIGHT = 1 / 2;

/** Whether high-leverage rows get as much weight from the loss as other rows do, but for chance. */
function fitsAsWell(
  batch: SampleBatch,
  { loss, t }: { readonly loss: Loss; readonly t: Vector },
  { intercept, weights, leverageWeights }: LeverageOptions,
): boolean {
  const residuals = weightedRisk(batch, { intercept, weights }).residuals(t, new Float64Array(batch.rows));
  const counted = residuals.map(r => (r === 0 ? 1 : loss.slope(-r, 0) / -r));
  const far = weights.map((weight, i) => (isFar(leverageWeights[i]!, weight) ? weight : 0));
  const near = weights.map((weight, i) => weight - far[i]!);
  const usual = meanOf(counted, near);
  const variance = meanOf(product(counted, counted), near) - usual ** 2;
  const chance = SURE * Math.sqrt(Math.max(0, variance) / far.filter(weight => weight > 0).length);
  return meanOf(counted, far) >= AS_WELL * usual - chance;
}

const AS_WELL = 0.8;
const SURE = 2;

function isByChance(
  batch: SampleBatch,
  { tuning, t: from }: TunedEstimate,
  t: Vector,
  options: LeverageOptions,
): boolean {
  const { leverage, intercept, leverageWeights } = options;
  const rank = leverage.factor.kept.length;
  const moved = subtract(t, from);
  const errors = standardErrors(batch, {
    loss: tuning.loss.loss,
    t: from,
    weights: leverageWeights,
    intercept,
  });
  const furthest = normalQuantile(1 - BY_CHANCE / (2 * rank));
  if (moved.some((shift, j) => Math.abs(shift) > furthest * errors[j]!)) return false;
  const view = estimatingEquations(batch, { ...options, t: from })(tuning);
  const pull = leverage.factor.solveFactor(times(view.curvature, moved));
  const variance = rankFactor(whitened(view.crossMoments(view.influence), leverage), rank);
  return batch.rows * dot(pull, solveBy(variance, pull)) <= (FURTHER + Math.sqrt(rank)) ** 2;
}

/** For all coefficients together. */
const BY_CHANCE = 0.003;
/** One sample in three hundred is beyond it by chance, in one direction or many. */
const FURTHER = 2;
