/**
 * What a budget has room for, in sums of mu^2.
 *
 * Edge cases. Sums of squares are compared up to a relative 1e-9, so that runs planned to fill a budget may do so.
 */
import { ArgumentError } from '../../errors.ts';
import { roundedDown } from '../../math/solveIncreasing.ts';
import { epsilonFor, muFor } from '../gaussianDp.ts';
import type { Budget } from '../gaussianNoise.ts';

export interface Left {
  readonly mu: number;
  readonly epsilon: number;
}

/** Whether a sum of squares stays within a bound, up to rounding. */
export const fits = (squaredMu: number, bound: number): boolean => squaredMu <= bound * (1 + 1e-9);

/** What is left of a budget after mu^2 = `spent`. */
export function leftOf({ epsilon, delta }: Budget, spent: number): Left {
  const mu = Math.sqrt(Math.max(0, muFor(epsilon, delta) ** 2 - spent));
  return { mu, epsilon: epsilonFor(mu, delta) };
}

/** Share of a budget: with less left, noise would hide whatever a run estimates. */
const SPENT = 1e-3;

/** Refuses a run that could spend more than is left of its budget; the message says how much that is. */
export function requireRoom(
  dataset: string,
  { mu, epsilon, delta }: Budget & { readonly mu: number },
  bound: Budget,
  spent: number,
): void {
  if (fits(spent + mu ** 2, muFor(bound.epsilon, bound.delta) ** 2)) return;
  const run = `epsilon ${epsilon} at delta ${delta} (mu ${roundedDown(mu)})`;
  const budget = `budget of epsilon ${bound.epsilon} at delta ${bound.delta} (mu ${roundedDown(muFor(bound.epsilon, bound.delta))})`;
  if (spent === 0) {
    throw new ArgumentError(
      `the run would spend ${run}, more than the whole ${budget} of data set ${JSON.stringify(dataset)}; ask for at most epsilon ${bound.epsilon} at delta ${bound.delta}`,
      'ERR_BUDGET',
      { dataset, budget: bound },
    );
  }
  const left = leftOf(bound, spent);
  const most =
    left.epsilon < SPENT * bound.epsilon ? null : `epsilon ${roundedDown(left.epsilon)} at delta ${bound.delta}`;
  const nothing = left.epsilon === 0 ? 'nothing' : 'almost nothing';
  throw new ArgumentError(
    `data set ${JSON.stringify(dataset)} has ${most === null ? nothing : `${most} (mu ${roundedDown(left.mu)})`} left ` +
      `of its ${budget}, but the run would spend ${run}; ` +
      `${most === null ? 'the budget is spent, and these data allow no further private run' : `ask for at most ${most}`}`,
    'ERR_BUDGET',
    { dataset, budget: bound, left },
  );
}
