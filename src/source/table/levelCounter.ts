import { type LevelTally, MOST_REMEMBERED } from '../../sample/levelTally.ts';
import type { DiscoveredLevels } from './levels.ts';

/** Counts the levels of one column, in memory that does not grow with the rows. */
export interface LevelCounter {
  /** The levels by which a reader ranks texts: declared levels first, then others in order of appearance. */
  readonly list: DiscoveredLevels;
  count(ranks: Float64Array, missing: Uint8Array): void;
  tally(): LevelTally;
}

/** `known` are undeclared levels that must be distinguished from others, however many there are. */
export function levelCounter(
  column: string,
  declared: readonly string[],
  known: readonly string[],
): LevelCounter {
  const others = known.filter(level => !declared.includes(level));
  const levels = [...declared, ...others];
  // One more than are recorded, to detect that there are more.
  const list = { levels, most: levels.length + MOST_REMEMBERED + 1 };
  /** Counts by rank, preceded by the count of rows outside all levels. */
  const counts = new Float64Array(1 + list.most);
  return {
    list,
    count(ranks, missing) {
      for (let i = 0; i < ranks.length; i++) if (missing[i] === 0) counts[1 + ranks[i]!]!++;
    },
    tally: () => {
      const found = levels.map((level, rank) => ({ level, rows: counts[1 + rank]! }));
      return {
        column,
        rows: counts.reduce((sum, count) => sum + count),
        declared: found.slice(0, declared.length),
        // Readers may add levels that a dictionary lists but no row has.
        others: found.slice(declared.length).filter(({ rows }) => rows > 0),
        unnamed: counts[0]!,
      };
    },
  };
}
