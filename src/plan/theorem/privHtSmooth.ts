import type { Budget } from '../../privacy/gaussianNoise.ts';
import { paperPrivacy } from './paperPrivacy.ts';
import { above, type Numbers, type Prescription, prescription, requireNumbers, wholeSteps } from './prescription.ts';

export type SmoothPrivate = Budget & Numbers<'rows' | 'lipschitz' | 'smoothness' | 'failureProbability'>;

/**
 * Theorems Priv_HT_GD_Smooth and Priv_HT_AGD_Smooth: private gradient descent and Nesterov over R^p on T chunks, for
 * any convex, L2-Lipschitz, smooth loss.
 *
 *   T = n^(1/5), eta = 1/tau_u, gradient = mean of the chunk + N(0, sigma^2 I)
 *   sigma^2 = 64 L2^2 T log(5T/(2 delta)) log(2/delta) / (n~^2 eps^2), eps <= 0.9, n~ > 8 log(4/zeta~)
 *   gradient descent: excess risk n^(-1/5) + n^(-1/2)/eps
 *   Nesterov, lambda_t = (t - 1)/(t + 2): n^(-2/5) + n^(-1)/eps^2
 *
 *   L2 -> lipschitz, tau_u -> smoothness, zeta -> failureProbability
 *
 * The noise composes T steps although the chunks are disjoint; the theorems' claims rest on it, so it is kept here.
 */
export const privHtGdSmooth = (problem: SmoothPrivate): Prescription =>
  privHtSmooth(problem, {
    theorem: 'Priv_HT_GD_Smooth',
    rule: 'projected-gradient',
    momentum: null,
    claim: { quantity: 'risk', rate: 'n^(-1/5) + n^(-1/2)/eps', exponent: -1 / 5 },
  });

/** Theorem Priv_HT_AGD_Smooth, private Nesterov; see `privHtGdSmooth`. */
export const privHtAgdSmooth = (problem: SmoothPrivate): Prescription =>
  privHtSmooth(problem, {
    theorem: 'Priv_HT_AGD_Smooth',
    rule: 'nesterov',
    momentum: 'increasing',
    claim: { quantity: 'risk', rate: 'n^(-2/5) + n^(-1)/eps^2', exponent: -2 / 5 },
  });

function privHtSmooth(
  { rows, lipschitz, smoothness, failureProbability, epsilon, delta }: SmoothPrivate,
  stated: Pick<Prescription, 'theorem' | 'rule' | 'momentum' | 'claim'>,
): Prescription {
  requireNumbers({ rows, lipschitz, smoothness, failureProbability });
  const steps = wholeSteps(rows ** (1 / 5));
  const chunkRows = Math.floor(rows / steps);
  const leastRows = 8 * Math.log(4 / (failureProbability / steps));
  const chunk = { epsilon, delta, lipschitz, rows: chunkRows, steps };
  const { run, smallEpsilon } = paperPrivacy('composed', chunk, 'fresh');
  return prescription({
    ...stated,
    ...run,
    stepSize: 1 / smoothness,
    conditions: [smallEpsilon, above('n~ > 8 log(4/zeta~)', 'n~', chunkRows, leastRows)],
  });
}
