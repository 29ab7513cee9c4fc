/**
 * The curvature of a risk at a point, and a substitute where it is unsafe.
 *
 * The Hessian of a non-convex loss may be nearly 0 or negative along directions that few rows determine, and Newton
 * steps would go anywhere. The curvature of iteratively reweighted least squares, with weights slope/r, is larger.
 * Losses of generalized linear models are convex.
 */

import type { Vector } from '../../math/vector.ts';
import type { Loss } from '../../method/loss/loss.ts';
import { LEAST_CURVATURE } from './minimize.ts';
import type { WeightedRisk } from './weightedRisk.ts';

export interface LossCurvatures {
  /** Of the loss. */
  readonly hessian: Float64Array;
  /** Of the reweighted least squares; the Hessian for a convex loss. */
  readonly reweighted: Float64Array;
  /** The Hessian less LEAST_CURVATURE of the reweighted one: the Hessian is safe where this has full rank. */
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
