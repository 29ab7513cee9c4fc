import { type LevelTally, MOST_REMEMBERED } from '../sample/levelTally.ts';
import type { DiscoveredLevels } from './levels.ts';

/** Counts the levels of one column, in memory that does not grow with the rows. */
export interface LevelCounter {
  /** What a reader ranks texts by: declared levels first, then others as they come. */
  readonly list: DiscoveredLevels;
  count(ranks: Float64Array, missing: Uint8Array): void;
  tally(): LevelTally;
}

/** `known` are undeclared levels that must be told from others however many there are. */
export function levelCounter(
  column: string,
  declared: readonly string[],
  known: readonly string[],
): LevelCounter {
  const others = known.filter(level => !declared.includes(level));
  const levels = [...declared, ...others];
  // One more than are remembered, to tell that they are more.
  const list = { levels, most: levels.length + MOST_REMEMBERED + 1 };
  /** By rank, and before them the rows outside all levels. */
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
        // Readers may add what a dictionary lists and no row has.
        others: found.slice(declared.length).filter(({ rows }) => rows > 0),
        unnamed: counts[0]!,
      };
    },
  };
}
