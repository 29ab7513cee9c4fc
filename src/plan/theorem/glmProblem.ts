import { requireInteger, requirePositive, requireProbability } from '../../errors.ts';
import { acceleratedContraction, acceleratedStep } from '../../method/rule/acceleratedFrankWolfe.ts';
import type { Budget } from '../../privacy/gaussianNoise.ts';
import { paperPrivacy } from './paperPrivacy.ts';
import { type Condition, type Prescription, prescription, required, stepsToShrink } from './prescription.ts';

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
export interface GlmProblem extends Budget {
  readonly rows: number;
  readonly meanBound: number;
  readonly varianceBound: number;
  readonly varianceAtTruth: number;
  readonly targetBound: number;
  readonly featureNorm: number;
  readonly truthNorm: number;
  readonly smallestEigenvalue: number;
  readonly concentration?: number;
}

export function checkGlmProblem(problem: GlmProblem): Required<GlmProblem> {
  const { rows, concentration = 1, ...rest } = problem;
  requireInteger('rows', rows, 1);
  requirePositive('concentration', concentration);
  for (const name of [
    'meanBound',
    'varianceBound',
    'varianceAtTruth',
    'targetBound',
    'featureNorm',
    'truthNorm',
    'smallestEigenvalue',
  ] as const) {
    requirePositive(name, rest[name]);
  }
  return { rows, concentration, ...rest };
}

/** sqrt(C1 log(2/zeta) / n): how far the empirical gradient may deviate from the risk's. */
export const gradientDeviation = ({ concentration, rows }: Required<GlmProblem>, failureProbability: number): number =>
  Math.sqrt((concentration * Math.log(2 / requireProbability('failureProbability', failureProbability))) / rows);

/** alg:PrivFWERM on B2(radius) with the given lower bound r on the gradient's norm. */
export function acceleratedGlm(
  problem: Required<GlmProblem>,
  {
    theorem,
    radius,
    gradientFloor,
    claim,
    conditions,
  }: Pick<Prescription, 'theorem' | 'claim'> & {
    readonly radius: number;
    readonly gradientFloor: number;
    readonly conditions: readonly Condition[];
  },
): Prescription {
  const { rows, meanBound, varianceBound, targetBound, featureNorm, truthNorm, epsilon, delta } = problem;
  const usable = radius > 0 && gradientFloor > 0;
  const smoothness = varianceBound * featureNorm ** 2;
  const acceleration = { strongConvexity: 1 / radius, gradientFloor, smoothness };
  const contraction = usable ? acceleratedContraction(acceleration) : 1;
  const steps = stepsToShrink(contraction, rows);
  const lipschitz = (meanBound + targetBound) * featureNorm;
  const { privacy, smallEpsilon } = paperPrivacy('composed', { epsilon, delta, lipschitz, rows, steps });
  return prescription({
    theorem,
    rule: 'accelerated-frank-wolfe',
    mode: 'full',
    steps,
    chunkRows: rows,
    stepSize: usable ? acceleratedStep(acceleration) : 0,
    radius,
    gradientFloor,
    contraction,
    estimator: { kind: 'mean' },
    privacy,
    claim,
    conditions: [
      smallEpsilon,
      required('D > 0', radius > 0, { D: radius }),
      required('r > 0', gradientFloor > 0, { r: gradientFloor }),
      required('||theta*|| > D', truthNorm > radius, { '||theta*||': truthNorm, D: radius }),
      ...conditions,
    ],
  });
}
