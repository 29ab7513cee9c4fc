/**
 * What the risk of a loss curves like at a point, and what to go by where that is not sound.
 *
 * A loss that is not convex may hardly curve in directions that few rows have, or down, and steps there would go
 * anywhere. Least squares weighted by slope/r, from which rows that do not count are left out, curve more. Other
 * targets than linear ones have losses that are convex.
 */
import type { Loss } from '../loss/loss.ts';
import type { Vector } from '../math/vector.ts';
import { FLATTEST } from './settle.ts';
import type { WeightedRisk } from './weightedRisk.ts';

export interface Curvatures {
  /** That of the loss itself. */
  readonly own: Float64Array;
  /** That of the least squares which it amounts to; of a convex loss its own. */
  readonly weighted: Float64Array;
  /**
   * What the loss's own has above the flattest share of `weighted`: it is sound where this has the rank that it should
   * have.
   */
  readonly above: Float64Array;
}

export function curvaturesAt(risk: WeightedRisk, loss: Loss, at: Vector): Curvatures {
  const own = risk.derivatives(loss, at).curvature;
  if (loss.targets.least > -Infinity) return { own, weighted: own, above: own };
  const weighted = risk.reweighted(loss, at).curvature;
  return { own, weighted, above: own.map((value, place) => value - FLATTEST * weighted[place]!) };
}
