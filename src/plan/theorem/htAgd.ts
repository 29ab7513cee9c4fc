import { medianChunks } from './medianChunks.ts';
import { above, type Prescription, prescription, stepsToShrink, wholeSteps } from './prescription.ts';
import {
  checkStronglyConvex,
  constantMomentum,
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
export function htAgd(given: StronglyConvex): Prescription {
  const { features, smoothness, strongConvexity, concentration, ...problem } = checkStronglyConvex(given);
  const contraction = nesterovContraction(smoothness, strongConvexity);
  // A perfectly conditioned problem (tau_u = tau_l) is solved by one step; the theorem itself leaves it out.
  const steps = contraction === 0 ? wholeSteps(1) : stepsToShrink(contraction, Math.sqrt(problem.rows));
  const { run, stepFailure, enoughRows } = medianChunks(problem, steps);
  const alpha = concentration * Math.sqrt((features * Math.log(1 / stepFailure)) / run.chunkRows);
  return prescription({
    theorem: 'htAGD',
    rule: 'nesterov',
    ...run,
    stepSize: 1 / smoothness,
    momentum: constantMomentum(smoothness, strongConvexity),
    contraction,
    claim: { quantity: 'parameter', rate: 'sqrt(p/n)', exponent: -1 / 2 },
    conditions: [enoughRows, ...nesterovConditions(smoothness, strongConvexity, alpha)],
  });
}

/**
 * Lemma GLMhtGD: gradient descent on T chunks with G_MOM, linear model under heavy tails.
 *
 *   T = log_{(tau_u + tau_l)/tau_u}(sqrt n), eta = 2/(tau_u + tau_l), n~ > 4 C1^2 p log(1/zeta~)/tau_l^2, error sqrt(p/n)
 *
 *   tau_u -> smoothness, tau_l -> strongConvexity, C1 -> concentration (unknown; 1 unless given)
 */
export function glmHtGd(given: StronglyConvex): Prescription {
  const { features, smoothness, strongConvexity, concentration, ...problem } = checkStronglyConvex(given);
  const contraction = smoothness / (smoothness + strongConvexity);
  const steps = stepsToShrink(contraction, Math.sqrt(problem.rows));
  const { run, stepFailure, enoughRows } = medianChunks(problem, steps);
  const leastRows = (4 * concentration ** 2 * features * Math.log(1 / stepFailure)) / strongConvexity ** 2;
  return prescription({
    theorem: 'GLMhtGD',
    rule: 'projected-gradient',
    ...run,
    stepSize: 2 / (smoothness + strongConvexity),
    contraction,
    claim: { quantity: 'parameter', rate: 'sqrt(p/n)', exponent: -1 / 2 },
    conditions: [enoughRows, above('n~ > 4 C1^2 p log(1/zeta~)/tau_l^2', 'n~', run.chunkRows, leastRows)],
  });
}
