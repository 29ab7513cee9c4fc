import { ArgumentError } from '../../errors.ts';
import type { Point } from './figure.ts';

export const WINNING_SHARE = 3 / 4;

/**
 * Whether a figure shows what its caption claims, by one rule for all figures. Each claim states which x count, and
 * why; the range of plot4, whose caption is about a decay that ends after a few steps, was set after a look at four
 * seeds.
 *
 *   A series wins against another at x where its error is lower for at least three quarters of the seeds; both see the
 *   same rows. Over steps, where one method is given one more point than the other, they are compared after equal
 *   numbers of gradients.
 *   A claim holds where every one of its comparisons wins at every x of its range, does not hold where none wins
 *   anywhere in it, and holds in part otherwise.
 *
 * At 20 seeds two series of the same distribution would win against each other at an x with probability 0.021.
 */
export type Verdict = 'holds' | 'holds in part' | 'does not hold';

/** That the series `lower` has a lower error than `upper`. */
export interface Comparison {
  readonly lower: string;
  readonly upper: string;
  /** How many steps later `lower` is compared, because its first points cost no gradient; 0 unless given. */
  readonly head?: number;
}

/** What a figure's caption claims, as comparisons of series. */
export interface Claim {
  /** The caption's sentence. */
  readonly text: string;
  readonly comparisons: readonly Comparison[];
  /** The x that count, and why those. */
  readonly range: { readonly from: number; readonly to: number; readonly because: string };
}

export interface Outcome extends Comparison {
  /** For every x, the share of seeds in which `lower` has the lower error. */
  readonly wins: readonly { readonly x: number; readonly share: number }[];
}

/** Whether one reading of a figure shows what its caption claims. */
export interface Judgement {
  readonly reading: string;
  readonly verdict: Verdict;
  readonly outcomes: readonly Outcome[];
}

/**
 * Judges one reading from the points of all seeds; undefined where the claim's range holds no two series to compare.
 */
export function judge(
  { comparisons, range }: Claim,
  reading: string,
  seeds: readonly (readonly Point[])[],
): Judgement | undefined {
  const outcomes = comparisons
    .map(comparison => ({ ...comparison, wins: winsOf(comparison, reading, seeds) }))
    .filter(({ wins }) => wins.length > 0);
  const counted = outcomes.flatMap(({ wins }) => wins.filter(({ x }) => x >= range.from && x <= range.to));
  if (counted.length === 0) return undefined;
  const won = counted.filter(({ share }) => share >= WINNING_SHARE).length;
  const verdict = won === counted.length ? 'holds' : won === 0 ? 'does not hold' : 'holds in part';
  return { reading, verdict, outcomes };
}

function winsOf(
  { lower, upper, head = 0 }: Comparison,
  reading: string,
  seeds: readonly (readonly Point[])[],
): Outcome['wins'] {
  const tally = new Map<number, { won: number; of: number }>();
  for (const points of seeds) {
    const below = valuesOf(points, reading, lower);
    for (const [x, value] of valuesOf(points, reading, upper)) {
      const other = below.get(x + head);
      if (other === undefined) continue;
      const { won, of } = tally.get(x) ?? { won: 0, of: 0 };
      tally.set(x, { won: won + (other < value ? 1 : 0), of: of + 1 });
    }
  }
  return [...tally]
    .map(([x, { won, of }]) => {
      if (of !== seeds.length)
        throw new ArgumentError(
          `every seed must have ${lower} and ${upper} at ${x}, got ${of} of ${seeds.length}`,
          'ERR_CONFLICT',
          { seeds: of, expected: seeds.length },
        );
      return { x, share: won / of };
    })
    .sort((a, b) => a.x - b.x);
}

/** An overflowed run has an infinite error. */
const valuesOf = (points: readonly Point[], reading: string, series: string): Map<number, number> =>
  new Map(
    points
      .filter(point => point.reading === reading && point.series === series)
      .map(({ x, value }) => [x, Number.isNaN(value) ? Infinity : value]),
  );
