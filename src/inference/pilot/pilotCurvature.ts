import type { Vector } from '../../math/vector.ts';
import type { Loss } from '../../method/loss/loss.ts';
import { slopeOfSlope } from '../../method/loss/slopeOfSlope.ts';
import { squared } from '../../method/loss/squared.ts';
import { curvatureFactor } from './curvatureFactor.ts';
import { lossCurvatures } from './lossCurvatures.ts';
import type { Study } from './study.ts';
import type { WeightedRisk } from './weightedRisk.ts';

export interface PilotCurvature {
  /** Row-major. */
  readonly matrix: Float64Array;
  /** Sum over rows of w d slope/d score, and of its positive values only. */
  readonly total: number;
  readonly positive: number;
  /** Mean (w slope)^2 over the mean curvature of a row: the variance of one coordinate, from one row. */
  readonly noise: number;
}

export function pilotCurvature(
  { batch, weights, penalties, intercept }: Study,
  loss: Loss,
  t: Vector,
  risk: WeightedRisk,
): PilotCurvature {
  const { target, rows } = batch;
  const residuals = risk.residuals(t, new Float64Array(rows));
  let [squares, total, positive] = [0, 0, 0];
  for (let i = 0; i < rows; i++) {
    const score = target[i]! - residuals[i]!;
    squares += (weights[i]! * loss.slope(score, target[i]!)) ** 2;
    const own = weights[i]! * slopeOfSlope(loss, score, target[i]!);
    total += own;
    positive += Math.max(0, own);
  }
  return { matrix: safeCurvature(total / rows), total, positive, noise: squares / total };

  /**
   * Where the rows within reach of the loss leave a direction open: second moments of all rows, times the mean
   * curvature.
   */
  function safeCurvature(level: number): Float64Array {
    const size = penalties.length;
    const rankOf = (matrix: Float64Array): number => curvatureFactor(matrix, size, intercept).kept.length;
    const { hessian, reweighted, margin } = lossCurvatures(risk, loss, t);
    const rankOfMargin = rankOf(margin);
    // Full rank: the second moments, which take a pass over all rows, cannot have more.
    if (rankOfMargin === size) return hessian;
    const moments = risk.derivatives(squared(), t).curvature;
    const rank = rankOf(moments);
    if (rankOfMargin === rank) return hessian;
    if (rankOf(reweighted) === rank) return reweighted;
    return moments.map((value, at) => {
      const penalty = at % (size + 1) === 0 ? penalties[at / (size + 1)]! : 0;
      return level * (value - penalty) + penalty;
    });
  }
}
