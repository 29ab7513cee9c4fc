import { meanOf } from '../../../math/median.ts';
import { normalQuantile } from '../../../math/normalQuantile.ts';
import { rankFactor } from '../../../math/rankFactor.ts';
import { dot, product, subtract, times, type Vector } from '../../../math/vector.ts';
import type { Loss } from '../../../method/loss/loss.ts';
import { squared } from '../../../method/loss/squared.ts';
import type { SampleBatch } from '../../../sample/sampleBatch.ts';
import { solveBy, standardErrors } from '../risk/curvatureFactor.ts';
import { weightedRisk } from '../risk/weightedRisk.ts';
import type { TunedEstimate, Tuning } from './chooseTuning.ts';
import type { Leverage } from './leverage.ts';

export type LeverageOptions = Omit<EquationOptions, 't'>;

/** Whether leverage weights cut any row to less than half. */
export const hasHighLeverage = ({
  weights,
  leverageWeights,
}: Pick<LeverageOptions, 'weights' | 'leverageWeights'>): boolean =>
  leverageWeights.some((weight, i) => isFar(weight, weights[i]!));

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
 *
 * `weighted` is the estimate with leverage weights, `full` the one without.
 */
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

interface EquationOptions {
  readonly intercept: boolean;
  readonly leverage: Leverage;
  /** Case weights, and the same times leverage weights. */
  readonly weights: Float64Array;
  readonly leverageWeights: Float64Array;
  /** The estimate at which they are compared. */
  readonly t: Vector;
}

interface EstimatingEquation {
  /** w psi of every row. */
  readonly influence: Float64Array;
  readonly gradient: Vector;
  /** H = mean of w psi' x x' */
  readonly curvature: Float64Array;
  /** Mean of (w psi) (w psi)' x x', the second with the influence of another equation. */
  crossMoments(other: Float64Array): Float64Array;
}

/**
 * The estimating equations of several losses at one estimate, to compare the losses: influence, gradient and curvature.
 */
function estimatingEquations(
  batch: SampleBatch,
  { intercept, t, ...options }: EquationOptions,
): (tuning: Tuning) => EstimatingEquation {
  const { rows, target } = batch;
  const unweighted = weightedRisk(batch, { intercept, weights: options.weights });
  const residuals = unweighted.residuals(t, new Float64Array(rows));
  const momentsBy = (weights: Float64Array): Float64Array =>
    weightedRisk(batch, { intercept, weights }).derivatives(squared(), t).curvature;
  return ({ loss: { loss }, isWeighted }) => {
    const weights = isWeighted ? options.leverageWeights : options.weights;
    const risk = weightedRisk(batch, { intercept, weights });
    const { gradient, curvature } = risk.derivatives(loss, t);
    const influence = residuals.map((r, i) => weights[i]! * loss.slope(target[i]! - r, target[i]!));
    return {
      influence,
      gradient,
      curvature,
      crossMoments: other => momentsBy(influence.map((value, i) => value * other[i]!)),
    };
  };
}

/** L^-1 A L'^-1 in the coordinates of M = L L', the intercept's first. */
function whitened(matrix: Float64Array, { factor }: Leverage): Float64Array {
  const { size } = factor;
  const rank = factor.kept.length;
  const half = Array.from({ length: size }, (_, j) => factor.solveFactor(matrix.subarray(j * size, (j + 1) * size)));
  const found = new Float64Array(rank * rank);
  for (let k = 0; k < rank; k++) {
    found.set(factor.solveFactor(Float64Array.from(half, row => row[k]!)), k * rank);
  }
  return symmetric(found, rank);
}

/** Removes the rounding error between the two triangles. */
function symmetric(matrix: Float64Array, size: number): Float64Array {
  return matrix.map((value, at) => (value + matrix[(at % size) * size + Math.floor(at / size)]!) / 2);
}
