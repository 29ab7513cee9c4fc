import { refuse, requireInteger, requirePositive } from '../../errors.ts';
import { type HeavyTailed, medianChunks } from './medianChunks.ts';
import { type Numbers, type Prescription, prescription, required, stepsToShrink } from './prescription.ts';
import { requireSingular, type Spectrum, summarizeSpectrum } from './spectrum.ts';

export type RidgeProblem = HeavyTailed & Spectrum & Partial<Numbers<'radius' | 'penalty' | 'concentration'>>;

/**
 * Corollaries HT_Ridge_min>0 and HT_Ridge_min=0: projected gradient descent on T chunks with G_MOM, ridge.
 *
 *   lambda_min > 0: gamma = n^(-1/2), error n^(-1/2);   lambda_min = 0: gamma = n^(-1/5), error n^(-1/5) + c_K
 *   tau_u = lambda_max + gamma, tau_l = lambda_min + gamma, eta = 2/(tau_u + tau_l), T = log_{(tau_u+tau_l)/tau_u}(sqrt n)
 *   C = B2(D), D >= ||(Sigma + gamma I)^-1 Sigma theta*||;   n~ > 4 C1^2 log(1/zeta~)/tau_l^2
 *
 *   gamma -> penalty (as above unless given), D -> radius (its least value unless given), C1 -> concentration (1 unless given); see spectrum.ts
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
      required('n~ > 4 C1^2 log(1/zeta~)/tau_l^2', run.chunkRows > leastRows, {
        'n~': run.chunkRows,
        bound: leastRows,
      }),
      required('D >= ||(Sigma + gamma I)^-1 Sigma theta*||', radius >= leastRadius, {
        D: radius,
        bound: leastRadius,
      }),
    ],
  });
}
