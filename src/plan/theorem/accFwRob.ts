import { refuse, requireChoice, requirePositive } from '../../errors.ts';
import { accelerated } from './accelerated.ts';
import { bound, log, type NoisyTarget } from './bound.ts';
import { CONVEX_SETS, type ConvexSet } from './convexSet.ts';
import { type HeavyTailed, medianChunks } from './medianChunks.ts';
import {
  atMost,
  type Numbers,
  type Prescription,
  prescription,
  required,
  requireNumbers,
  wholeSteps,
} from './prescription.ts';

/**
 * Theorem ACCFWROB: accelerated Frank-Wolfe on T chunks with G_MOM, linear model, lambda_min > 0.
 *
 *   D = ||theta*|| - C1 n^(-1/5), u = C1 lambda_min n^(-1/5), alpha_C = 1/D
 *   eta = min{1, u/(4 D lambda_max)}, c = max{1/2, 1 - u/(8 D lambda_max)}, T = log_{1/c}(n^(2/5)), error n^(-1/5)
 *
 *   C1 -> gap, D -> radius and u -> gradientFloor (at their upper ends unless given), lambda_min, lambda_max ->
 *   smallestEigenvalue, largestEigenvalue, sigma_2 -> noise
 */
export function accFwRob({
  truthNorm,
  smallestEigenvalue,
  largestEigenvalue,
  gap = 1,
  radius: givenRadius,
  gradientFloor: givenFloor,
  noise = 1,
  claimConstant = 1,
  ...problem
}: HeavyTailed &
  NoisyTarget &
  Numbers<'truthNorm' | 'smallestEigenvalue' | 'largestEigenvalue'> &
  Partial<Numbers<'gap' | 'radius' | 'gradientFloor'>>): Prescription {
  requireNumbers({ truthNorm, smallestEigenvalue, largestEigenvalue, gap, noise, claimConstant });
  if (smallestEigenvalue > largestEigenvalue) {
    refuse('smallestEigenvalue', `be at most the largestEigenvalue ${largestEigenvalue}`, smallestEigenvalue);
  }
  const { rows: n, failureProbability: zeta } = problem;
  requireNumbers({ rows: n, failureProbability: zeta });
  const distance = gap * problem.rows ** (-1 / 5);
  const [largestRadius, largestFloor] = [truthNorm - distance, smallestEigenvalue * distance];
  const radius = givenRadius === undefined ? largestRadius : requirePositive('radius', givenRadius);
  const gradientFloor = givenFloor === undefined ? largestFloor : requirePositive('gradientFloor', givenFloor);
  const fast = accelerated({
    radius,
    gradientFloor,
    smoothness: largestEigenvalue,
    shrinkage: problem.rows ** (2 / 5),
  });
  const { run, enoughRows } = medianChunks(problem, fast.steps);
  return prescription({
    theorem: 'ACCFWROB',
    ...fast,
    ...run,
    claim: { quantity: 'parameter', rate: 'n^(-1/5)', exponent: -1 / 5 },
    bound: bound({
      formula: '(1 + sigma_2)^(1/2) (log n log(n log n / zeta))^(1/4) / n^(1/5)',
      value: Math.sqrt(1 + noise) * (log(n) * log((n * log(n)) / zeta)) ** (1 / 4) * n ** (-1 / 5),
      open: { sigma_2: noise },
      failure: { zeta, times: 1 },
      claimConstant,
    }),
    conditions: [
      enoughRows,
      required('D > 0', radius > 0, { D: radius }),
      // At their upper ends they need no check.
      ...(givenRadius === undefined ? [] : [atMost('D <= ||theta*|| - C1 n^(-1/5)', 'D', radius, largestRadius)]),
      ...(givenFloor === undefined ? [] : [atMost('u <= C1 lambda_min n^(-1/5)', 'u', gradientFloor, largestFloor)]),
    ],
  });
}

/**
 * Theorem HT_NonAccFW: Frank-Wolfe on T chunks with G_MOM (alg:RobPGDNFW, alg:HTGE), linear model, lambda_min > 0.
 *
 *   T = n^(1/3), eta_t = 2/(2 + t), theta* in C, error n^(-1/6)
 *
 *   C -> set and radius (convex and compact; B2(D) unless given), ||theta*|| -> truthNorm, in the norm of the set;
 *   sigma_2 -> noise
 */
export function htNonAccFw({
  radius,
  truthNorm,
  set = 'l2',
  noise = 1,
  claimConstant = 1,
  ...problem
}: HeavyTailed & NoisyTarget & Numbers<'radius' | 'truthNorm'> & { readonly set?: ConvexSet }): Prescription {
  const { rows: n, failureProbability: zeta } = problem;
  requireNumbers({ rows: n, failureProbability: zeta, radius, truthNorm, noise, claimConstant });
  requireChoice('set', set, CONVEX_SETS);
  const steps = wholeSteps(problem.rows ** (1 / 3));
  const { run, enoughRows } = medianChunks(problem, steps);
  return prescription({
    theorem: 'HT_NonAccFW',
    rule: 'frank-wolfe',
    ...run,
    stepSize: 'harmonic',
    radius,
    set,
    anySet: true,
    claim: { quantity: 'parameter', rate: 'n^(-1/6)', exponent: -1 / 6 },
    bound: bound({
      formula: '(1 + sigma_2)^(1/2) log^(1/4)(n/zeta) / n^(1/6)',
      value: Math.sqrt(1 + noise) * log(n / zeta) ** (1 / 4) * n ** (-1 / 6),
      open: { sigma_2: noise },
      failure: { zeta, times: 1 },
      claimConstant,
    }),
    conditions: [enoughRows, required('||theta*|| <= D', truthNorm <= radius, { '||theta*||': truthNorm, D: radius })],
  });
}
