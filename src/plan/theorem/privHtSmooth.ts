import type { Budget } from '../../privacy/gaussianNoise.ts';
import { bound, log, type UpToConstant } from './bound.ts';
import { paperPrivacy } from './paperPrivacy.ts';
import { above, type Numbers, type Prescription, prescription, requireNumbers, wholeSteps } from './prescription.ts';

export type SmoothPrivate = Budget & UpToConstant & Numbers<'rows' | 'lipschitz' | 'smoothness' | 'failureProbability'>;

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
    bounded: ({ rows: n, failureProbability: zeta, epsilon, delta }) => ({
      formula: 'sqrt(log(n/zeta)) / n^(1/5) + log(n/delta) sqrt(log(n/zeta)) / (n^(1/2) eps)',
      value:
        Math.sqrt(log(n / zeta)) / n ** (1 / 5) +
        (log(n / delta) * Math.sqrt(log(n / zeta))) / (Math.sqrt(n) * epsilon),
    }),
  });

/** Theorem Priv_HT_AGD_Smooth, private Nesterov; see `privHtGdSmooth`. */
export const privHtAgdSmooth = (problem: SmoothPrivate): Prescription =>
  privHtSmooth(problem, {
    theorem: 'Priv_HT_AGD_Smooth',
    rule: 'nesterov',
    momentum: 'increasing',
    claim: { quantity: 'risk', rate: 'n^(-2/5) + n^(-1)/eps^2', exponent: -2 / 5 },
    bounded: ({ rows: n, failureProbability: zeta, epsilon, delta }) => ({
      formula: 'log(n/zeta) / n^(2/5) + log(n/zeta) log^2(n/delta) / (n eps^2)',
      value: log(n / zeta) / n ** (2 / 5) + (log(n / zeta) * log(n / delta) ** 2) / (n * epsilon ** 2),
    }),
  });

function privHtSmooth(
  problem: SmoothPrivate,
  {
    bounded,
    ...stated
  }: Pick<Prescription, 'theorem' | 'rule' | 'momentum' | 'claim'> & {
    readonly bounded: (problem: SmoothPrivate) => { readonly formula: string; readonly value: number };
  },
): Prescription {
  const { rows, lipschitz, smoothness, failureProbability, epsilon, delta, claimConstant = 1 } = problem;
  requireNumbers({ rows, lipschitz, smoothness, failureProbability, claimConstant });
  const steps = wholeSteps(rows ** (1 / 5));
  const chunkRows = Math.floor(rows / steps);
  const leastRows = 8 * Math.log(4 / (failureProbability / steps));
  const chunk = { epsilon, delta, lipschitz, rows: chunkRows, steps };
  const { run, smallEpsilon } = paperPrivacy('composed', chunk, 'fresh');
  return prescription({
    ...stated,
    ...run,
    stepSize: 1 / smoothness,
    bound: bound({ ...bounded(problem), failure: { zeta: failureProbability, times: 1 }, claimConstant }),
    conditions: [smallEpsilon, above('n~ > 8 log(4/zeta~)', 'n~', chunkRows, leastRows)],
  });
}
