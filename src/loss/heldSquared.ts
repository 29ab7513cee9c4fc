import { requirePositive } from '../math/check.ts';
import { times } from './domain.ts';
import { anyTarget, type Loss } from './loss.ts';

/**
 * Squared error whose slope is held to c, which is Huber's loss, for gradients that are bounded wherever theta is:
 *
 *   value = r^2 / 2 for |r| <= c,   c |r| - c^2 / 2 beyond;   slope = r, held to [-c, c];   r = s - y
 *   L2 = c L_x for every y and theta,   smoothness = L_x^2
 *
 *   s -> score, y -> target, c -> most, L_x -> domain.norm
 *
 * Where no two targets are further apart than c, it is the squared loss for every score that is a possible target, and
 * its minimum is the mean as long as scores there are.
 */
export function heldSquared(most: number): Loss {
  requirePositive('most', most);
  return Object.freeze<Loss>({
    name: `heldSquared(${most})`,
    targets: anyTarget,
    penalty: 0,
    value(score, target) {
      const r = Math.abs(score - target);
      return r <= most ? r ** 2 / 2 : most * (r - most / 2);
    },
    slope: (score, target) => Math.min(most, Math.max(-most, score - target)),
    lipschitz: ({ norm }) => times(most, norm),
    smoothness: ({ norm }) => norm ** 2,
  });
}
