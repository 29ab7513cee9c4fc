import { requirePositive } from '../../errors.ts';
import { acceleratedGlm, checkGlmProblem, type GlmProblem } from './glmProblem.ts';
import { forClaim, type Prescription } from './prescription.ts';

/**
 * Theorem ERM_GLM_UP (see glmProblem.ts for the setting and the names): a ball of fixed radius D < ||theta*||.
 *
 *   C2 = Phi''(L_x ||theta*||) lambda_min (||theta*|| - D)/4, r = C2, T = log_{1/c}(n) ~ log n
 *   n > ((sqrt(C1 log(2n)) + 1)/C2)^4
 *
 * The bound holds in expectation, so no failure probability enters.
 */
export function ermGlmUp({ radius, ...given }: GlmProblem & { readonly radius: number }): Prescription {
  const problem = checkGlmProblem(given);
  requirePositive('radius', radius);
  const { rows, truthNorm, varianceAtTruth, smallestEigenvalue, concentration } = problem;
  const gradientFloor = (varianceAtTruth * smallestEigenvalue * (truthNorm - radius)) / 4;
  const leastRows = ((Math.sqrt(concentration * Math.log(2 * rows)) + 1) / gradientFloor) ** 4;
  return acceleratedGlm(problem, {
    theorem: 'ERM_GLM_UP',
    radius,
    gradientFloor,
    claim: { quantity: 'risk', rate: '1/(n eps)', exponent: -1 },
    conditions: [forClaim('n > ((sqrt(C1 log 2n) + 1)/C2)^4', rows > leastRows, { n: rows, bound: leastRows })],
  });
}
