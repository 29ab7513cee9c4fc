import { refuse, requireInteger, requirePositive, requireVector } from '../../errors.ts';
import { norm, type Vector } from '../../math/vector.ts';
import { accelerated } from './accelerated.ts';
import { type HeavyTailed, medianChunks } from './medianChunks.ts';
import {
  above,
  type Condition,
  type Numbers,
  type Prescription,
  prescription,
  required,
  stepsToShrink,
  wholeSteps,
} from './prescription.ts';

/**
 * A singular covariance Sigma = P S P' and a truth seen along its axes, as the theorems for lambda_min = 0 need them.
 *
 *   S -> eigenvalues, P'theta* -> truth, S_mm -> smallestPositive, c_K = ||[P'theta*]_{m+1:p}|| -> hiddenNorm,
 *   ||[P'theta*]_{1:m}|| -> visibleNorm, ||(Sigma + g I)^-1 Sigma theta*|| -> shrunkenNorm(g)
 */
export interface Spectrum {
  readonly eigenvalues: Vector;
  readonly truth: Vector;
}

export function summarizeSpectrum({ eigenvalues, truth }: Spectrum) {
  requireVector('eigenvalues', eigenvalues);
  requireVector('truth', truth, eigenvalues.length);
  eigenvalues.forEach((value, j) => {
    if (value < 0) refuse(`eigenvalues[${j}]`, 'be at least 0', value);
  });
  const positive = eigenvalues.filter(value => value > 0);
  if (positive.length === 0) refuse('eigenvalues', 'hold a positive value', eigenvalues);
  return {
    largest: Math.max(...positive),
    smallestPositive: Math.min(...positive),
    visibleNorm: norm(truth.filter((_, j) => eigenvalues[j]! > 0)),
    hiddenNorm: norm(truth.filter((_, j) => eigenvalues[j] === 0)),
    shrunkenNorm: (penalty: number): number =>
      norm(
        truth.map((value, j) => (eigenvalues[j]! === 0 ? 0 : (eigenvalues[j]! / (eigenvalues[j]! + penalty)) * value)),
      ),
  };
}

/** The theorems for lambda_min = 0 are about covariances that have a 0 among their eigenvalues. */
function requireSingular(eigenvalues: Vector): void {
  requireVector('eigenvalues', eigenvalues);
  if (!eigenvalues.includes(0))
    refuse('eigenvalues', 'hold a 0', eigenvalues, 'use theorem HT_Ridge_min>0 or HT_NonAccFW');
}

/** That the ball holds the ridge solution. */
const reachesRidge = (radius: number, bound: number): Condition =>
  required('D >= ||(Sigma + gamma I)^-1 Sigma theta*||', radius >= bound, { D: radius, bound });

/**
 * Theorem NonACC_lambda=0: Frank-Wolfe on T chunks with G_MOM, ridge, lambda_min = 0.
 *
 *   gamma = n^(-1/9), D >= ||(Sigma + gamma I)^-1 Sigma theta*||, T = n^(1/3), eta_t = 2/(2 + t), error n^(-1/9) + c_K
 *
 *   gamma -> penalty (n^(-1/9) unless given), D -> radius (its least value unless given); see `Spectrum` for the rest
 */
export function nonAccLambdaZero({
  eigenvalues,
  truth,
  radius: givenRadius,
  penalty: givenPenalty,
  ...problem
}: HeavyTailed & Spectrum & Partial<Numbers<'radius' | 'penalty'>>): Prescription {
  const { shrunkenNorm, hiddenNorm } = summarizeSpectrum({ eigenvalues, truth });
  requireSingular(eigenvalues);
  const penalty = requirePositive('penalty', givenPenalty ?? requireInteger('rows', problem.rows, 1) ** (-1 / 9));
  const leastRadius = shrunkenNorm(penalty);
  const radius = requirePositive('radius', givenRadius ?? leastRadius);
  const steps = wholeSteps(problem.rows ** (1 / 3));
  const { run, enoughRows } = medianChunks(problem, steps);
  return prescription({
    theorem: 'NonACC_lambda=0',
    rule: 'frank-wolfe',
    ...run,
    stepSize: 'harmonic',
    radius,
    penalty,
    claim: { quantity: 'parameter', rate: `n^(-1/9) + c_K (c_K = ${hiddenNorm})`, exponent: -1 / 9 },
    conditions: [enoughRows, reachesRidge(radius, leastRadius)],
  });
}

/**
 * Theorem ACCFW_lambda=0: accelerated Frank-Wolfe on T chunks with G_MOM, ridge, lambda_min = 0.
 *
 *   gamma in [c_K/4, c_K/2], ||(Sigma + C1 c_K I)^-1 Sigma theta*|| <= K <= ||(Sigma + c_K I)^-1 Sigma theta*||
 *   u = gamma S_mm^2 ||[P'theta*]_{1:m}|| c_K / (2 (S_mm + c_K)^3)
 *   eta = min{1, u/(4 K (lambda_max + gamma))}, T = log_{1/c}(n) ~ log(n)/c_K^2
 *
 *   K -> radius (its upper end unless given), gamma -> penalty (c_K/2 unless given), u -> gradientFloor (at its upper end),
 *   C1 -> innerFactor; see `Spectrum` for the rest
 */
