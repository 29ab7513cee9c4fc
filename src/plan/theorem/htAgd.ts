import { requireChoice, requirePositive } from '../../errors.ts';
import { bound } from './bound.ts';
import { CONVEX_SETS, type ConvexSet } from './convexSet.ts';
import { type GradientError, linearGradientError } from './lemmas/estimators.ts';
import { medianChunks } from './medianChunks.ts';
import { nesterovBound } from './nesterovBound.ts';
import { above, type Prescription, prescription, stepsToShrink, wholeSteps } from './prescription.ts';
import {
  checkStronglyConvex,
  constantMomentum,
  type FromTwoPoints,
  nesterovConditions,
  nesterovContraction,
  type StronglyConvex,
} from './stability.ts';

/**
 * Theorems AGD and htAGD: Nesterov's method on T chunks with G_MOM, linear model under heavy tails.
 *
 *   T = 2 log(sqrt n) / log(1/(1 - sqrt(tau_l/tau_u))), eta = 1/tau_u, lambda = (sqrt tau_u - sqrt tau_l)/(sqrt tau_u + sqrt tau_l)
 *   1 < tau_u/tau_l < 1.76, f1 < alpha/tau_l < f2, alpha = C1 sqrt(p log(1/zeta~)/n~), error sqrt(p/n)
 *
 *   tau_u -> smoothness, tau_l -> strongConvexity, C1 -> concentration (unknown; 1 unless given)
 *
 * The text of htAGD prints eta = 2/tau_u, which diverges even without noise; theorem AGD has 1/tau_u.
 */
export function htAgd(given: StronglyConvex & FromTwoPoints): Prescription {
  const checked = checkStronglyConvex(given);
  const { features, smoothness, strongConvexity, concentration, noise, ...problem } = checked;
  const contraction = nesterovContraction(smoothness, strongConvexity);
  // A perfectly conditioned problem (tau_u = tau_l) is solved by one step; the theorem itself leaves it out.
  const steps = contraction === 0 ? wholeSteps(1) : stepsToShrink(contraction, Math.sqrt(problem.rows));
  const { run, stepFailure, enoughRows } = medianChunks(problem, steps);
  const { chunkRows } = run;
  const { alpha, beta } = gradientError({ features, chunkRows, stepFailure, noise, concentration });
  return prescription({
    theorem: 'htAGD',
    rule: 'nesterov',
    ...run,
    stepSize: 1 / smoothness,
    momentum: constantMomentum(smoothness, strongConvexity),
    contraction,
    claim: { quantity: 'parameter', rate: 'sqrt(p/n)', exponent: -1 / 2 },
    bound: nesterovBound({ alpha, beta }, { ...checked, steps }),
    conditions: [enoughRows, ...nesterovConditions(smoothness, strongConvexity, alpha)],
  });
}

/**
 * Lemma GLMhtGD: gradient descent on T chunks with G_MOM, linear model under heavy tails, over any convex set that holds
 * theta* (R^p unless a radius is given).
 *
 *   T = log_{(tau_u + tau_l)/tau_u}(sqrt n), eta = 2/(tau_u + tau_l), n~ > 4 C1^2 p log(1/zeta~)/tau_l^2, error sqrt(p/n)
 *
 *   tau_u -> smoothness, tau_l -> strongConvexity, C1 -> concentration (unknown; 1 unless given)
 */
export function glmHtGd({
  radius,
  set = 'l2',
  ...given
}: StronglyConvex & { readonly radius?: number; readonly set?: ConvexSet }): Prescription {
  const { features, smoothness, strongConvexity, concentration, noise, startDistance, claimConstant, ...problem } =
    checkStronglyConvex(given);
  if (radius !== undefined) requirePositive('radius', radius);
  requireChoice('set', set, CONVEX_SETS);
  const contraction = smoothness / (smoothness + strongConvexity);
  const steps = stepsToShrink(contraction, Math.sqrt(problem.rows));
  const { run, stepFailure, enoughRows } = medianChunks(problem, steps);
  const leastRows = (4 * concentration ** 2 * features * Math.log(1 / stepFailure)) / strongConvexity ** 2;
  const { chunkRows } = run;
  const { alpha, beta } = gradientError({ features, chunkRows, stepFailure, noise, concentration });
  const k = (smoothness - strongConvexity + 2 * alpha) / (smoothness + strongConvexity);
  return prescription({
    theorem: 'GLMhtGD',
    rule: 'projected-gradient',
    ...run,
    stepSize: 2 / (smoothness + strongConvexity),
    ...(radius !== undefined && { radius }),
    set,
    anySet: true,
    contraction,
    claim: { quantity: 'parameter', rate: 'sqrt(p/n)', exponent: -1 / 2 },
    bound: bound({
      formula:
        '||theta_0 - theta*|| k^T + sigma_2/(1 - k) sqrt(p log(1/zeta~)/n~), k = (tau_u - tau_l + 2 alpha)/(tau_u + tau_l)',
      value: k < 1 ? startDistance * k ** steps + beta / concentration / (1 - k) : Infinity,
      open: { C1: concentration, sigma_2: noise, '||theta_0 - theta*||': startDistance },
      failure: { zeta: problem.failureProbability, times: 1 },
      claimConstant,
    }),
    conditions: [enoughRows, above('n~ > 4 C1^2 p log(1/zeta~)/tau_l^2', 'n~', run.chunkRows, leastRows)],
  });
}

/** Of lemma geglmht; infinite where a chunk has no row. */
const gradientError = (chunk: Parameters<typeof linearGradientError>[0]): GradientError =>
  chunk.chunkRows < 1 ? { alpha: Infinity, beta: Infinity } : linearGradientError(chunk);
