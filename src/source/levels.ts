/** The levels of a text column: declared, and then fixed, or discovered, and then growing with what is read. */

export type Levels = DeclaredLevels | DiscoveredLevels;

export interface DeclaredLevels {
  readonly levels: readonly string[];
}

export interface DiscoveredLevels {
  readonly levels: string[];
  /** New texts become levels while there are fewer. */
  readonly most: number;
}

/**
 * Bytes of the longest text that becomes a level: what is longer names nothing, and a thousand of it would fill the
 * memory.
 */
export const LONGEST_LEVEL = 256;

/** Whether another text may become a level. */
export const grows = (list: Levels): list is DiscoveredLevels =>
  'most' in list && list.levels.length < list.most;

/**
 * Levels as they were when a reader last used them: what it worked out for them holds while nobody else has changed
 * them.
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
