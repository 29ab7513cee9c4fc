import { dataError } from '../../errors.ts';
import { type FoundBy, type LevelRows, type LevelTally, levelsOption } from '../../sample/levelTally.ts';
import type { DesignOptions } from './design.ts';

/** The levels that a text column is encoded by, found in its rows. */
export interface FoundLevels extends FoundBy {
  /** Those with a column of their own, in order of their texts; the last is `OTHER` where levels are pooled. */
  readonly levels: readonly string[];
}

/** The level that stands for all rare ones, named like (intercept). A level of that name is one of them. */
export const OTHER = '(other)';

/** Why a column is left out. */
export type LeftOut =
  /** Most rows have no value, and rows without one are skipped. */
  | { readonly is: 'scarce'; readonly nulls: number; readonly rows: number }
  /** Most rows have a text that few others have: names, ids, sentences. Null: more than are counted. */
  | { readonly is: 'unique'; readonly texts: number | null; readonly rows: number; readonly least: number }
  /** All rows have the same text, but for fewer than `least`. */
  | { readonly is: 'constant'; readonly least: number; readonly reference: string }
  /** It numbers the rows. */
  | { readonly is: 'index' }
  /** It is text in the first table, and not in this one. */
  | { readonly is: 'differing'; readonly table: string };

/** The texts of a column that rows have, with their numbers of rows. */
interface TextCounts {
  /** Null if they are more than are counted. */
  readonly levels: readonly LevelRows[] | null;
  /** Rows with a text too long for a level. */
  readonly long: number;
}

/** As many texts are counted at most: a column with more is one of names, unless its levels are declared. */
export const MOST_TEXTS = 10_000;

/** Levels beyond the most frequent ones are pooled: the time of a fit grows with the square of their number. */
const MOST_LEVELS = 50;

/**
 * A level with fewer rows is rare: for two classes it often has no finite estimate (docs/estimation.md has the figures).
 * The share keeps the number of columns in proportion where rows are many.
 */
const leastRows = (rows: number): number => Math.max(10, Math.ceil(rows / 1000));

/**
 * The levels of a text column by the numbers of rows alone, so that neither the order of rows nor the batches in which
 * they come matter. Rare levels are pooled; where the pool is rare too, it counts as the reference.
 */
export function foundLevels({ levels: texts, long }: TextCounts): FoundLevels | LeftOut {
  const rows = (texts ?? []).reduce((sum, level) => sum + level.rows, long);
  const least = leastRows(rows);
  if (texts === null) return { is: 'unique', texts: null, rows, least };
  const usual = texts
    .filter(({ level, rows: found }) => found >= least && level !== OTHER)
    .sort((one, other) => other.rows - one.rows || (one.level < other.level ? -1 : 1))
    .slice(0, 1 + MOST_LEVELS);
  const pooled = usual.reduce((left, level) => left - level.rows, rows);
  const [first, ...others] = usual;
  if (first === undefined || 2 * pooled > rows)
    return { is: 'unique', texts: texts.length + (long > 0 ? 1 : 0), rows, least };
  const pools = pooled >= least;
  if (others.length === 0 && !pools) return { is: 'constant', least, reference: first.level };
  const levels = others.map(({ level }) => level).sort();
  return { levels: pools ? [...levels, OTHER] : levels, reference: first.level, pools };
}

/**
 * Rejects a column of numbers with declared levels that no row has: the numbers would be lost, with nothing in their
 * place.
 */
export function requireLevels(tables: readonly string[], tallies: readonly LevelTally[]): void {
  for (const { column, declared, others } of tallies) {
    const isEmpty = declared.every(({ rows }) => rows === 0);
    if (!isEmpty || others.length === 0 || !others.every(({ level }) => isNumber(level))) continue;
    const [has, lacks] = [others.slice(0, 3), declared].map(levels =>
      levels.map(({ level }) => JSON.stringify(level)).join(', '),
    );
    throw dataError(
      { table: tables.join(', '), column },
      `has numbers such as ${has}, and no row has any of the declared levels ${lacks}`,
      `leave ${levelsOption(column, '…')} out to use the numbers, or declare levels that occur`,
    );
  }
}

const isNumber = (text: string): boolean => text.trim() !== '' && Number.isFinite(Number(text));

/** The declared levels of a text column, if any. */
export const declaredLevels = (
  { categorical = {} }: Pick<DesignOptions, 'categorical'>,
  name: string,
): readonly string[] | undefined => (Object.hasOwn(categorical, name) ? categorical[name] : undefined);
