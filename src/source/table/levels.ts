/** The levels of a text column: either declared and fixed, or discovered and growing as rows are read. */

export type Levels = DeclaredLevels | DiscoveredLevels;

export interface DeclaredLevels {
  readonly levels: readonly string[];
}

export interface DiscoveredLevels {
  readonly levels: string[];
  /** New texts become levels while there are fewer than this. */
  readonly most: number;
}

/**
 * The longest text, in bytes, that becomes a level: longer texts are not names, and a thousand of them would fill the
 * memory.
 */
export const LONGEST_LEVEL = 256;

/** Whether another text may become a level. */
export const grows = (list: Levels): list is DiscoveredLevels =>
  'most' in list && list.levels.length < list.most;

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
