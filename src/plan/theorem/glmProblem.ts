import { refuse, requireFinite, requirePositive } from '../../errors.ts';
import type { Glm } from '../../method/loss/glm.ts';
import type { Budget } from '../../privacy/gaussianNoise.ts';
import { accelerated } from './accelerated.ts';
import { type Bound, bound, log, type UpToConstant } from './bound.ts';
import { type GlmConstants, glmConstants } from './glmHypotheses.ts';
import { paperPrivacy } from './paperPrivacy.ts';
import {
  atMost,
  type Condition,
  forClaim,
  type Numbers,
  type Prescription,
  prescription,
  required,
  requireNumbers,
  wholeSteps,
} from './prescription.ts';

/**
 * The GLM setting of theorems ERM_GLM_UP_General, ERM_UP_C_Inc, Iter_Rate_Inc_C and ERM_GLM_UP:
 * private accelerated Frank-Wolfe (alg:PrivFWERM) over C = B2(D) with theta* outside C.
 *
 *   L2 = (K_Phi' + K_y) L_x, beta_L = K_Phi'' L_x^2, alpha_C = 1/D
 *   eta = min{1, alpha_C r / (4 beta_L)}, c = max{1/2, 1 - alpha_C r / (8 beta_L)}, T = log_{1/c}(n)
 *
 *   Phi -> loss, from which K_Phi', K_Phi'' and Phi''(L_x ||theta*||) follow (`glmConstants`), K_y -> targetBound,
 *   L_x -> featureNorm, ||theta*|| -> truthNorm, lambda_min(Sigma) -> smallestEigenvalue, zeta -> failureProbability,
 *   C1 -> concentration (unknown; 1 unless given)
 */
interface GlmProblem
  extends Budget,
    UpToConstant,
    Numbers<'rows' | 'targetBound' | 'featureNorm' | 'truthNorm' | 'smallestEigenvalue'> {
  readonly loss: Glm;
  readonly concentration?: number;
}

type Checked<P extends GlmProblem = GlmProblem> = P & GlmConstants & { readonly concentration: number };

function checkGlmProblem<P extends GlmProblem>(problem: P): Checked<P> {
  const { loss, rows, concentration = 1, targetBound, featureNorm, truthNorm, smallestEigenvalue } = problem;
  const { claimConstant = 1 } = problem;
  requireNumbers({ rows, concentration, targetBound, featureNorm, truthNorm, smallestEigenvalue, claimConstant });
  return { ...problem, ...glmConstants(loss, { featureNorm, truthNorm }), concentration };
}

/** sqrt(C1 log(2/zeta) / n): how far the empirical gradient may deviate from the risk's. */
function gradientDeviation({ concentration, rows }: Checked, failureProbability: number): number {
  requireNumbers({ failureProbability });
  return Math.sqrt((concentration * Math.log(2 / failureProbability)) / rows);
}

