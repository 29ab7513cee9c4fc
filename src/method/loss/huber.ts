import { requirePositive } from '../../errors.ts';
import { times } from './domain.ts';
import { anyTarget, type Loss } from './loss.ts';

/**
 * Squared error with its slope clipped at c (Huber's loss), so that gradients are bounded for every theta:
 *
 *   value = r^2 / 2 for |r| <= c,   c |r| - c^2 / 2 beyond;   slope = r, clipped to [-c, c];   r = s - y
 *   L2 = c L_x for every y and theta,   smoothness = L_x^2
 *
 *   s -> score, y -> target, c -> most, L_x -> domain.norm
 *
 * If the range of the targets is at most c, it equals the squared loss at every score within that range, and its
 * minimiser is the mean as long as the scores stay in the range.
 */
export function huber(most: number): Loss {
  requirePositive('most', most);
  return Object.freeze<Loss>({
    name: `huber(${most})`,
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
