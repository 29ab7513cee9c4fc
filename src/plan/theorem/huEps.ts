import { refuse, requireChoice, requireInteger, requirePositive } from '../../errors.ts';
import { bound } from './bound.ts';
import { CONVEX_SETS, type ConvexSet } from './convexSet.ts';
import { type GradientError, huberGradientError } from './lemmas/estimators.ts';
import { nesterovBound } from './nesterovBound.ts';
import { forClaim, type Prescription, prescription, required, requireNumbers, stepsToShrink } from './prescription.ts';
import {
  checkStronglyConvex,
  constantMomentum,
  type FromTwoPoints,
  fasterFrom,
  nesterovConditions,
  nesterovContraction,
  type StronglyConvex,
} from './stability.ts';

export interface Contaminated extends Omit<StronglyConvex, 'mode'> {
  readonly contamination: number;
}

/**
 * Lemma Hu_eps_PGD and theorem Hu_eps_Nester: gradient descent and Nesterov's method on T chunks with the Huber
 * gradient estimator (alg:HubGradTrunc), linear model with a share eps of arbitrary rows.
 *
 *   alpha = C1 (sqrt eps + g(n~)) sqrt(log p),  g(n) = (p log p log(n/(p zeta))/n)^(3/8) + (eps p^2 log p log(p log p/zeta)/n)^(1/4)
 *   gradient descent: eta = 2/(tau_u + tau_l), T = log_{1/k}(1/sqrt(eps log p)), k = (tau_u - tau_l + 2 alpha)/(tau_u + tau_l), alpha < tau_l/2
 *   Nesterov: eta = 1/tau_u, T = log_{1/rho}(1/sqrt(eps log p)), rho = sqrt(1 - sqrt(tau_l/tau_u)), f1 < alpha/tau_l < f2
 *   error sqrt(eps log p)
 *
 *   eps -> contamination (not the privacy epsilon), zeta -> failureProbability, C1 -> concentration (unknown; 1 unless given)
 *
 * Both assume the conditions add_x on the moments of x (its covariances of products vanish but for equal pairs), which
 * even N(0, I) violates as they are printed: they are not checked. Hu_eps_PGD holds over any convex set that holds
 * theta* (R^p unless a radius is given).
 *
 * k depends on n~ = floor(n/T), so gradient descent takes the least T that is enough for its own k. The text prints eta
 * = 2/tau_u for Nesterov; 1/tau_u is right.
 */
export function huEpsPgd({
  radius,
  set = 'l2',
  ...given
}: Contaminated & { readonly radius?: number; readonly set?: ConvexSet }): Prescription {
  const problem = checkContaminated(given);
  if (radius !== undefined) requirePositive('radius', radius);
  requireChoice('set', set, CONVEX_SETS);
  const { smoothness, strongConvexity } = problem;
  const contractionAfter = (steps: number): number =>
    (smoothness - strongConvexity + 2 * estimatorError(problem, steps).alpha) / (smoothness + strongConvexity);
  // More chunks are smaller and have a larger k. If T steps are not enough, no T below the number they call for is.
  const enoughAfter = (steps: number): number => stepsToShrink(contractionAfter(steps), shrinkage(problem));
  let steps = 1;
  while (enoughAfter(steps) > steps) steps = enoughAfter(steps);
  const { alpha, beta } = estimatorError(problem, steps);
  const k = contractionAfter(steps);
  const { startDistance, noise, concentration, claimConstant, failureProbability } = problem;
  return huber(problem, steps, {
    theorem: 'Hu_eps_PGD',
    rule: 'projected-gradient',
    stepSize: 2 / (smoothness + strongConvexity),
    momentum: null,
    ...(radius !== undefined && { radius }),
    set,
    anySet: true,
    contraction: k,
    bound: bound({
      formula: '||theta_0 - theta*|| k^T + sigma_2 sqrt(log p) (sqrt eps + gamma)/(1 - k)',
      value: k < 1 && Number.isFinite(steps) ? startDistance * k ** steps + beta / concentration / (1 - k) : Infinity,
      open: { C1: concentration, sigma_2: noise, '||theta_0 - theta*||': startDistance },
      failure: { zeta: failureProbability, times: 1 },
      claimConstant,
    }),
    conditions: [required('alpha < tau_l/2', alpha < strongConvexity / 2, { alpha, tau_l: strongConvexity })],
  });
}

/** Theorem Hu_eps_Nester, Nesterov's method under contamination; see `huEpsPgd`. */
export function huEpsNester(given: Contaminated & FromTwoPoints): Prescription {
  const problem = checkContaminated(given);
  const { smoothness, strongConvexity } = problem;
  const contraction = nesterovContraction(smoothness, strongConvexity);
  const steps = contraction === 0 ? 1 : stepsToShrink(contraction, shrinkage(problem));
  const error = estimatorError(problem, steps);
  const logs = Math.sqrt(Math.log(problem.features));
  const gamma = error.alpha / (problem.concentration * logs) - Math.sqrt(problem.contamination);
  const mostGamma = (fasterFrom(smoothness / strongConvexity) * strongConvexity) / (problem.concentration * logs);
  return huber(problem, steps, {
    theorem: 'Hu_eps_Nester',
    rule: 'nesterov',
    stepSize: 1 / smoothness,
    momentum: constantMomentum(smoothness, strongConvexity),
    contraction,
    bound: nesterovBound(error, { ...given, ...problem, steps }),
    conditions: [
      ...nesterovConditions(smoothness, strongConvexity, error.alpha),
      forClaim('gamma < f1 tau_l/(C1 sqrt log p)', gamma < mostGamma, { gamma, bound: mostGamma }),
    ],
  });
}

type Checked = ReturnType<typeof checkContaminated>;

function checkContaminated(given: Contaminated) {
  const { contamination, features, failureProbability } = given;
  if (!(contamination > 0 && contamination < 0.5)) refuse('contamination', 'be in (0, 0.5)', contamination);
  requireInteger('features', features, 2);
  requireNumbers({ failureProbability });
  return checkStronglyConvex(given);
}

/** 1/sqrt(eps log p): how far the starting error must shrink to reach the error that no step can remove. */
const shrinkage = ({ contamination, features }: Checked): number =>
  Math.max(1, 1 / Math.sqrt(contamination * Math.log(features)));

/** alpha and beta of lemma geglmhb for n~ and zeta~; infinite where a chunk has no row. */
function estimatorError(
  { rows, features, failureProbability, contamination, concentration, noise }: Checked,
  steps: number,
): GradientError {
  const chunkRows = Math.floor(rows / steps);
  if (chunkRows < 1) return { alpha: Infinity, beta: Infinity };
  const stepFailure = failureProbability / steps;
  return huberGradientError({ features, chunkRows, stepFailure, contamination, concentration, noise });
}

function huber(
  { rows, contamination, failureProbability }: Checked,
  steps: number,
  stated: Pick<Prescription, 'theorem' | 'rule' | 'stepSize' | 'momentum' | 'contraction' | 'conditions' | 'bound'> &
    Partial<Prescription>,
): Prescription {
  const chunkRows = Math.floor(rows / steps);
  return prescription({
    ...stated,
    mode: 'fresh',
    steps,
    chunkRows,
    estimator: { kind: 'huber', contamination, failureProbability: failureProbability / steps },
    claim: { quantity: 'parameter', rate: 'sqrt(eps log p)', exponent: 0 },
    conditions: [required('n~ >= 1', chunkRows >= 1, { 'n~': chunkRows }), ...stated.conditions],
  });
}
