import type { Budget } from '../../privacy/gaussianNoise.ts';
import { LARGEST_PAPER_EPSILON, singleRowNoise } from '../../privacy/paperNoise.ts';
import { bound, log, type UpToConstant } from './bound.ts';
import { type Numbers, type Prescription, prescription, required, requireNumbers } from './prescription.ts';

/**
 * Lemma Util_Priv_SGD (Bassily et al.): private SGD (alg:Priv_SGD), one secretly drawn row a step.
 *
 *   T = n^2, sigma^2 = 32 L2^2 log(n/delta) log(1/delta)/eps^2, eta_t = 2 D / sqrt((t + 1)(L2^2 + p sigma^2)), t from 0
 *   excess risk L2 D sqrt p / (n eps)
 *
 *   L2 -> lipschitz, D -> radius
 *
 * The paper's step divides by 0 at t = 0 and has an n^2 that belongs to un-normalised sums; the step here is the one
 * its proof uses.
 */
export function utilPrivSgd({
  rows,
  features,
  radius,
  lipschitz,
  epsilon,
  delta,
  claimConstant = 1,
}: Budget & UpToConstant & Numbers<'rows' | 'features' | 'radius' | 'lipschitz'>): Prescription {
  requireNumbers({ rows, features, radius, lipschitz, epsilon, delta, claimConstant });
  const proven = epsilon <= LARGEST_PAPER_EPSILON;
  const sigma = proven ? singleRowNoise({ lipschitz, rows, epsilon, delta }) : null;
  return prescription({
    theorem: 'Util_Priv_SGD',
    rule: 'private-sgd',
    mode: 'full',
    steps: rows ** 2,
    chunkRows: 1,
    stepSize: {
      inverseRoot: sigma === null ? 0 : (2 * radius) / Math.sqrt(lipschitz ** 2 + features * sigma ** 2),
    },
    radius,
    estimator: { kind: 'single-row' },
    privacy: Object.freeze({ epsilon, delta, lipschitz, sigma }),
    claim: { quantity: 'risk', rate: 'L2 D sqrt p / (n eps)', exponent: -1 },
    bound: bound({
      formula: 'L2 ||C|| log^(3/2)(n/delta) sqrt(p log(1/delta)) / (n eps)',
      value:
        (lipschitz * 2 * radius * log(rows / delta) ** 1.5 * Math.sqrt(features * log(1 / delta))) / (rows * epsilon),
      claimConstant,
    }),
    conditions: [required('eps <= 0.9', proven, { eps: epsilon })],
  });
}
