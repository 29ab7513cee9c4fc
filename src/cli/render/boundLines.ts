import type { Bound, Moves } from '../../plan/theorem/index.ts';
import { significant, table } from './text.ts';

/** The claim of a theorem as a number: what it rests on, how often it fails, and how it moves. */
export function boundLines({ value, formula, open, failure, correction }: Bound, moves: Moves): readonly string[] {
  const moved = Object.entries(moves).map(([symbol, ratio]) => `x ${significant(ratio)} with twice the ${symbol}`);
  return [
    'bound',
    table([
      ['value', Number.isFinite(value) ? significant(value) : 'none for these numbers'],
      ['formula', formula],
      [
        'constants',
        `${Object.entries(open)
          .map(([symbol, number]) => `${symbol} = ${significant(number)}`)
          .join(', ')}; defaults where none was given`,
      ],
      [
        'holds',
        failure === null
          ? 'in expectation'
          : `with probability at least 1 - ${failure.times === 1 ? '' : `${failure.times} `}zeta = ${significant(1 - failure.times * failure.zeta)}, zeta = ${significant(failure.zeta)} (--failure)`,
      ],
      ...(moved.length > 0 ? [['moves', moved.join(', ')]] : []),
      ...(correction === null ? [] : [['corrected', correction]]),
    ]).trimEnd(),
  ];
}
