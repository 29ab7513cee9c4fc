/**
 * What the risk of a loss curves like at a point, and what to go by where that is not sound.
 *
 * A loss that is not convex may hardly curve in directions that few rows have, or down, and steps there would go
 * anywhere. Least squares reweighted by slope/r, from which rows that do not count are left out, curve more. Other
 * targets than linear ones have losses that are convex.
 */
import type { Loss } from '../loss/loss.ts';
import type { Vector } from '../math/vector.ts';
import { LEAST_CURVATURE } from './minimize.ts';
import type { WeightedRisk } from './weightedRisk.ts';

export interface LossCurvatures {
  /** That of the loss itself. */
  readonly hessian: Float64Array;
  /** That of the least squares which it amounts to; of a convex loss its hessian. */
  readonly reweighted: Float64Array;
  /**
   * What the loss's hessian has above the flattest share of `reweighted`: it is sound where this has the rank that it should
   * have.
   */
  readonly margin: Float64Array;
}

export function lossCurvatures(risk: WeightedRisk, loss: Loss, at: Vector): LossCurvatures {
  const hessian = risk.derivatives(loss, at).curvature;
  if (loss.targets.least > -Infinity) return { hessian, reweighted: hessian, margin: hessian };
  const reweighted = risk.reweighted(loss, at).curvature;
  return {
    hessian,
    reweighted,
    margin: hessian.map((value, place) => value - LEAST_CURVATURE * reweighted[place]!),
  };
}
