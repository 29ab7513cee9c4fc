import { refuse, requirePositive } from '../../errors.ts';
import { acceleratedGlm, checkGlmProblem, type GlmProblem, gradientDeviation } from './glmProblem.ts';
import type { Prescription } from './prescription.ts';

/**
 * Theorem ERM_GLM_UP_General (see glmProblem.ts for the setting and the names):
 *
 *   0 < r <= Phi''(L_x ||theta*||) lambda_min (||theta*|| - D)/2 - sqrt(C1 log(2/zeta)/n) - n^-q,   q < 1/2
 *
 * r is taken at its upper end. q -> slackExponent, D -> radius.
 */
export function ermGlmUpGeneral({
  radius,
  failureProbability,
  slackExponent = 2 / 5,
  ...given
}: GlmProblem & {
  readonly radius: number;
  readonly failureProbability: number;
  readonly slackExponent?: number;
}): Prescription {
  const problem = checkGlmProblem(given);
  requirePositive('radius', radius);
  if (!(slackExponent > 0 && slackExponent < 1 / 2)) refuse('slackExponent', 'be in (0, 1/2)', slackExponent);
  const { rows, truthNorm, varianceAtTruth, smallestEigenvalue } = problem;
  const gradientFloor =
    (varianceAtTruth * smallestEigenvalue * (truthNorm - radius)) / 2 -
    gradientDeviation(problem, failureProbability) -
    rows ** -slackExponent;
  return acceleratedGlm(problem, {
    theorem: 'ERM_GLM_UP_General',
    radius,
    gradientFloor,
    claim: { quantity: 'risk', rate: '1/(n eps)', exponent: -1 },
    conditions: [],
  });
}