/** alg:PrivFWERM on B2(radius) with the given lower bound r on the gradient's norm. */
function acceleratedGlm(
  problem: Checked,
  {
    radius,
    gradientFloor,
    conditions,
    bounded,
    ...stated
  }: Pick<Prescription, 'theorem' | 'claim' | 'conditions'> &
    Numbers<'radius' | 'gradientFloor'> & {
      /** The claim as a number, given the contraction and the step size. */
      readonly bounded: (fast: ReturnType<typeof accelerated>) => Omit<Bound, 'correction'>;
    },
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
    bound: bound({ ...bounded(fast), claimConstant: problem.claimConstant ?? 1 }),
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
 *   C2 = Phi''(L_x ||theta*||) lambda_min (||theta*|| - D)/4, C2/2 < r <= C2, T = log_{1/c}(n) ~ log n
 *   n > ((sqrt(C1 log(2n)) + 1)/C2)^4
 *
 * r -> gradientFloor, at its upper end unless given. The bound holds in expectation, so no failure probability enters.
 */
export function ermGlmUp({
  radius,
  gradientFloor: givenFloor,
  ...given
}: GlmProblem & Numbers<'radius'> & Partial<Numbers<'gradientFloor'>>): Prescription {
  const problem = checkGlmProblem(given);
  requirePositive('radius', radius);
  const { rows, truthNorm, varianceAtTruth, smallestEigenvalue, concentration, epsilon, delta } = problem;
  const largest = (varianceAtTruth * smallestEigenvalue * (truthNorm - radius)) / 4;
  const gradientFloor = floorOf(givenFloor, largest);
  const leastRows = ((Math.sqrt(concentration * Math.log(2 * rows)) + 1) / largest) ** 4;
  return acceleratedGlm(problem, {
    theorem: 'ERM_GLM_UP',
    radius,
    gradientFloor,
    claim: { quantity: 'risk', rate: '1/(n eps)', exponent: -1 },
    bounded: () => ({
      formula: 'log(log n / delta) sqrt(log n log(n log n)) / (n eps)',
      value: (log(log(rows) / delta) * Math.sqrt(log(rows) * log(rows * log(rows)))) / (rows * epsilon),
      open: {},
      failure: null,
    }),
    conditions: [
      forClaim('n > ((sqrt(C1 log 2n) + 1)/C2)^4', rows > leastRows, { n: rows, bound: leastRows }),
      ...(givenFloor === undefined
        ? []
        : [
            required('C2/2 < r <= C2', gradientFloor > largest / 2 && gradientFloor <= largest, {
              r: gradientFloor,
              C2: largest,
            }),
          ]),
    ],
  });
}

/**
 * Theorem ERM_GLM_UP_General (see `GlmProblem` for the setting and the names):
 *
 *   0 < r <= Phi''(L_x ||theta*||) lambda_min (||theta*|| - D)/2 - sqrt(C1 log(2/zeta)/n) - n^-q,   q < 1/2
 *
 * r -> gradientFloor, at its upper end unless given, q -> slackExponent (2/5 unless given), D -> radius
 */
export function ermGlmUpGeneral({
  radius,
  failureProbability,
  slackExponent = 2 / 5,
  gradientFloor: givenFloor,
  ...given
}: GlmProblem &
  Numbers<'radius' | 'failureProbability'> &
  Partial<Numbers<'slackExponent' | 'gradientFloor'>>): Prescription {
  const problem = checkGlmProblem(given);
  requirePositive('radius', radius);
  requireExponent('slackExponent', slackExponent);
  const { rows, truthNorm, varianceAtTruth, smallestEigenvalue, epsilon, delta } = problem;
  const largest =
    (varianceAtTruth * smallestEigenvalue * (truthNorm - radius)) / 2 -
    gradientDeviation(problem, failureProbability) -
    rows ** -slackExponent;
  const gradientFloor = floorOf(givenFloor, largest);
  return acceleratedGlm(problem, {
    theorem: 'ERM_GLM_UP_General',
    radius,
    gradientFloor,
    claim: { quantity: 'risk', rate: '1/(n eps)', exponent: -1 },
    bounded: ({ contraction: c, stepSize: eta }) => {
      const T = c < 1 ? Math.log(rows) / -Math.log(c) : Infinity;
      return {
        formula: '1/n + eta log(T/delta) sqrt(T log(T/zeta)) / ((1 - c) n eps), T = log_{1/c}(n)',
        value:
          1 / rows + (eta * log(T / delta) * Math.sqrt(T * log(T / failureProbability))) / ((1 - c) * rows * epsilon),
        open: {},
        failure: { zeta: failureProbability, times: 1 },
      };
    },
    conditions:
      givenFloor === undefined
        ? []
        : [
            atMost(
              "r <= Phi''(L_x ||theta*||) lambda_min (||theta*|| - D)/2 - sqrt(C1 log(2/zeta)/n) - n^-q",
              'r',
              gradientFloor,
              largest,
            ),
          ],
  });
}

type IncreasingBall = GlmProblem & {
  readonly failureProbability: number;
  readonly radius?: number;
  /** T_zeta of ||theta_n - theta*|| <= T_zeta log(n)/sqrt n for the best point theta_n of B2(||theta*||); 1 unless given. */
  readonly estimatorConstant?: number;
};

/**
 * Theorem ERM_UP_C_Inc (see `GlmProblem` for the setting and the names): the ball grows towards theta*.
 *
 *   D = ||theta*|| - C3 n^-q, C3 = 4/(Phi''(L_x ||theta*||) lambda_min), r = n^-q - sqrt(C1 log(2/zeta)/n)
 *   T = log_{1/c}(n) ~ n^q log n,   n > (4 C1)^(1/(1-2q)) log^(1/(1-2q))(2/zeta), which makes r > n^-q/2
 *
 *   q -> slackExponent: 2/5 unless given, with which the theorem is stated; its proof has any q < 1/2. T_zeta ->
 *   estimatorConstant
 *
 * The constant in front of D is what the proof needs; at moderate n it leaves D below 0, so `radius` may be given
 * instead.
 */
export function ermUpCInc({
  slackExponent: q = 2 / 5,
  ...given
}: IncreasingBall & Partial<Numbers<'slackExponent'>>): Prescription {
  requireExponent('slackExponent', q);
  const { rows: n, epsilon, delta, failureProbability: zeta, estimatorConstant = 1 } = given;
  const isTheorems = q === 2 / 5;
  return increasingBall(given, {
    theorem: 'ERM_UP_C_Inc',
    exponent: q,
    largestFailure: 1 / 3,
    claim: isTheorems
      ? { quantity: 'risk', rate: 'n^(-4/5) / eps', exponent: -4 / 5 }
      : { quantity: 'risk', rate: 'n^(q/2-1)/eps + n^(-q-1/2) + n^(-2q)', exponent: Math.max(q / 2 - 1, -2 * q) },
    bounded: () => {
      const logs = log(n / delta) * Math.sqrt(log(n) * log(n / zeta));
      return isTheorems
        ? {
            formula: 'T_zeta log(n/delta) sqrt(log n log(n/zeta)) / (n^(4/5) eps)',
            value: (estimatorConstant * logs) / (n ** (4 / 5) * epsilon),
            open: { T_zeta: estimatorConstant },
            failure: { zeta, times: 3 },
          }
        : {
            formula: 'log(n/delta) sqrt(log n log(n/zeta)) (n^(q/2-1)/eps + n^(-q-1/2) + n^(-2q))',
            value: logs * (n ** (q / 2 - 1) / epsilon + n ** (-q - 1 / 2) + n ** (-2 * q)),
            open: {},
            failure: { zeta, times: 3 },
          };
    },
    conditions: [],
  });
}

/**
 * Theorem Iter_Rate_Inc_C, about the distance to the truth; see `ermUpCInc`. It also takes enough rows for their second
 * moments to be those of Sigma:
 *
 *   n > C4 log(2p/zeta),   C4 = 8 L_x^2 (lambda_max + lambda_min/3)/lambda_min^2
 *
 *   lambda_max(Sigma) -> largestEigenvalue (L_x^2, which it cannot exceed, unless given), p -> features
 */
export function iterRateIncC({
  features,
  largestEigenvalue,
  ...given
}: IncreasingBall & Numbers<'features'> & Partial<Numbers<'largestEigenvalue'>>): Prescription {
  const { rows: n, epsilon, delta, failureProbability: zeta, estimatorConstant = 1 } = given;
  return increasingBall(given, {
    theorem: 'Iter_Rate_Inc_C',
    exponent: 2 / 5,
    largestFailure: 1 / 4,
    claim: { quantity: 'parameter', rate: 'n^(-1/2) + n^(-2/5) eps^(-1/2)', exponent: -2 / 5 },
    bounded: () => ({
      formula: 'T_zeta log n / sqrt n + (T_zeta log(n/delta))^(1/2) (log n log(n/zeta))^(1/4) / (n^(2/5) eps^(1/2))',
      value:
        (estimatorConstant * log(n)) / Math.sqrt(n) +
        (Math.sqrt(estimatorConstant * log(n / delta)) * (log(n) * log(n / zeta)) ** (1 / 4)) /
          (n ** (2 / 5) * Math.sqrt(epsilon)),
      open: { T_zeta: estimatorConstant },
      failure: { zeta, times: 4 },
    }),
    conditions: [enoughForMoments(given, { features, ...(largestEigenvalue !== undefined && { largestEigenvalue }) })],
  });
}

/**
 * Proposition Iter_Rate_Inc_C_Non (see `GlmProblem` for the setting and the names): plain private Frank-Wolfe
 * (alg:PrivNon-accERM) on the ball that just holds theta*.
 *
 *   C = B2(||theta*||), T = (n eps)^(2/3), eta_t = 2/(t + 2), error n^(-1/2) + (n eps)^(-1/3)
 *   n > C1 log(2p/zeta) with the C4 of `iterRateIncC` for C1, zeta < 1/3
 *
 * The constant of T is 1, as the text leaves it open; `stepFactor` is another.
 */
export function iterRateIncCNon({
  features,
  largestEigenvalue,
  stepFactor = 1,
  failureProbability: zeta,
  estimatorConstant = 1,
  ...given
}: Omit<IncreasingBall, 'radius' | 'concentration'> &
  Numbers<'features'> &
  Partial<Numbers<'largestEigenvalue' | 'stepFactor'>>): Prescription {
  const problem = checkGlmProblem(given);
  requireNumbers({ failureProbability: zeta, estimatorConstant, stepFactor });
  const { rows: n, meanBound, targetBound, featureNorm, truthNorm, epsilon, delta } = problem;
  const steps = wholeSteps(stepFactor * (n * epsilon) ** (2 / 3));
  const lipschitz = (meanBound + targetBound) * featureNorm;
  const { run, smallEpsilon } = paperPrivacy('frankWolfe', { epsilon, delta, lipschitz, rows: n, steps });
  return prescription({
    theorem: 'Iter_Rate_Inc_C_Non',
    rule: 'frank-wolfe',
    ...run,
    stepSize: 'harmonic',
    radius: truthNorm,
    claim: { quantity: 'parameter', rate: 'n^(-1/2) + (n eps)^(-1/3)', exponent: -1 / 3 },
    bound: bound({
      formula: 'T_zeta / sqrt n + log^(1/2)(n eps / zeta) / (n eps)^(1/3)',
      value: estimatorConstant / Math.sqrt(n) + Math.sqrt(log((n * epsilon) / zeta)) / (n * epsilon) ** (1 / 3),
      open: { T_zeta: estimatorConstant, 'C of T': stepFactor },
      failure: { zeta, times: 3 },
      claimConstant: problem.claimConstant ?? 1,
    }),
    conditions: [
      smallEpsilon,
      required('zeta < 1/3', zeta < 1 / 3, { zeta }),
      enoughForMoments(
        { ...given, failureProbability: zeta },
        { features, ...(largestEigenvalue !== undefined && { largestEigenvalue }) },
      ),
    ],
  });
}

/** n > C4 log(2p/zeta), which the claims about the distance to theta* need. */
function enoughForMoments(
  {
    rows,
    featureNorm,
    smallestEigenvalue,
    failureProbability,
  }: Pick<IncreasingBall, 'rows' | 'featureNorm' | 'smallestEigenvalue' | 'failureProbability'>,
  { features, largestEigenvalue = featureNorm ** 2 }: Numbers<'features'> & Partial<Numbers<'largestEigenvalue'>>,
): Condition {
  requireNumbers({ rows, featureNorm, smallestEigenvalue, failureProbability, features, largestEigenvalue });
  const scale = (8 * featureNorm ** 2 * (largestEigenvalue + smallestEigenvalue / 3)) / smallestEigenvalue ** 2;
  const least = scale * Math.log((2 * features) / failureProbability);
  return forClaim('n > C4 log(2p/zeta)', rows > least, { n: rows, bound: least, C4: scale });
}

function increasingBall(
  { radius, failureProbability, estimatorConstant = 1, ...given }: IncreasingBall,
  {
    exponent,
    largestFailure,
    conditions,
    ...stated
  }: Pick<Prescription, 'theorem' | 'claim' | 'conditions'> &
    Pick<Parameters<typeof acceleratedGlm>[1], 'bounded'> & {
      readonly exponent: number;
      readonly largestFailure: number;
    },
): Prescription {
  const problem = checkGlmProblem(given);
  requireNumbers({ estimatorConstant });
  if (radius !== undefined) requireFinite('radius', radius);
  const { rows, truthNorm, varianceAtTruth, smallestEigenvalue, concentration } = problem;
  const nearest = truthNorm - (4 / (varianceAtTruth * smallestEigenvalue)) * rows ** -exponent;
  const used = radius ?? nearest;
  const gradientFloor = rows ** -exponent - gradientDeviation(problem, failureProbability);
  const power = 1 / (1 - 2 * exponent);
  const leastRows = (4 * concentration * Math.log(2 / failureProbability)) ** power;
  return acceleratedGlm(problem, {
    ...stated,
    radius: used,
    gradientFloor,
    conditions: [
      forClaim(`D <= ||theta*|| - C3 n^${powerText(exponent)}`, used <= nearest, { D: used, bound: nearest }),
      required(`zeta < 1/${1 / largestFailure}`, failureProbability < largestFailure, { zeta: failureProbability }),
      forClaim(
        exponent === 2 / 5 ? 'n > (4 C1)^5 log^5(2/zeta)' : 'n > (4 C1 log(2/zeta))^(1/(1-2q))',
        rows > leastRows,
        { n: rows, bound: leastRows, C1: concentration },
      ),
      ...conditions,
    ],
  });
}

const powerText = (exponent: number): string => (exponent === 2 / 5 ? '(-2/5)' : `-${exponent}`);

const floorOf = (given: number | undefined, largest: number): number =>
  given === undefined ? largest : requirePositive('gradientFloor', given);

function requireExponent(name: string, value: number): void {
  if (!(value > 0 && value < 1 / 2)) refuse(name, 'be in (0, 1/2)', value);
}
