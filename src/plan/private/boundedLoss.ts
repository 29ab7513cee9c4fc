import { huber } from '../../method/loss/huber.ts';
import type { Loss } from '../../method/loss/loss.ts';
import { poisson } from '../../method/loss/poisson.ts';
import { ridge } from '../../method/loss/ridge.ts';
import { squared } from '../../method/loss/squared.ts';
import { type Scaling, scaledTarget } from '../../sample/transform/scaling.ts';

/**
 * The loss that a private plan uses in place of one whose gradients only a radius would bound. Targets are clamped to
 * their declared bounds, so nothing is lost by bounding the predictions likewise. A radius, in contrast, would have to
 * be known, and would stop the coefficients of features that fill little of their bounds far from the solution.
 */
export function boundedLoss(loss: Loss, scaling: Scaling): Loss {
  if (isLike(loss, squared())) return likewise(squaredWithin(scaling), loss);
  return isLike(loss, poisson()) ? likewise(poissonWithin(scaling), loss) : loss;
}

/** Whether a loss is the squared loss with its residuals bounded by this scaling. */
export const isSquaredWithin = (loss: Loss, scaling: Scaling): boolean => isLike(loss, squaredWithin(scaling));

/** Whether a loss is the Poisson loss with its scores bounded by this scaling. */
export const isPoissonWithin = (loss: Loss, scaling: Scaling): boolean => isLike(loss, poissonWithin(scaling));

/** No two possible targets differ by more. */
const squaredWithin = ({ target, targetBounds: { least, most } }: Scaling): Loss =>
  huber((most - least) / target.scale);

/** Rates are bounded by the largest count, or by e where that is less; counts beyond e^30 gain nothing. */
const poissonWithin = (scaling: Scaling): Loss =>
  poisson({ largestScore: Math.min(30, Math.max(1, Math.log(scaledTarget(scaling)))) });

const likewise = (loss: Loss, { penalty }: Loss): Loss => (penalty > 0 ? ridge(loss, penalty) : loss);

/** Whether it is that loss, up to a penalty. */
const isLike = (loss: Loss, other: Loss): boolean => loss.name === likewise(other, loss).name;
