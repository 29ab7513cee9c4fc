import type { Loss } from '../loss/loss.ts';
import { slopeOfSlope } from '../loss/slopeOfSlope.ts';
import { squared } from '../loss/squared.ts';
import type { Vector } from '../math/vector.ts';
import { curvatureFactor } from './curvatureFactor.ts';
import { lossCurvatures } from './lossCurvatures.ts';
import type { Study } from './study.ts';
import type { WeightedRisk } from './weightedRisk.ts';

/**
 * The curvature at a point; mean slope^2 over mean bend, which is the noise of one coordinate; and the sums of all
 * bends and of those above 0.
 */
export function pilotCurvature(
  { batch, weights, penalties, intercept }: Study,
  loss: Loss,
  t: Vector,
  risk: WeightedRisk,
): { curvature: Float64Array; slopes: number; bends: number; rising: number } {
  const { target, rows } = batch;
  const residuals = risk.residuals(t, new Float64Array(rows));
  let [squares, bends, rising] = [0, 0, 0];
  for (let i = 0; i < rows; i++) {
    const score = target[i]! - residuals[i]!;
    squares += (weights[i]! * loss.slope(score, target[i]!)) ** 2;
    const bend = weights[i]! * slopeOfSlope(loss, score, target[i]!);
    bends += bend;
    rising += Math.max(0, bend);
  }
  const slopes = squares / bends;
  return { curvature: safeCurvature(bends / rows), slopes, bends, rising };

  /** Where rows that count leave a direction open, all rows do, at the average bend. */
  function safeCurvature(level: number): Float64Array {
    const size = penalties.length;
    const rankOf = (matrix: Float64Array): number => curvatureFactor(matrix, size, intercept).kept.length;
    const { hessian, reweighted, margin } = lossCurvatures(risk, loss, t);
    const rankAbove = rankOf(margin);
    // No matrix has more, and the moments take a look at all rows.
    if (rankAbove === size) return hessian;
    const moments = risk.derivatives(squared(), t).curvature;
    const rank = rankOf(moments);
    if (rankAbove === rank) return hessian;
    if (rankOf(reweighted) === rank) return reweighted;
    return moments.map((value, at) => {
      const penalty = at % (size + 1) === 0 ? penalties[at / (size + 1)]! : 0;
      return level * (value - penalty) + penalty;
    });
  }
}
