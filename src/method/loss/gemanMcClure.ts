import { requirePositive } from '../../errors.ts';
import { times } from './domain.ts';
import { anyTarget, type Loss } from './loss.ts';

/**
 * Geman and McClure's loss (1987): quadratic for residuals well below q and flat far above, so that outliers get almost
 * no weight.
 *
 *   value = r^2 / (2 (1 + (r/q)^2)),   slope = r / (1 + (r/q)^2)^2,   r = s - y
 *   L2 = (3 sqrt 3 / 16) q L_x for every y, where r = q / sqrt 3;   smoothness = L_x^2
 *
 *   s -> score, y -> target, q -> q, L_x -> domain.norm
 *
 * It is not convex: the start decides which minimum is found, so it should be close to the solution. None of the
 * paper's theorems applies.
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
      // Squares whichever ratio is at most 1, to avoid overflow.
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

/** In units of q: beyond this the slope is set to 0, because residuals that overflow would make it NaN. */
export const FURTHEST = 1e100;
