import { inCode, listed } from '../words.ts';

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
  /** If levels were found in the rows rather than declared: the most frequent one, and whether rare ones are pooled. */
  readonly found?: FoundBy;
}

/**
 * The most frequent level of a text column is its reference. If rare ones are pooled, it is the last of those counted as
 * declared, and undeclared levels count as (other); otherwise it is one of the undeclared ones.
 */
export interface FoundBy {
  readonly reference: string;
  readonly pools: boolean;
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

/** The option that declares a column's levels, as a caller would write it, for messages. */
export const levelsOption = (column: string, levels: "'A', 'B'" | '…' = "'A', 'B'"): string =>
  `\`categorical: { ${IDENTIFIER.test(column) ? column : inCode(column)}: [${levels}] }\``;

const IDENTIFIER = /^[\p{L}_][\p{L}\p{N}_]*$/u;

/** The names of a text column's undeclared levels, for messages. */
export function undeclaredNames({ others, unnamed }: Pick<LevelTally, 'others' | 'unnamed'>): string {
  const names = listed(others.map(({ level }) => shortened(level)));
  if (unnamed === 0) return names;
  return names === '' ? 'long texts' : `${names}, and more`;
}

const shortened = (level: string): string => (level.length > MOST_LETTERS ? `${level.slice(0, MOST_LETTERS)}…` : level);

const MOST_LETTERS = 40;
