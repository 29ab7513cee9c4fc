import type { Budget } from '../../privacy/gaussianNoise.ts';
import { accelerated } from './accelerated.ts';
import { bound, log, type UpToConstant } from './bound.ts';
import { paperPrivacy } from './paperPrivacy.ts';
import { type Numbers, type Prescription, prescription, requireNumbers } from './prescription.ts';

/**
 * Theorem UPRidge: private accelerated Frank-Wolfe (alg:PrivFWERM) for the squared loss on |y| <= 1, ||x||_inf <= 1.
 *
 *   C = B2(D), L2 = sqrt p + p D, r = S1 beta_L / alpha_C, eta = min{1, S1/4}
 *   c = max{1/2, 1 - S1/8}, T = log_{1/c}(n), excess risk (sqrt p + p D) D sqrt p / (n eps); ||C|| = 2 D in the bound
 *
 *   S1 -> gradientRatio (inf over C of alpha_C ||gradient|| / beta_L: a hypothesis about the rows, which are not read
 *   here), D -> radius, beta_L -> smoothness
 */
export function upRidge({
  rows,
  features,
  radius,
  gradientRatio,
  smoothness = features,
  epsilon,
  delta,
  claimConstant = 1,
}: Budget &
  UpToConstant &
  Numbers<'rows' | 'features' | 'radius' | 'gradientRatio'> & {
    /** The largest eigenvalue of X'X/n; at most p on this domain. */
    readonly smoothness?: number;
  }): Prescription {
  requireNumbers({ rows, features, radius, gradientRatio, smoothness, claimConstant });
  const gradientFloor = gradientRatio * smoothness * radius;
  const fast = accelerated({ radius, gradientFloor, smoothness, shrinkage: rows });
  const diameter = 2 * radius;
  const lipschitz = Math.sqrt(features) + features * radius;
  const { run, smallEpsilon } = paperPrivacy('composed', { epsilon, delta, lipschitz, rows, steps: fast.steps });
  return prescription({
    theorem: 'UPRidge',
    ...fast,
    ...run,
    claim: { quantity: 'risk', rate: '(sqrt p + p D) D sqrt p / (n eps)', exponent: -1 },
    bound: bound({
      formula: '(sqrt p + p ||C||) ||C|| sqrt p log^(3/2)(n) log(log n / delta) / (n eps)',
      value:
        (Math.sqrt(features) + features * diameter) *
        diameter *
        Math.sqrt(features) *
        log(rows) ** 1.5 *
        (log(log(rows) / delta) / (rows * epsilon)),
      claimConstant,
    }),
    conditions: [smallEpsilon],
  });
}
