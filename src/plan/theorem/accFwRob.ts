import { refuse } from '../../errors.ts';
import { accelerated } from './accelerated.ts';
import { type HeavyTailed, medianChunks } from './medianChunks.ts';
import { type Numbers, type Prescription, prescription, required, requireNumbers } from './prescription.ts';

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
