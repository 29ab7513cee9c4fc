/**
 * How many rows have which level of a text feature: the declared ones, and those that are its reference because nobody
 * declared them.
 */
export interface LevelTally {
  readonly column: string;
  /** Rows with a text. */
  readonly rows: number;
  readonly declared: readonly LevelRows[];
  /**
   * Undeclared levels that rows have, in the order in which they came, while they were no more than could be told
   * apart.
   */
  readonly others: readonly LevelRows[];
  /** Rows of undeclared levels beyond those. */
  readonly unnamed: number;
}

export interface LevelRows {
  readonly level: string;
  readonly rows: number;
}

/** Undeclared levels that a model remembers by name. */
export const MOST_REMEMBERED = 20;

export const undeclaredRows = ({ others, unnamed }: LevelTally): number =>
  others.reduce((sum, { rows }) => sum + rows, unnamed);

/** The names that a model remembers of a column's undeclared levels; null where they are too many. */
export const rememberedLevels = ({ others, unnamed }: LevelTally): readonly string[] | null =>
  unnamed > 0 || others.length > MOST_REMEMBERED ? null : others.map(({ level }) => level);
