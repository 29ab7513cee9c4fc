import { medianChunks } from './medianChunks.ts';
import { type Prescription, prescription, required, stepsToShrink } from './prescription.ts';
import { checkStronglyConvex, type StronglyConvex } from './stability.ts';

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
    conditions: [
      enoughRows,
      required('n~ > 4 C1^2 p log(1/zeta~)/tau_l^2', run.chunkRows > leastRows, {
        'n~': run.chunkRows,
        bound: leastRows,
      }),
    ],
  });
}
