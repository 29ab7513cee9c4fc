import { refuse } from '../../../errors.ts';
import { type Numbers, requireNumbers } from '../prescription.ts';

/**
 * Lemmas ACC_PRIV_FW_STEP and compGDP: the total epsilon of alg:PrivFWERM for a nominal eps, also above 0.9, by advanced
 * composition of T steps; delta stays what it is.
 *
 *   eps_total = eps/2 + sqrt T eps/(2 sqrt(2 log(2/delta))) (exp(eps/(2 sqrt(2T log(2/delta)))) - 1)
 *   eps < 2 sqrt(2T log(2/delta)), delta < 2T
 *
 * For eps <= 0.9 it is at most eps. `composedNoise` is for those only; the exact calibrations need less noise for any
 * epsilon, so this is the paper's statement and no way to spend a budget.
 */
export function composedEpsilon({ epsilon, delta, steps }: Numbers<'epsilon' | 'delta' | 'steps'>): number {
  requireNumbers({ epsilon, delta, steps });
  const spread = Math.sqrt(2 * Math.log(2 / delta));
  const most = 2 * spread * Math.sqrt(steps);
  if (!(epsilon < most)) refuse('epsilon', `be below 2 sqrt(2T log(2/delta)) = ${most}`, epsilon);
  return epsilon / 2 + ((Math.sqrt(steps) * epsilon) / (2 * spread)) * Math.expm1(epsilon / most);
}
