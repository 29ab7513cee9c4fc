import { requirePositive } from '../../errors.ts';
import { times } from './domain.ts';
import { anyTarget, type Loss } from './loss.ts';

/**
 * Tukey's biweight (Beaton and Tukey 1974): quadratic for residuals well below c and constant from c on, so that rows
 * with larger residuals are rejected.
 *
 *   value = c^2/6 (1 - (1 - u)^3),   slope = r (1 - u)^2,   u = min(1, (r/c)^2),   r = s - y
 *   L2 = (16/25) c/sqrt 5 L_x for every y, where r = c / sqrt 5;   smoothness = L_x^2
 *
 *   s -> score, y -> target, c -> c, L_x -> domain.norm
 *
 * It is not convex: the start decides which minimum is found, so it should be close to the solution. None of the
 * paper's theorems applies.
 *
 * @example
 * tukey(4.685).slope(10, 0); // 0
 */
export function tukey(c: number): Loss {
  requirePositive('c', c);
  return Object.freeze<Loss>({
    name: `tukey(${c})`,
    kernel: Object.freeze({ kind: 'tukey', parameter: c }),
    targets: anyTarget,
    penalty: 0,
    value(score, target) {
      const ratio = Math.min(1, Math.abs(score - target) / c);
      const u = ratio * ratio;
      // 1 - (1 - u)^3, without cancellation for small residuals.
      return ((c * c) / 6) * u * (3 - u * (3 - u));
    },
    slope(score, target) {
      const r = score - target;
      const a = Math.min(Math.abs(r), c);
      const rest = 1 - (a / c) ** 2;
      return Math.sign(r) * a * rest * rest;
    },
    lipschitz: domain => times((16 / 25 / Math.sqrt(5)) * c, domain.norm),
    smoothness: domain => domain.norm ** 2,
  });
}
