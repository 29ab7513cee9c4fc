/**
 * The number of rows with each level of a text feature: the declared levels, and the undeclared ones, which are treated
 * as the reference level.
 */
export interface LevelTally {
  readonly column: string;
  /** The number of rows with a text. */
  readonly rows: number;
  readonly declared: readonly LevelRows[];
  /** Undeclared levels, in order of appearance, up to the largest number that is tracked. */
  readonly others: readonly LevelRows[];
  /** The number of rows with undeclared levels beyond those. */
  readonly unnamed: number;
}

export interface LevelRows {
  readonly level: string;
  readonly rows: number;
}

/** The number of undeclared levels that a model records by name. */
export const MOST_REMEMBERED = 20;

export const undeclaredRows = ({ others, unnamed }: LevelTally): number =>
  others.reduce((sum, { rows }) => sum + rows, unnamed);

/** The names of a column's undeclared levels that a model records; null if there are too many. */
export const rememberedLevels = ({ others, unnamed }: LevelTally): readonly string[] | null =>
  unnamed > 0 || others.length > MOST_REMEMBERED ? null : others.map(({ level }) => level);
