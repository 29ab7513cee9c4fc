import { requirePositive } from '../../errors.ts';
import { times } from './domain.ts';
import { anyTarget, type Loss } from './loss.ts';

/**
 * Pseudo-Huber loss (lemma pHu_prelim): quadratic for residuals below q, linear above.
 *
 *   value = rho_q(r) = q^2 (sqrt(1 + (r/q)^2) - 1),   slope = psi_q(r) = r / sqrt(1 + (r/q)^2),   r = s - y
 *   L2 = q L_x for every y,   smoothness = L_x^2
 *
 *   s -> score, y -> target, q -> q, L_x -> domain.norm
 *
 * The formula as printed cancels for |r| << q and overflows for |r| >> q. With a = |r|,
 *   rho_q = a^2 / (1 + sqrt(1 + (a/q)^2)) = q a / (q/a + sqrt(1 + (q/a)^2)),
 * and the code squares whichever ratio is at most 1. So |slope| <= q even after rounding.
 *
 * @example
 * pseudoHuber(1).slope(0, 100); // -1
 */
export function pseudoHuber(q: number): Loss {
  requirePositive('q', q);
  return Object.freeze<Loss>({
    name: `pseudoHuber(${q})`,
    kernel: Object.freeze({ kind: 'pseudo-huber', parameter: q }),
    targets: anyTarget,
    penalty: 0,
    value(score, target) {
      const a = Math.abs(score - target);
      return a <= q ? a * (a / (1 + root(a / q))) : q * (a / (q / a + root(q / a)));
    },
    slope(score, target) {
      const r = score - target;
      return Math.abs(r) <= q ? r / root(r / q) : (Math.sign(r) * q) / root(q / r);
    },
    lipschitz: domain => times(q, domain.norm),
    smoothness: domain => domain.norm ** 2,
  });
}

const root = (ratio: number): number => Math.sqrt(1 + ratio ** 2);
