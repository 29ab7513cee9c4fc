import { requireFinite } from '../../errors.ts';
import { acceleratedGlm, checkGlmProblem, type GlmProblem, gradientDeviation } from './glmProblem.ts';
import { forClaim, type Prescription, required } from './prescription.ts';

export type IncreasingBall = GlmProblem & { readonly failureProbability: number; readonly radius?: number };

/**
 * Theorems ERM_UP_C_Inc and Iter_Rate_Inc_C (see glmProblem.ts for the setting and the names): the ball grows towards
 * theta*.
 *
 *   D = ||theta*|| - C3 n^(-2/5), C3 = 4/(Phi''(L_x ||theta*||) lambda_min), r = n^(-2/5) - sqrt(C1 log(2/zeta)/n)
 *   T = log_{1/c}(n) ~ n^(2/5) log n
 *
 * The constant in front of D is what the proof needs; at moderate n it leaves D below 0, so `radius` may be given
 * instead.
 */
export const ermUpCInc = (given: IncreasingBall): Prescription =>
  increasingBall(given, {
    theorem: 'ERM_UP_C_Inc',
    largestFailure: 1 / 3,
    claim: { quantity: 'risk', rate: 'n^(-4/5) / eps', exponent: -4 / 5 },
  });

/** Theorem Iter_Rate_Inc_C, about the distance to the truth; see `ermUpCInc`. */
export const iterRateIncC = (given: IncreasingBall): Prescription =>
  increasingBall(given, {
    theorem: 'Iter_Rate_Inc_C',
    largestFailure: 1 / 4,
    claim: { quantity: 'parameter', rate: 'n^(-1/2) + n^(-2/5) eps^(-1/2)', exponent: -2 / 5 },
  });

function increasingBall(
  { radius, failureProbability, ...given }: IncreasingBall,
  { largestFailure, ...stated }: Pick<Prescription, 'theorem' | 'claim'> & { readonly largestFailure: number },
): Prescription {
  const problem = checkGlmProblem(given);
  if (radius !== undefined) requireFinite('radius', radius);
  const { rows, truthNorm, varianceAtTruth, smallestEigenvalue } = problem;
  const gap = (4 / (varianceAtTruth * smallestEigenvalue)) * rows ** (-2 / 5);
  return acceleratedGlm(problem, {
    ...stated,
    radius: radius ?? truthNorm - gap,
    gradientFloor: rows ** (-2 / 5) - gradientDeviation(problem, failureProbability),
    conditions: [
      forClaim('D <= ||theta*|| - C3 n^(-2/5)', (radius ?? truthNorm - gap) <= truthNorm - gap, {
        D: radius ?? truthNorm - gap,
        bound: truthNorm - gap,
      }),
      required(`zeta < 1/${1 / largestFailure}`, failureProbability < largestFailure, {
        zeta: failureProbability,
      }),
    ],
  });
}
