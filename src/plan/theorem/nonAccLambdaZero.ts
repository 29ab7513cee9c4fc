import { requireInteger, requirePositive } from '../../errors.ts';
import { type HeavyTailed, medianChunks } from './medianChunks.ts';
import { type Numbers, type Prescription, prescription, required, wholeSteps } from './prescription.ts';
import { requireSingular, type Spectrum, summarizeSpectrum } from './spectrum.ts';

/**
 * Theorem NonACC_lambda=0: Frank-Wolfe on T chunks with G_MOM, ridge, lambda_min = 0.
 *
 *   gamma = n^(-1/9), D >= ||(Sigma + gamma I)^-1 Sigma theta*||, T = n^(1/3), eta_t = 2/(2 + t), error n^(-1/9) + c_K
 *
 *   gamma -> penalty (n^(-1/9) unless given), D -> radius (its least value unless given); see spectrum.ts for the rest
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
    conditions: [
      enoughRows,
      required('D >= ||(Sigma + gamma I)^-1 Sigma theta*||', radius >= leastRadius, {
        D: radius,
        bound: leastRadius,
      }),
    ],
  });
}
