import { type HeavyTailed, medianChunks } from './medianChunks.ts';
import { type Numbers, type Prescription, prescription, required, requireNumbers, wholeSteps } from './prescription.ts';

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
