/**
 * Whether rows far out in their features follow the others, so that they may count as much as these: where they are as
 * near as others are to an estimate of all rows alike, and where this one is no further from one that counts them little
 * than chance explains (Hausman, Econometrica 1978),
 *
 *   N (t - t_0)'H B^-1 H (t - t_0) <= (2 + sqrt k)^2,   H = mean of w psi' x x',   B = mean of (w psi)^2 x x'
 *
 *   t_0 -> the estimate that counts far rows little, of whose N rows H and B are, t -> of all alike, k -> directions
 *
 * in all directions together, and of every coefficient by itself, so that none takes up what all may differ by. Of rows
 * that belong, one sample in two hundred or so is beyond that. Rows of a law of their own mostly are, for they lie where a
 * slope that is a little off shows most.
 */
import type { Loss } from '../loss/loss.ts';
import { meanOf } from '../math/meanOf.ts';
import { normalQuantile } from '../math/normalQuantile.ts';
import { rankFactor } from '../math/rankFactor.ts';
import { times } from '../math/times.ts';
import { dot, subtract, type Vector } from '../math/vector.ts';
import type { SampleBatch } from '../sample/sampleBatch.ts';
import { solveBy } from './curvatureFactor.ts';
import { type EquationOptions, estimatingEquations, whitened } from './estimatingEquations.ts';
import { product } from './product.ts';
import type { TunedEstimate } from './readmitRejected.ts';
import { standardErrors } from './standardErrors.ts';
import { weightedRisk } from './weightedRisk.ts';

export type LeverageOptions = Omit<EquationOptions, 't'>;

/** By their leverage. */
export const hasHighLeverage = ({
  weights,
  leverageWeights,
}: Pick<LeverageOptions, 'weights' | 'leverageWeights'>): boolean =>
  leverageWeights.some((weight, i) => isFar(weight, weights[i]!));

/** Estimates with weights by leverage, and of all rows alike. */
export function highLeverageAgrees(
  batch: SampleBatch,
  weighted: TunedEstimate,
  alike: { readonly loss: Loss; readonly t: Vector },
  options: LeverageOptions,
): boolean {
  return areAlike(batch, alike, options) && isByChance(batch, weighted, alike.t, options);
}

const isFar = (leverageWeights: number, weight: number): boolean => leverageWeights < FAR_WEIGHT * weight;
const FAR_WEIGHT = 1 / 2;

/** Whether far rows are as near to an estimate as others are, by how much the loss lets them count, but for chance. */
function areAlike(
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
  return meanOf(counted, far) >= ALIKE * usual - chance;
}

const ALIKE = 0.8;
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
  if (moved.some((apart, j) => Math.abs(apart) > furthest * errors[j]!)) return false;
  const view = estimatingEquations(batch, { ...options, t: from })(tuning);
  const pull = leverage.factor.solveFactor(times(view.curvature, moved));
  const variance = rankFactor(whitened(view.crossMoments(view.influence), leverage), rank);
  return batch.rows * dot(pull, solveBy(variance, pull)) <= (FURTHER + Math.sqrt(rank)) ** 2;
}

/** Of all coefficients together. */
const BY_CHANCE = 0.003;
/** One sample in three hundred is further by chance, of one direction or of many. */
const FURTHER = 2;
