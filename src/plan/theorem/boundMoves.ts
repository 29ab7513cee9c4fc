import type { Argument, Theorem } from './catalogue.ts';

/** What the bound of a theorem becomes when one of its numbers doubles, as a multiple of what it is. */
export type Moves = Readonly<Partial<Record<'n' | 'p' | 'eps', number>>>;

const SYMBOLS = { rows: 'n', features: 'p', epsilon: 'eps' } as const;

/**
 * How the bound moves with n, p and epsilon: the prescription is made again with twice of each. Absent where the theorem
 * does not take the number, or does not hold with twice of it (an eps above 0.9).
 *
 * Everything else stays what was given. An L2, a Gaussian width or an eigenvalue that was given for p features does not
 * follow p.
 */
export function boundMoves(theorem: Theorem, given: Readonly<Record<string, Argument>>): Moves {
  const now = theorem.prescribe(given).bound.value;
  const moves: Partial<Record<'n' | 'p' | 'eps', number>> = {};
  for (const [name, symbol] of Object.entries(SYMBOLS)) {
    const value = given[name];
    // A spectrum has as many values as there are features.
    if (typeof value !== 'number' || (name === 'features' && given.eigenvalues !== undefined)) continue;
    const then = theorem.prescribe({ ...given, [name]: 2 * value });
    const holds = then.conditions.every(({ met, kind }) => met || kind === 'claim');
    const ratio = then.bound.value / now;
    if (holds && Number.isFinite(ratio)) moves[symbol] = ratio;
  }
  return Object.freeze(moves);
}
