import type { Budget } from '../../privacy/gaussianNoise.ts';
import { accelerated } from './accelerated.ts';
import { paperPrivacy } from './paperPrivacy.ts';
import { type Numbers, type Prescription, prescription, required, requireNumbers } from './prescription.ts';

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
export interface GlmProblem
  extends Budget,
    Numbers<'rows' | 'meanBound' | 'varianceBound' | 'varianceAtTruth' | 'targetBound' | 'featureNorm'>,
    Numbers<'truthNorm' | 'smallestEigenvalue'> {
  readonly concentration?: number;
}

export function checkGlmProblem(problem: GlmProblem): Required<GlmProblem> {
  const { rows, concentration = 1, meanBound, varianceBound, varianceAtTruth, targetBound } = problem;
  const { featureNorm, truthNorm, smallestEigenvalue } = problem;
  requireNumbers({ rows, concentration, meanBound, varianceBound, varianceAtTruth, targetBound });
  requireNumbers({ featureNorm, truthNorm, smallestEigenvalue });
  return { ...problem, concentration };
}

/** sqrt(C1 log(2/zeta) / n): how far the empirical gradient may deviate from the risk's. */
export function gradientDeviation({ concentration, rows }: Required<GlmProblem>, failureProbability: number): number {
  requireNumbers({ failureProbability });
  return Math.sqrt((concentration * Math.log(2 / failureProbability)) / rows);
}

/** alg:PrivFWERM on B2(radius) with the given lower bound r on the gradient's norm. */
export function acceleratedGlm(
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
