import { refuse } from '../../errors.ts';
import { accelerated } from './accelerated.ts';
import { type HeavyTailed, medianChunks } from './medianChunks.ts';
import { type Numbers, type Prescription, prescription, required, requireNumbers, wholeSteps } from './prescription.ts';

/**
 * Theorem ACCFWROB: accelerated Frank-Wolfe on T chunks with G_MOM, linear model, lambda_min > 0.
 *
 *   D = ||theta*|| - C1 n^(-1/5), u = C1 lambda_min n^(-1/5), alpha_C = 1/D
 *   eta = min{1, u/(4 D lambda_max)}, c = max{1/2, 1 - u/(8 D lambda_max)}, T = log_{1/c}(n^(2/5)), error n^(-1/5)
 *
 *   C1 -> gap, u -> gradientFloor, lambda_min, lambda_max -> smallestEigenvalue, largestEigenvalue
 */
export function accFwRob({
  truthNorm,
  smallestEigenvalue,
  largestEigenvalue,
  gap = 1,
  ...problem
}: HeavyTailed &
  Numbers<'truthNorm' | 'smallestEigenvalue' | 'largestEigenvalue'> & { readonly gap?: number }): Prescription {
  requireNumbers({ truthNorm, smallestEigenvalue, largestEigenvalue, gap });
  if (smallestEigenvalue > largestEigenvalue) {
    refuse('smallestEigenvalue', `be at most the largestEigenvalue ${largestEigenvalue}`, smallestEigenvalue);
  }
  const distance = gap * problem.rows ** (-1 / 5);
  const radius = truthNorm - distance;
  const fast = accelerated({
    radius,
    gradientFloor: smallestEigenvalue * distance,
    smoothness: largestEigenvalue,
    shrinkage: problem.rows ** (2 / 5),
  });
  const { run, enoughRows } = medianChunks(problem, fast.steps);
  return prescription({
    theorem: 'ACCFWROB',
    ...fast,
    ...run,
    claim: { quantity: 'parameter', rate: 'n^(-1/5)', exponent: -1 / 5 },
    conditions: [enoughRows, required('D > 0', radius > 0, { D: radius })],
  });
}

/**
 * Theorem HT_NonAccFW: Frank-Wolfe on T chunks with G_MOM (alg:RobPGDNFW, alg:HTGE), linear model, lambda_min > 0.
 *
 *   T = n^(1/3), eta_t = 2/(2 + t), theta* in C = B2(D), error n^(-1/6)
 *
 *   D -> radius, ||theta*|| -> truthNorm
 */
export function htNonAccFw({
  radius,
  truthNorm,
  ...problem
}: HeavyTailed & Numbers<'radius' | 'truthNorm'>): Prescription {
  requireNumbers({ radius, truthNorm });
  const steps = wholeSteps(problem.rows ** (1 / 3));
  const { run, enoughRows } = medianChunks(problem, steps);
  return prescription({
    theorem: 'HT_NonAccFW',
    rule: 'frank-wolfe',
    ...run,
    stepSize: 'harmonic',
    radius,
    claim: { quantity: 'parameter', rate: 'n^(-1/6)', exponent: -1 / 6 },
    conditions: [enoughRows, required('||theta*|| <= D', truthNorm <= radius, { '||theta*||': truthNorm, D: radius })],
  });
}
