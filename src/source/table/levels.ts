import { type FoundBy, type LevelTally, MOST_REMEMBERED } from '../../sample/levelTally.ts';

/** The levels of a text column: either declared and fixed, or discovered and growing as rows are read. */

export type Levels = DeclaredLevels | DiscoveredLevels;

export interface DeclaredLevels {
  readonly levels: readonly string[];
}

export interface DiscoveredLevels {
  readonly levels: string[];
  /** New texts become levels while there are fewer than this. */
  readonly most: number;
  /** The longest text, in bytes, that becomes one; `LONGEST_LEVEL` unless given. */
  readonly longest?: number;
}

/** Longer texts are not names, and a thousand of them would fill the memory. */
export const LONGEST_LEVEL = 256;

/** Whether another text may become a level. */
export const grows = (list: Levels): list is DiscoveredLevels => 'most' in list && list.levels.length < list.most;

/**
 * The state of the levels when a reader last used them: its cached results are valid as long as nothing else has
 * changed them.
 */
export interface LevelsMark {
  readonly levels: readonly string[];
  readonly size: number;
  readonly most: number;
}

export const markOf = (list: Levels): LevelsMark => ({
  levels: list.levels,
  size: list.levels.length,
  most: 'most' in list ? list.most : 0,
});

export function isAsMarked(list: Levels, mark: LevelsMark): boolean {
  const { levels, size, most } = markOf(list);
  return levels === mark.levels && size === mark.size && most === mark.most;
}

export type LevelCounter = ReturnType<typeof levelCounter>;

/**
 * Counts the levels of one column, in memory that does not grow with the rows.
 *
 * `known` are undeclared levels that must be distinguished from others, however many there are. If levels are pooled,
 * the last of `declared` is the reference.
 */
export function levelCounter(column: string, declared: readonly string[], known: readonly string[], found?: FoundBy) {
  const others = known.filter(level => !declared.includes(level));
  const levels = [...declared, ...others];
  // One more than are recorded, to detect that there are more.
  const list: DiscoveredLevels = { levels, most: levels.length + MOST_REMEMBERED + 1 };
  /** Counts by rank, preceded by the count of rows outside all levels. */
  const counts = new Float64Array(1 + list.most);
  return {
    /** The levels by which a reader ranks texts: declared levels first, then others in order of appearance. */
    list,
    count(ranks: Float64Array, missing: Uint8Array): void {
      for (let i = 0; i < ranks.length; i++) if (missing[i] === 0) counts[1 + ranks[i]!]!++;
    },
    tally: (): LevelTally => {
      const ofLevels = levels.map((level, rank) => ({ level, rows: counts[1 + rank]! }));
      return {
        column,
        rows: counts.reduce((sum, count) => sum + count),
        declared: ofLevels.slice(0, declared.length),
        // Readers may add levels that a dictionary lists but no row has.
        others: ofLevels.slice(declared.length).filter(({ rows }) => rows > 0),
        unnamed: counts[0]!,
        ...(found && { found }),
      };
    },
  };
}
