import { acceleratedContraction, acceleratedStep } from '../../method/rule/acceleratedFrankWolfe.ts';
import { type Numbers, type Prescription, stepsToShrink } from './prescription.ts';

/**
 * Accelerated Frank-Wolfe on C = B2(D), once r (or u), beta_L (or tau_u) and the `shrinkage` x of T = log_{1/c}(x) are
 * known:
 *
 *   alpha_C = 1/D, eta = min{1, alpha_C r / (4 beta_L)}, c = max{1/2, 1 - alpha_C r / (8 beta_L)}
 *
 *   D -> radius, r -> gradientFloor, beta_L -> smoothness, c -> contraction
 *
 * Edge cases. Where D or r is not above 0 nothing contracts: T is infinite.
 */
export function accelerated({
  radius,
  gradientFloor,
  smoothness,
  shrinkage,
}: Numbers<'radius' | 'gradientFloor' | 'smoothness' | 'shrinkage'>) {
  const acceleration = { strongConvexity: 1 / radius, gradientFloor, smoothness };
  const usable = radius > 0 && gradientFloor > 0;
  const contraction = usable ? acceleratedContraction(acceleration) : 1;
  return {
    rule: 'accelerated-frank-wolfe',
    steps: stepsToShrink(contraction, shrinkage),
    stepSize: usable ? acceleratedStep(acceleration) : 0,
    ...{ radius, gradientFloor, contraction },
  } as const satisfies Partial<Prescription>;
}