export function accFwLambdaZero({
  eigenvalues,
  truth,
  radius: givenRadius,
  penalty: givenPenalty,
  innerFactor = 2,
  ...problem
}: HeavyTailed & Spectrum & Partial<Numbers<'radius' | 'penalty' | 'innerFactor'>>): Prescription {
  const spectrum = summarizeSpectrum({ eigenvalues, truth });
  const { largest, smallestPositive, visibleNorm, hiddenNorm, shrunkenNorm } = spectrum;
  if (hiddenNorm === 0) {
    refuse('truth', 'have a part where the covariance is 0', truth, 'use theorem HT_Ridge_min>0 or ACCFWROB');
  }
  if (!(innerFactor > 1 && innerFactor < Infinity)) refuse('innerFactor', 'be a finite number above 1', innerFactor);
  const penalty = requirePositive('penalty', givenPenalty ?? hiddenNorm / 2);
  const [inner, outer] = [shrunkenNorm(innerFactor * hiddenNorm), shrunkenNorm(hiddenNorm)];
  const radius = requirePositive('radius', givenRadius ?? outer);
  const gradientFloor =
    (penalty * smallestPositive ** 2 * visibleNorm * hiddenNorm) / (2 * (smallestPositive + hiddenNorm) ** 3);
  const fast = accelerated({ radius, gradientFloor, smoothness: largest + penalty, shrinkage: problem.rows });
  const { run, enoughRows } = medianChunks(problem, fast.steps);
  return prescription({
    theorem: 'ACCFW_lambda=0',
    ...fast,
    ...run,
    penalty,
    claim: { quantity: 'parameter', rate: 'n^(-1/4) c_K^(-1/4) + c_K + c_K^(1/2)', exponent: -1 / 4 },
    conditions: [
      enoughRows,
      required('c_K/4 <= gamma <= c_K/2', penalty >= hiddenNorm / 4 && penalty <= hiddenNorm / 2, {
        gamma: penalty,
        c_K: hiddenNorm,
      }),
      required(
        '||(Sigma + C1 c_K I)^-1 Sigma theta*|| <= K <= ||(Sigma + c_K I)^-1 Sigma theta*||',
        radius >= inner && radius <= outer,
        { K: radius, inner, outer },
      ),
    ],
  });
}

type RidgeProblem = HeavyTailed & Spectrum & Partial<Numbers<'radius' | 'penalty' | 'concentration'>>;

/**
 * Corollaries HT_Ridge_min>0 and HT_Ridge_min=0: projected gradient descent on T chunks with G_MOM, ridge.
 *
 *   lambda_min > 0: gamma = n^(-1/2), error n^(-1/2);   lambda_min = 0: gamma = n^(-1/5), error n^(-1/5) + c_K
 *   tau_u = lambda_max + gamma, tau_l = lambda_min + gamma, eta = 2/(tau_u + tau_l), T = log_{(tau_u+tau_l)/tau_u}(sqrt n)
 *   C = B2(D), D >= ||(Sigma + gamma I)^-1 Sigma theta*||;   n~ > 4 C1^2 log(1/zeta~)/tau_l^2
 *
 *   gamma -> penalty (as above unless given), D -> radius (its least value unless given), C1 -> concentration (1 unless given); see `Spectrum`
 */
export function htRidgeWellConditioned(problem: RidgeProblem): Prescription {
  const singular = problem.eigenvalues.indexOf(0);
  if (singular >= 0) refuse(`eigenvalues[${singular}]`, 'be above 0', 0, 'use theorem HT_Ridge_min=0');
  return htRidge(problem, 'HT_Ridge_min>0', requireInteger('rows', problem.rows, 1) ** (-1 / 2), {
    quantity: 'parameter',
    rate: 'n^(-1/2)',
    exponent: -1 / 2,
  });
}

/** Corollary HT_Ridge_min=0, for a singular covariance; see `htRidgeWellConditioned`. */
export function htRidgeSingular(problem: RidgeProblem): Prescription {
  requireSingular(problem.eigenvalues);
  return htRidge(problem, 'HT_Ridge_min=0', requireInteger('rows', problem.rows, 1) ** (-1 / 5), {
    quantity: 'parameter',
    rate: 'n^(-1/5) + c_K',
    exponent: -1 / 5,
  });
}

function htRidge(
  { eigenvalues, truth, radius: givenRadius, penalty: givenPenalty, concentration = 1, ...problem }: RidgeProblem,
  theorem: string,
  usualPenalty: number,
  claim: Prescription['claim'],
): Prescription {
  requirePositive('concentration', concentration);
  const penalty = requirePositive('penalty', givenPenalty ?? usualPenalty);
  const { largest, shrunkenNorm } = summarizeSpectrum({ eigenvalues, truth });
  const leastRadius = shrunkenNorm(penalty);
  const radius = requirePositive('radius', givenRadius ?? leastRadius);
  const upper = largest + penalty;
  const lower = Math.min(...eigenvalues) + penalty;
  const contraction = upper / (upper + lower);
  const steps = stepsToShrink(contraction, Math.sqrt(problem.rows));
  const { run, stepFailure, enoughRows } = medianChunks(problem, steps);
  const leastRows = (4 * concentration ** 2 * Math.log(1 / stepFailure)) / lower ** 2;
  return prescription({
    theorem,
    rule: 'projected-gradient',
    ...run,
    stepSize: 2 / (upper + lower),
    radius,
    contraction,
    penalty,
    claim,
    conditions: [
      enoughRows,
      above('n~ > 4 C1^2 log(1/zeta~)/tau_l^2', 'n~', run.chunkRows, leastRows),
      reachesRidge(radius, leastRadius),
    ],
  });
}
