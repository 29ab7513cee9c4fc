import { refuse, requireFinite, requirePositive } from '../../errors.ts';
import type { Budget } from '../../privacy/gaussianNoise.ts';
import { accelerated } from './accelerated.ts';
import { paperPrivacy } from './paperPrivacy.ts';
import { forClaim, type Numbers, type Prescription, prescription, required, requireNumbers } from './prescription.ts';

/**
 * The GLM setting of theorems ERM_GLM_UP_General, ERM_UP_C_Inc, Iter_Rate_Inc_C and ERM_GLM_UP:
 * private accelerated Frank-Wolfe (alg:PrivFWERM) over C = B2(D) with theta* outside C.
 *
 *   L2 = (K_Phi' + K_y) L_x, beta_L = K_Phi'' L_x^2, alpha_C = 1/D
 *   eta = min{1, alpha_C r / (4 beta_L)}, c = max{1/2, 1 - alpha_C r / (8 beta_L)}, T = log_{1/c}(n)
 *
 *   K_Phi' -> meanBound, K_Phi'' -> varianceBound, Phi''(L_x ||theta*||) -> varianceAtTruth, K_y -> targetBound,
 *   L_x -> featureNorm, ||theta*|| -> truthNorm, lambda_min(Sigma) -> smallestEigenvalue, zeta -> failureProbability,
 *   C1 -> concentration (unknown; 1 unless given)
 */
interface GlmProblem
  extends Budget,
    Numbers<'rows' | 'meanBound' | 'varianceBound' | 'varianceAtTruth' | 'targetBound' | 'featureNorm'>,
    Numbers<'truthNorm' | 'smallestEigenvalue'> {
  readonly concentration?: number;
}

function checkGlmProblem(problem: GlmProblem): Required<GlmProblem> {
  const { rows, concentration = 1, meanBound, varianceBound, varianceAtTruth, targetBound } = problem;
  const { featureNorm, truthNorm, smallestEigenvalue } = problem;
  requireNumbers({ rows, concentration, meanBound, varianceBound, varianceAtTruth, targetBound });
  requireNumbers({ featureNorm, truthNorm, smallestEigenvalue });
  return { ...problem, concentration };
}

/** sqrt(C1 log(2/zeta) / n): how far the empirical gradient may deviate from the risk's. */
function gradientDeviation({ concentration, rows }: Required<GlmProblem>, failureProbability: number): number {
  requireNumbers({ failureProbability });
  return Math.sqrt((concentration * Math.log(2 / failureProbability)) / rows);
}

/** alg:PrivFWERM on B2(radius) with the given lower bound r on the gradient's norm. */
function acceleratedGlm(
  problem: Required<GlmProblem>,
  {
    radius,
    gradientFloor,
    conditions,
    ...stated
  }: Pick<Prescription, 'theorem' | 'claim' | 'conditions'> & Numbers<'radius' | 'gradientFloor'>,
): Prescription {
  const { rows, meanBound, varianceBound, targetBound, featureNorm, truthNorm, epsilon, delta } = problem;
  const smoothness = varianceBound * featureNorm ** 2;
  const fast = accelerated({ radius, gradientFloor, smoothness, shrinkage: rows });
  const lipschitz = (meanBound + targetBound) * featureNorm;
  const { run, smallEpsilon } = paperPrivacy('composed', { epsilon, delta, lipschitz, rows, steps: fast.steps });
  return prescription({
    ...stated,
    ...fast,
    ...run,
    conditions: [
      smallEpsilon,
      required('D > 0', radius > 0, { D: radius }),
      required('r > 0', gradientFloor > 0, { r: gradientFloor }),
      required('||theta*|| > D', truthNorm > radius, { '||theta*||': truthNorm, D: radius }),
      ...conditions,
    ],
  });
}

/**
 * Theorem ERM_GLM_UP (see `GlmProblem` for the setting and the names): a ball of fixed radius D < ||theta*||.
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

/**
 * Theorem ERM_GLM_UP_General (see `GlmProblem` for the setting and the names):
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
}: GlmProblem & Numbers<'radius' | 'failureProbability'> & Partial<Numbers<'slackExponent'>>): Prescription {
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

type IncreasingBall = GlmProblem & { readonly failureProbability: number; readonly radius?: number };

/**
 * Theorems ERM_UP_C_Inc and Iter_Rate_Inc_C (see `GlmProblem` for the setting and the names): the ball grows towards
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
  const bound = truthNorm - (4 / (varianceAtTruth * smallestEigenvalue)) * rows ** (-2 / 5);
  const used = radius ?? bound;
  return acceleratedGlm(problem, {
    ...stated,
    radius: used,
    gradientFloor: rows ** (-2 / 5) - gradientDeviation(problem, failureProbability),
    conditions: [
      forClaim('D <= ||theta*|| - C3 n^(-2/5)', used <= bound, { D: used, bound }),
      required(`zeta < 1/${1 / largestFailure}`, failureProbability < largestFailure, { zeta: failureProbability }),
    ],
  });
}
