import type { Budget } from '../../privacy/gaussianNoise.ts';
import { accelerated } from './accelerated.ts';
import { paperPrivacy } from './paperPrivacy.ts';
import { type Numbers, type Prescription, prescription, requireNumbers } from './prescription.ts';

/**
 * Theorem UPRidge: private accelerated Frank-Wolfe (alg:PrivFWERM) for the squared loss on |y| <= 1, ||x||_inf <= 1.
 *
 *   C = B2(D), L2 = sqrt p + p D, r = S1 beta_L / alpha_C, eta = min{1, S1/4}
 *   c = max{1/2, 1 - S1/8}, T = log_{1/c}(n), excess risk (sqrt p + p D) D sqrt p / (n eps)
 *
 *   S1 -> gradientRatio (inf over C of alpha_C ||gradient|| / beta_L), D -> radius, beta_L -> smoothness
 */
export function upRidge({
  rows,
  features,
  radius,
  gradientRatio,
  smoothness = features,
  epsilon,
  delta,
}: Budget &
  Numbers<'rows' | 'features' | 'radius' | 'gradientRatio'> & {
    /** The largest eigenvalue of X'X/n; at most p on this domain. */
    readonly smoothness?: number;
  }): Prescription {
  requireNumbers({ rows, features, radius, gradientRatio, smoothness });
  const gradientFloor = gradientRatio * smoothness * radius;
  const fast = accelerated({ radius, gradientFloor, smoothness, shrinkage: rows });
  const lipschitz = Math.sqrt(features) + features * radius;
  const { run, smallEpsilon } = paperPrivacy('composed', { epsilon, delta, lipschitz, rows, steps: fast.steps });
  return prescription({
    theorem: 'UPRidge',
    ...fast,
    ...run,
    claim: { quantity: 'risk', rate: '(sqrt p + p D) D sqrt p / (n eps)', exponent: -1 },
    conditions: [smallEpsilon],
  });
}
