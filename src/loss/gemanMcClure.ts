import { requirePositive } from '../math/check.ts';
import { times } from './domain.ts';
import { anyTarget, type Loss } from './loss.ts';

/**
 * Geman and McClure's loss (1987): quadratic for residuals well below q, and level far above, so that rows which do not
 * belong are left out of account.
 *
 *   value = r^2 / (2 (1 + (r/q)^2)),   slope = r / (1 + (r/q)^2)^2,   r = s - y
 *   L2 = (3 sqrt 3 / 16) q L_x for every y, where r = q / sqrt 3;   smoothness = L_x^2
 *
 *   s -> score, y -> target, q -> q, L_x -> domain.norm
 *
 * It is not convex: a start that is near the answer decides which minimum is found, and no theorem of the paper is
 * about it.
 */
export function gemanMcClure(q: number): Loss {
  requirePositive('q', q);
  const furthest = FURTHEST * q;
  return Object.freeze<Loss>({
    name: `gemanMcClure(${q})`,
    kernel: Object.freeze({ kind: 'geman-mcclure', parameter: q }),
    targets: anyTarget,
    penalty: 0,
    value(score, target) {
      const a = Math.abs(score - target);
      // The ratio that is at most 1 is the one to square.
      return a <= q ? (a * a) / (2 * (1 + (a / q) ** 2)) : (q * q) / (2 * (1 + (q / a) ** 2));
    },
    slope(score, target) {
      const r = score - target;
      const a = Math.min(Math.abs(r), furthest);
      const d = 1 + (a / q) ** 2;
      return (Math.sign(r) * a) / (d * d);
    },
    lipschitz: domain => times(((3 * Math.sqrt(3)) / 16) * q, domain.norm),
    smoothness: domain => domain.norm ** 2,
  });
}

/** In q: the slope is 0 from here on, and residuals that overflow would make it NaN. */
export const FURTHEST = 1e100;
