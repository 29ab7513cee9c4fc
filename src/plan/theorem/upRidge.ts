import { requireInteger, requirePositive } from '../../errors.ts';
import { acceleratedContraction, acceleratedStep } from '../../method/rule/acceleratedFrankWolfe.ts';
import type { Budget } from '../../privacy/gaussianNoise.ts';
import { paperPrivacy } from './paperPrivacy.ts';
import { type Prescription, prescription, stepsToShrink } from './prescription.ts';

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
}: Budget & {
  readonly rows: number;
  readonly features: number;
  readonly radius: number;
  readonly gradientRatio: number;
  /** The largest eigenvalue of X'X/n; at most p on this domain. */
  readonly smoothness?: number;
}): Prescription {
  requireInteger('rows', rows, 1);
  requireInteger('features', features, 1);
  requirePositive('radius', radius);
  requirePositive('gradientRatio', gradientRatio);
  requirePositive('smoothness', smoothness);
  const gradientFloor = gradientRatio * smoothness * radius;
  const acceleration = { strongConvexity: 1 / radius, gradientFloor, smoothness };
  const contraction = acceleratedContraction(acceleration);
  const steps = stepsToShrink(contraction, rows);
  const lipschitz = Math.sqrt(features) + features * radius;
  const { privacy, smallEpsilon } = paperPrivacy('composed', { epsilon, delta, lipschitz, rows, steps });
  return prescription({
    theorem: 'UPRidge',
    rule: 'accelerated-frank-wolfe',
    mode: 'full',
    steps,
    chunkRows: rows,
    stepSize: acceleratedStep(acceleration),
    radius,
    gradientFloor,
    contraction,
    estimator: { kind: 'mean' },
    privacy,
    claim: { quantity: 'risk', rate: '(sqrt p + p D) D sqrt p / (n eps)', exponent: -1 },
    conditions: [smallEpsilon],
  });
}
