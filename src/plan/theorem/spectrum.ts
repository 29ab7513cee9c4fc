import {
  ArgumentError,
  refuse,
  requireInteger,
  requireNonNegative,
  requirePositive,
  requireVector,
} from '../../errors.ts';
import { norm, type Vector } from '../../math/vector.ts';
import { accelerated } from './accelerated.ts';
import { type Bound, bound, log, type NoisyTarget } from './bound.ts';
import { type HeavyTailed, medianChunks } from './medianChunks.ts';
import {
  above,
  atMost,
  type Condition,
  type Numbers,
  type Prescription,
  prescription,
  required,
  requireNumbers,
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

/** The numbers that stand for a spectrum which nobody knows exactly, as the remarks after the theorems allow. */
type KnownSpectrum = Partial<Spectrum>;

/** The summary of a singular covariance, where it is given. */
function knownSpectrum({ eigenvalues, truth }: KnownSpectrum): ReturnType<typeof summarizeSpectrum> | null {
  if (eigenvalues === undefined && truth === undefined) return null;
  requireSingular(eigenvalues!);
  return summarizeSpectrum({ eigenvalues: eigenvalues!, truth: truth! });
}

/** An argument that only a known spectrum could replace. */
function requireInstead(theorem: string, given: Readonly<Record<string, number | undefined>>): void {
  const missing = Object.entries(given)
    .filter(([, value]) => value === undefined)
    .map(([name]) => name);
  if (missing.length === 0) return;
  throw new ArgumentError(
    `theorem ${theorem} needs eigenvalues and truth, or in their place ${Object.keys(given).join(', ')}; give also ${missing.join(', ')}`,
    'ERR_ARGUMENT',
    { argument: missing[0]! },
  );
}

/**
 * Theorem NonACC_lambda=0: Frank-Wolfe on T chunks with G_MOM, ridge, lambda_min = 0.
 *
 *   gamma = n^(-1/9), D >= ||(Sigma + gamma I)^-1 Sigma theta*||, T = n^(1/3), eta_t = 2/(2 + t), error n^(-1/9) + c_K
 *
 *   gamma -> penalty (n^(-1/9) unless given), D -> radius (its least value unless given); see `Spectrum` for the rest
 *
 * Neither Sigma nor theta* need be known: any D that is large enough will do. Without `eigenvalues` and `truth` the
 * radius must be given, is not checked, and the bound takes `hiddenNorm` for c_K, 0 unless given.
 */
export function nonAccLambdaZero({
  eigenvalues,
  truth,
  hiddenNorm: givenHidden = 0,
  radius: givenRadius,
  penalty: givenPenalty,
  noise = 1,
  claimConstant = 1,
  ...problem
}: HeavyTailed & NoisyTarget & KnownSpectrum & Partial<Numbers<'radius' | 'penalty' | 'hiddenNorm'>>): Prescription {
  const n = requireInteger('rows', problem.rows, 1);
  const zeta = problem.failureProbability;
  requireNumbers({ noise, claimConstant });
  requireNonNegative('hiddenNorm', givenHidden);
  const spectrum = knownSpectrum({ ...(eigenvalues && { eigenvalues }), ...(truth && { truth }) });
  if (spectrum === null) requireInstead('NonACC_lambda=0', { radius: givenRadius });
  const penalty = requirePositive('penalty', givenPenalty ?? n ** (-1 / 9));
  const leastRadius = spectrum?.shrunkenNorm(penalty);
  const radius = requirePositive('radius', givenRadius ?? leastRadius!);
  const hiddenNorm = spectrum?.hiddenNorm ?? givenHidden;
  const steps = wholeSteps(n ** (1 / 3));
  const { run, enoughRows } = medianChunks(problem, steps);
  return prescription({
    theorem: 'NonACC_lambda=0',
    rule: 'frank-wolfe',
    ...run,
    stepSize: 'harmonic',
    radius,
    penalty,
    claim: { quantity: 'parameter', rate: 'n^(-1/9) + c_K', exponent: -1 / 9 },
    bound: bound({
      formula: '(1 + sigma_2)^(1/2) log^(1/4)(n/zeta) / n^(1/9) + c_K',
      value: Math.sqrt(1 + noise) * log(n / zeta) ** (1 / 4) * n ** (-1 / 9) + hiddenNorm,
      open: { sigma_2: noise, c_K: hiddenNorm },
      failure: { zeta, times: 1 },
      claimConstant,
    }),
    conditions: [enoughRows, ...(leastRadius === undefined ? [] : [reachesRidge(radius, leastRadius)])],
  });
}

/**
 * Theorem ACCFW_lambda=0: accelerated Frank-Wolfe on T chunks with G_MOM, ridge, lambda_min = 0.
 *
 *   gamma in [c_K/4, c_K/2], ||(Sigma + C1 c_K I)^-1 Sigma theta*|| <= K <= ||(Sigma + c_K I)^-1 Sigma theta*||
 *   u <= gamma S_mm^2 ||[P'theta*]_{1:m}|| c_K / (2 (S_mm + c_K)^3)
 *   eta = min{1, u/(4 K (lambda_max + gamma))}, T = log_{1/c}(n) ~ log(n)/c_K^2
 *
 *   K -> radius (its upper end unless given), gamma -> penalty (c_K/2 unless given), u -> gradientFloor (at its upper end
 *   unless given), C1 -> innerFactor; see `Spectrum` for the rest
 *
 * Neither Sigma nor theta* need be known precisely: without `eigenvalues` and `truth`, `hiddenNorm` for c_K, K, u and
 * `largestEigenvalue` for lambda_max take their place, and what only a known spectrum could check is not checked.
 */
export function accFwLambdaZero({
  eigenvalues,
  truth,
  hiddenNorm: givenHidden,
  largestEigenvalue,
  gradientFloor: givenFloor,
  radius: givenRadius,
  penalty: givenPenalty,
  innerFactor = 2,
  noise = 1,
  claimConstant = 1,
  ...problem
}: HeavyTailed &
  NoisyTarget &
  KnownSpectrum &
  Partial<
    Numbers<'radius' | 'penalty' | 'innerFactor' | 'hiddenNorm' | 'largestEigenvalue' | 'gradientFloor'>
  >): Prescription {
  const n = requireInteger('rows', problem.rows, 1);
  const zeta = problem.failureProbability;
  requireNumbers({ noise, claimConstant });
  const spectrum = knownSpectrum({ ...(eigenvalues && { eigenvalues }), ...(truth && { truth }) });
  if (spectrum === null) {
    const instead = { hiddenNorm: givenHidden, radius: givenRadius, gradientFloor: givenFloor, largestEigenvalue };
    requireInstead('ACCFW_lambda=0', instead);
    requireNumbers(instead as Record<string, number>);
  }
  const hiddenNorm = spectrum?.hiddenNorm ?? givenHidden!;
  const largest = spectrum?.largest ?? largestEigenvalue!;
  if (hiddenNorm === 0) {
    refuse('truth', 'have a part where the covariance is 0', truth, 'use theorem HT_Ridge_min>0 or ACCFWROB');
  }
  if (!(innerFactor > 1 && innerFactor < Infinity)) refuse('innerFactor', 'be a finite number above 1', innerFactor);
  const penalty = requirePositive('penalty', givenPenalty ?? hiddenNorm / 2);
  const range = spectrum && {
    inner: spectrum.shrunkenNorm(innerFactor * hiddenNorm),
    outer: spectrum.shrunkenNorm(hiddenNorm),
    floor:
      (penalty * spectrum.smallestPositive ** 2 * spectrum.visibleNorm * hiddenNorm) /
      (2 * (spectrum.smallestPositive + hiddenNorm) ** 3),
  };
  const radius = requirePositive('radius', givenRadius ?? range!.outer);
  const gradientFloor = givenFloor === undefined ? range!.floor : requirePositive('gradientFloor', givenFloor);
  const fast = accelerated({ radius, gradientFloor, smoothness: largest + penalty, shrinkage: n });
  const { run, enoughRows } = medianChunks(problem, fast.steps);
  return prescription({
    theorem: 'ACCFW_lambda=0',
    ...fast,
    ...run,
    penalty,
    claim: { quantity: 'parameter', rate: 'n^(-1/4) c_K^(-1/4) + c_K + c_K^(1/2)', exponent: -1 / 4 },
    bound: bound({
      formula: '(1 + sigma_2)^(1/2) (log n log(n/zeta))^(1/4) / (c_K^(1/4) n^(1/4)) + c_K + c_K^(1/2)',
      value:
        Math.sqrt(1 + noise) * ((log(n) * log(n / zeta)) / (hiddenNorm * n)) ** (1 / 4) +
        hiddenNorm +
        Math.sqrt(hiddenNorm),
      open: { sigma_2: noise, c_K: hiddenNorm },
      failure: { zeta, times: 1 },
      claimConstant,
    }),
    conditions: [
      enoughRows,
      required('c_K/4 <= gamma <= c_K/2', penalty >= hiddenNorm / 4 && penalty <= hiddenNorm / 2, {
        gamma: penalty,
        c_K: hiddenNorm,
      }),
      ...(range === null
        ? []
        : [
            required(
              '||(Sigma + C1 c_K I)^-1 Sigma theta*|| <= K <= ||(Sigma + c_K I)^-1 Sigma theta*||',
              radius >= range.inner && radius <= range.outer,
              { K: radius, inner: range.inner, outer: range.outer },
            ),
            ...(givenFloor === undefined
              ? []
              : [
                  atMost(
                    "u <= gamma S_mm^2 ||[P'theta*]_{1:m}|| c_K / (2 (S_mm + c_K)^3)",
                    'u',
                    gradientFloor,
                    range.floor,
                  ),
                ]),
          ]),
    ],
  });
}

type RidgeProblem = HeavyTailed & NoisyTarget & Spectrum & Partial<Numbers<'radius' | 'penalty' | 'concentration'>>;

/**
 * Proposition ridgeGD: projected gradient descent on T chunks with G_MOM, ridge with any penalty; about the distance to
 * the ridge solution theta_* = (Sigma + gamma I)^-1 Sigma theta*.
 *
 *   tau_u = lambda_max + gamma, tau_l = lambda_min + gamma, eta = 2/(tau_u + tau_l), T = log_{(tau_u+tau_l)/tau_u}(sqrt n)
 *   C = B2(D), D >= ||theta_*||;   n~ > 4 C1^2 log(1/zeta~)/tau_l^2
 *
 *   gamma -> penalty, D -> radius (its least value unless given), C1 -> concentration (1 unless given), sigma_2 -> noise;
 *   see `Spectrum`
 */
export function ridgeGd(problem: RidgeProblem & Numbers<'penalty'>): Prescription {
  requirePositive('penalty', problem.penalty);
  return htRidge(problem, {
    theorem: 'ridgeGD',
    usualPenalty: problem.penalty,
    claim: { quantity: 'solution', rate: 'n^(-1/2)', exponent: -1 / 2 },
    bounded: ({ n, zeta, noise, upper, lower, penalty }) => {
      const ratio = Math.log((upper + lower) / upper);
      const spread = noise ** 2 + (penalty / lower) ** 2;
      return {
        formula:
          '1/sqrt n + (tau_u + tau_l)/tau_l sqrt((sigma_2^2 + gamma^2/tau_l^2) log n log(log n/(zeta l))/(n l)), l = log((tau_u + tau_l)/tau_u)',
        value:
          1 / Math.sqrt(n) +
          ((upper + lower) / lower) * Math.sqrt((spread * log(n) * log(log(n) / (zeta * ratio))) / (n * ratio)),
      };
    },
  });
}

/**
 * Corollaries HT_Ridge_min>0 and HT_Ridge_min=0: the run of `ridgeGd` with a penalty that falls with n, about the
 * distance to theta* itself.
 *
 *   lambda_min > 0: gamma = n^(-1/2), error n^(-1/2);   lambda_min = 0: gamma = n^(-1/5), error n^(-1/5) + c_K
 *
 *   gamma -> penalty (as above unless given); see `ridgeGd` for the rest
 */
export function htRidgeWellConditioned(problem: RidgeProblem): Prescription {
  const singular = problem.eigenvalues.indexOf(0);
  if (singular >= 0) refuse(`eigenvalues[${singular}]`, 'be above 0', 0, 'use theorem HT_Ridge_min=0');
  return htRidge(problem, {
    theorem: 'HT_Ridge_min>0',
    usualPenalty: requireInteger('rows', problem.rows, 1) ** (-1 / 2),
    claim: { quantity: 'parameter', rate: 'n^(-1/2)', exponent: -1 / 2 },
    bounded: ({ n, zeta, noise }) => ({
      formula: '(1 + sigma_2) sqrt(log n log(log n / zeta)/n)',
      value: (1 + noise) * Math.sqrt((log(n) * log(log(n) / zeta)) / n),
    }),
  });
}

/** Corollary HT_Ridge_min=0, for a singular covariance; see `htRidgeWellConditioned`. */
export function htRidgeSingular(problem: RidgeProblem): Prescription {
  requireSingular(problem.eigenvalues);
  return htRidge(problem, {
    theorem: 'HT_Ridge_min=0',
    usualPenalty: requireInteger('rows', problem.rows, 1) ** (-1 / 5),
    claim: { quantity: 'parameter', rate: 'n^(-1/5) + c_K', exponent: -1 / 5 },
    bounded: ({ n, zeta, noise, hiddenNorm }) => ({
      formula: '(1 + sigma_2) sqrt(log n log(n/zeta)) / n^(1/5) + c_K',
      value: ((1 + noise) * Math.sqrt(log(n) * log(n / zeta))) / n ** (1 / 5) + hiddenNorm,
      open: { c_K: hiddenNorm },
    }),
  });
}

function htRidge(
  {
    eigenvalues,
    truth,
    radius: givenRadius,
    penalty: givenPenalty,
    concentration = 1,
    noise = 1,
    claimConstant = 1,
    ...problem
  }: RidgeProblem,
  {
    theorem,
    usualPenalty,
    claim,
    bounded,
  }: Pick<Prescription, 'theorem' | 'claim'> & {
    readonly usualPenalty: number;
    readonly bounded: (
      known: Numbers<'n' | 'zeta' | 'noise' | 'hiddenNorm' | 'upper' | 'lower' | 'penalty'>,
    ) => Pick<Bound, 'formula' | 'value'> & Partial<Pick<Bound, 'open'>>;
  },
): Prescription {
  requireNumbers({ concentration, noise, claimConstant });
  const penalty = requirePositive('penalty', givenPenalty ?? usualPenalty);
  const { largest, hiddenNorm, shrunkenNorm } = summarizeSpectrum({ eigenvalues, truth });
  const leastRadius = shrunkenNorm(penalty);
  const radius = requirePositive('radius', givenRadius ?? leastRadius);
  const upper = largest + penalty;
  const lower = Math.min(...eigenvalues) + penalty;
  const contraction = upper / (upper + lower);
  const { rows: n, failureProbability: zeta } = problem;
  const steps = stepsToShrink(contraction, Math.sqrt(n));
  const { run, stepFailure, enoughRows } = medianChunks(problem, steps);
  const leastRows = (4 * concentration ** 2 * Math.log(1 / stepFailure)) / lower ** 2;
  const claimed = bounded({ n, zeta, noise, hiddenNorm, upper, lower, penalty });
  return prescription({
    theorem,
    rule: 'projected-gradient',
    ...run,
    stepSize: 2 / (upper + lower),
    radius,
    contraction,
    penalty,
    claim,
    bound: bound({
      ...claimed,
      open: { sigma_2: noise, ...claimed.open },
      failure: { zeta, times: 1 },
      claimConstant,
    }),
    conditions: [
      enoughRows,
      above('n~ > 4 C1^2 log(1/zeta~)/tau_l^2', 'n~', run.chunkRows, leastRows),
      reachesRidge(radius, leastRadius),
    ],
  });
}
