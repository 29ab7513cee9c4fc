import { scoreBound, times } from './domain.ts';
import { anyTarget, type Loss } from './loss.ts';

/**
 * Squared error (example LR_Squared_Loss, theorem UPRidge):
 *
 *   value = (y - s)^2 / 2,   slope = s - y,   L2 = L_x (K_y + L_x D),   smoothness = L_x^2
 *
 *   s -> score, y -> target, L_x -> domain.norm, K_y -> domain.target, D -> domain.radius
 *
 * For ||x||_inf <= 1 and |y| <= 1 this is the theorem's L2 = sqrt(p) + p D.
 *
 * @example
 * squared().slope(3, 1); // 2
 */
export const squared = (): Loss =>
  Object.freeze<Loss>({
    name: 'squared',
    kernel: Object.freeze({ kind: 'squared', parameter: 0 }),
    targets: anyTarget,
    penalty: 0,
    value: (score, target) => (score - target) ** 2 / 2,
    slope: (score, target) => score - target,
    lipschitz: domain => times(domain.norm, domain.target + scoreBound(domain)),
    smoothness: domain => domain.norm ** 2,
  });
