/**
 * The estimating equations of several losses at one estimate, to compare the losses: influence, gradient and curvature.
 */

import type { Vector } from '../../math/vector.ts';
import { squared } from '../../method/loss/squared.ts';
import type { SampleBatch } from '../../sample/sampleBatch.ts';
import type { Tuning } from './chooseTuning.ts';
import type { Leverage } from './leverage.ts';
import { weightedRisk } from './weightedRisk.ts';

export interface EquationOptions {
  readonly intercept: boolean;
  readonly leverage: Leverage;
  /** Case weights, and the same times leverage weights. */
  readonly weights: Float64Array;
  readonly leverageWeights: Float64Array;
  /** The estimate at which they are compared. */
  readonly t: Vector;
}

export interface EstimatingEquation {
  /** w psi of every row. */
  readonly influence: Float64Array;
  readonly gradient: Vector;
  /** H = mean of w psi' x x' */
  readonly curvature: Float64Array;
  /** Mean of (w psi) (w psi)' x x', the second with the influence of another equation. */
  crossMoments(other: Float64Array): Float64Array;
}

export function estimatingEquations(
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
export function whitened(matrix: Float64Array, { factor }: Leverage): Float64Array {
  const { size } = factor;
  const rank = factor.kept.length;
  const half = Array.from({ length: size }, (_, j) =>
    factor.solveFactor(matrix.subarray(j * size, (j + 1) * size)),
  );
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
