import { refuse, requireNonNegative } from '../../../errors.ts';
import { type Numbers, requireNumbers, stepsToShrink } from '../prescription.ts';
import { constantMomentum, nesterovContraction } from '../stability.ts';

/**
 * Any gradient estimator g with ||g(theta) - gradient(theta)|| <= alpha ||theta - theta*|| + beta (definition ge) on a
 * risk with curvature between tau_l and tau_u.
 *
 *   tau_u -> smoothness, tau_l -> strongConvexity
 */
export interface EstimatedGradient extends Numbers<'smoothness' | 'strongConvexity'> {
  readonly alpha: number;
  readonly beta: number;
}

/** A descent whose distance to theta* is at most start times a geometric term, plus a floor that no step removes. */
export interface DescentBound {
  readonly stepSize: number;
  readonly momentum: number | null;
  /** What a step multiplies the geometric term by. */
  readonly contraction: number;
  /** What remains for infinitely many steps. */
  readonly floor: number;
  /** The bound of ||theta_t - theta*||. */
  distanceAfter(steps: number): number;
  /** The least whole T for which the geometric term is no larger than the floor. */
  readonly enoughSteps: number;
}

/**
 * Lemma GD and remark GD_Iter_LB: projected gradient descent with a stable estimator, alpha < tau_l/2.
 *
 *   eta = 2/(tau_u + tau_l), k = (tau_u - tau_l + 2 alpha)/(tau_u + tau_l)
 *   ||theta_t - theta*|| <= ||theta_0 - theta*|| k^t + eta beta/(1 - k)
 *   T >= log_{1/k}((1 - k) ||theta_0 - theta*|| / beta)
 *
 *   ||theta_0 - theta*|| -> startDistance
 *
 * The remark leaves eta out of T's logarithm; here the two terms of the bound are compared, eta included.
 */
export function stableGradientDescent({
  startDistance,
  ...given
}: EstimatedGradient & Numbers<'startDistance'>): DescentBound {
  const { smoothness, strongConvexity, alpha, beta } = checked(given);
  requireNumbers({ startDistance });
  if (!(alpha < strongConvexity / 2)) refuse('alpha', `be below tau_l/2 = ${strongConvexity / 2}`, alpha);
  const stepSize = 2 / (smoothness + strongConvexity);
  const contraction = (smoothness - strongConvexity + 2 * alpha) / (smoothness + strongConvexity);
  return geometric({
    ...{ stepSize, contraction, momentum: null, start: startDistance },
    floor: (stepSize * beta) / (1 - contraction),
  });
}

/**
 * Theorem AGD and remark Nester_Iter_LB: Nesterov's method with a given estimator, over R^p.
 *
 *   eta = 1/tau_u, lambda = (sqrt tau_u - sqrt tau_l)/(sqrt tau_u + sqrt tau_l), rho^2 = 1 - sqrt(tau_l/tau_u)
 *   ||theta_t - theta*|| <= sqrt(2 (R(theta_0) - R(theta*))/tau_l + ||theta_0 - theta*||^2) rho^t + (tau_u/tau_l)^(1/4) sqrt(R/tau_l)
 *   k = (tau_u - tau_l + alpha)/tau_u, B = C3 alpha + eta beta/(1 - (1 + 2 lambda) k), E = (1 + 2 lambda) alpha B + beta
 *   R = 2 E (eta E + 2 tau_u (2 + 2 lambda - sqrt(tau_l/tau_u)) B)
 *
 *   C3 -> iterateConstant (unknown; 1 unless given), R(theta_0) - R(theta*) -> startRisk
 *
 * R is corrected: see `R_CORRECTION`. The bound needs a stable recursion, (1 + 2 lambda) k < 1, which f2 ensures
 * (`nesterovConditions`).
 */
export function stableNesterov({
  startDistance,
  startRisk,
  iterateConstant = 1,
  ...given
}: EstimatedGradient & Numbers<'startDistance' | 'startRisk'> & { readonly iterateConstant?: number }): DescentBound & {
  readonly remainder: number;
} {
  const { smoothness, strongConvexity, alpha, beta } = checked(given);
  requireNumbers({ startDistance, iterateConstant });
  requireNonNegative('startRisk', startRisk);
  const momentum = constantMomentum(smoothness, strongConvexity);
  const contraction = nesterovContraction(smoothness, strongConvexity);
  const remainder = nesterovRemainder({ smoothness, strongConvexity, alpha, beta, iterateConstant });
  return Object.freeze({
    ...geometric({
      ...{ momentum, contraction, stepSize: 1 / smoothness },
      start: Math.sqrt((2 / strongConvexity) * startRisk + startDistance ** 2),
      floor: (smoothness / strongConvexity) ** (1 / 4) * Math.sqrt(remainder / strongConvexity),
    }),
    remainder,
  });
}

/** What is corrected in the R of theorems AGD, htAGD and Hu_eps_Nester. */
export const R_CORRECTION =
  "R with 1 + 2 lambda + rho^2 = 2 + 2 lambda - sqrt(tau_l/tau_u), with eta ||gradient(y)|| <= ||y - theta*|| (2 for the printed 1 + eta), and with the estimator's error at y: (1 + 2 lambda) alpha";

/** R of theorem AGD, corrected; infinite where the recursion of its proof is not stable. */
export function nesterovRemainder({
  smoothness,
  strongConvexity,
  alpha,
  beta,
  iterateConstant,
}: EstimatedGradient & { readonly iterateConstant: number }): number {
  const momentum = constantMomentum(smoothness, strongConvexity);
  const k = (smoothness - strongConvexity + alpha) / smoothness;
  const gap = 1 - (1 + 2 * momentum) * k;
  if (!(gap > 0)) return Infinity;
  const farthest = iterateConstant * alpha + beta / smoothness / gap;
  const error = (1 + 2 * momentum) * alpha * farthest + beta;
  const pull = 2 * smoothness * (2 + 2 * momentum - Math.sqrt(strongConvexity / smoothness)) * farthest;
  return 2 * error * (error / smoothness + pull);
}

function checked<G extends EstimatedGradient>(given: G): G {
  const { smoothness, strongConvexity, alpha, beta } = given;
  requireNumbers({ smoothness, strongConvexity });
  requireNonNegative('alpha', alpha);
  requireNonNegative('beta', beta);
  if (strongConvexity > smoothness)
    refuse('strongConvexity', `be at most the smoothness ${smoothness}`, strongConvexity);
  return given;
}

function geometric({
  start,
  floor,
  contraction,
  ...stated
}: Pick<DescentBound, 'stepSize' | 'momentum' | 'contraction' | 'floor'> & { readonly start: number }): DescentBound {
  const ratio = start / floor;
  return Object.freeze({
    ...stated,
    contraction,
    floor,
    distanceAfter: (steps: number) => start * contraction ** steps + floor,
    enoughSteps: ratio <= 1 || contraction === 0 ? 1 : stepsToShrink(contraction, ratio),
  });
}
