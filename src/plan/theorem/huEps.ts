import { refuse, requireInteger } from '../../errors.ts';
import { type Prescription, prescription, required, requireNumbers, stepsToShrink } from './prescription.ts';
import {
  checkStronglyConvex,
  constantMomentum,
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
 * k depends on n~ = floor(n/T), so gradient descent takes the least T that is enough for its own k. The text prints eta
 * = 2/tau_u for Nesterov; 1/tau_u is right.
 */
export function huEpsPgd(given: Contaminated): Prescription {
  const problem = checkContaminated(given);
  const { smoothness, strongConvexity } = problem;
  const contractionAfter = (steps: number): number =>
    (smoothness - strongConvexity + 2 * estimatorSlope(problem, steps)) / (smoothness + strongConvexity);
  // More chunks are smaller and have a larger k. If T steps are not enough, no T below the number they call for is.
  const enoughAfter = (steps: number): number => stepsToShrink(contractionAfter(steps), shrinkage(problem));
  let steps = 1;
  while (enoughAfter(steps) > steps) steps = enoughAfter(steps);
  const alpha = estimatorSlope(problem, steps);
  return huber(problem, steps, {
    theorem: 'Hu_eps_PGD',
    rule: 'projected-gradient',
    stepSize: 2 / (smoothness + strongConvexity),
    momentum: null,
    contraction: contractionAfter(steps),
    conditions: [required('alpha < tau_l/2', alpha < strongConvexity / 2, { alpha, tau_l: strongConvexity })],
  });
}

/** Theorem Hu_eps_Nester, Nesterov's method under contamination; see `huEpsPgd`. */
export function huEpsNester(given: Contaminated): Prescription {
  const problem = checkContaminated(given);
  const { smoothness, strongConvexity } = problem;
  const contraction = nesterovContraction(smoothness, strongConvexity);
  const steps = contraction === 0 ? 1 : stepsToShrink(contraction, shrinkage(problem));
  return huber(problem, steps, {
    theorem: 'Hu_eps_Nester',
    rule: 'nesterov',
    stepSize: 1 / smoothness,
    momentum: constantMomentum(smoothness, strongConvexity),
    contraction,
    conditions: nesterovConditions(smoothness, strongConvexity, estimatorSlope(problem, steps)),
  });
}

type Checked = Required<Contaminated>;

function checkContaminated(given: Contaminated): Checked {
  const { contamination, features, failureProbability } = given;
  if (!(contamination > 0 && contamination < 0.5)) refuse('contamination', 'be in (0, 0.5)', contamination);
  requireInteger('features', features, 2);
  requireNumbers({ failureProbability });
  return checkStronglyConvex(given);
}

/** 1/sqrt(eps log p): how far the starting error must shrink to reach the error that no step can remove. */
const shrinkage = ({ contamination, features }: Checked): number =>
  Math.max(1, 1 / Math.sqrt(contamination * Math.log(features)));

/** alpha(n~, zeta~) of lemma geglmhb; infinite where a chunk has no row. */
function estimatorSlope(
  { rows, features: p, failureProbability, contamination, concentration }: Checked,
  steps: number,
): number {
  const n = Math.floor(rows / steps);
  if (n < 1) return Infinity;
  const zeta = failureProbability / steps;
  const sampling = ((p * Math.log(p) * Math.max(0, Math.log(n / (p * zeta)))) / n) ** (3 / 8);
  const outliers = ((contamination * p ** 2 * Math.log(p) * Math.log((p * Math.log(p)) / zeta)) / n) ** (1 / 4);
  return concentration * (Math.sqrt(contamination) + sampling + outliers) * Math.sqrt(Math.log(p));
}

function huber(
  { rows, contamination, failureProbability }: Checked,
  steps: number,
  stated: Pick<Prescription, 'theorem' | 'rule' | 'stepSize' | 'momentum' | 'contraction' | 'conditions'>,
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
