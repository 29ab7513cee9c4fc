import type { FoundBy } from '../../sample/levelTally.ts';
import { inCode } from '../../words.ts';
import type { Field } from '../table/table.ts';
import type { LeftOut } from './foundLevels.ts';

/** Which columns of a table are features, target and weights. */
export interface DesignOptions {
  /** Absent for predictions. */
  readonly target?: string;
  /**
   * By default, every number, boolean and text except the target, a row index (`isRowIndex`), and what a survey of the
   * rows leaves out.
   */
  readonly features?: readonly string[];
  /** Whether features are named as in results, where v[3] is an element of the vector v; false by default. */
  readonly namedByResult?: boolean;
  /**
   * Declared levels of text columns; those of others are found in the rows. A text target takes two: the first is 0,
   * the second 1.
   */
  readonly categorical?: Readonly<Record<string, readonly string[]>>;
  /** For columns of `categorical` whose levels were found rather than declared: how. */
  readonly found?: Readonly<Record<string, FoundBy>>;
  /** The two levels of a text target, if they were found rather than declared. */
  readonly classes?: readonly string[] | undefined;
  /** Columns that the rows say are no features, unless they are named. */
  readonly leftOut?: ReadonlyMap<string, LeftOut>;
  /** The column of the rows' weights; all rows count the same unless given. */
  readonly weights?: string;
  /**
   * The feature that identifies the person behind a row, or another unit (see perUnit.ts): texts, or whole numbers of
   * any length. Each is read as a number of its own, the same one throughout a pass.
   */
  readonly unit?: string;
  /** Whether there is an intercept, whose name no feature may have; false by default. */
  readonly intercept?: boolean;
  /** Whether these are the columns of a model, which no option can change; false by default. */
  readonly isFixed?: boolean;
}

/** A column of the design: a field of the table, one element of it, or the indicator of a level. */
export interface DesignColumn {
  readonly name: string;
  readonly field: number;
  readonly element?: number;
  /**
   * For text: the declared levels, and the one for which this column is 1; a target has no `level` and contains the
   * level's index.
   */
  readonly levels?: readonly string[];
  readonly level?: number;
  /** For levels that were found: as in `FoundLevels`. */
  readonly found?: FoundBy;
  /** Whether it has texts that say whose row it is, each read as a number of its own. */
  readonly isUnit?: boolean;
  /** Whether it may have whole numbers beyond 2^53, which doubles round. */
  readonly isLong?: boolean;
}

export type PassedOver = Pick<Field, 'name' | 'strayRow' | 'isBlank'> &
  Partial<Pick<Field, 'kind' | 'type'>> & {
    readonly why?: LeftOut;
    /** A later table that has the column, and the first one, which lacks it; absent if the first one has it. */
    readonly onlyIn?: { readonly table: string; readonly not: string };
  };

/**
 * Which columns of a table become the features and the target: numbers unchanged, a vector as several features, and a
 * text column as one 0/1 feature per level. A value outside the levels is 0 in all of them; such values form the
 * reference level.
 */
export interface Design {
  readonly features: readonly DesignColumn[];
  readonly target?: DesignColumn;
  readonly weights?: DesignColumn;
  /**
   * Columns that are not features by default: text without declared levels; times and row indices, which are features
   * only if named; columns that cannot be read as numbers; and columns that the first of several tables lacks.
   */
  readonly passedOver?: readonly PassedOver[];
  /** The levels of text columns, the target's among them, whether they were declared or found. */
  readonly categorical: Readonly<Record<string, readonly string[]>>;
  /** The two levels of a text target, if they were found rather than declared. */
  readonly classes?: readonly string[];
  /** Features with texts that stand for missing numbers. */
  readonly nullTokens?: readonly Pick<Field, 'name' | 'nullTokens'>[];
  /** Features that are dates or times, in seconds since 1970. */
  readonly times?: readonly string[];
}

/** All columns of a design: features, then the target and the weights if there are any. */
export const columnsOf = ({ features, target, weights }: Design): readonly DesignColumn[] => [
  ...features,
  ...(target === undefined ? [] : [target]),
  ...(weights === undefined ? [] : [weights]),
];

/**
 * The remedy for columns that cannot be used: the remaining columns by name if they are few, in the form of the
 * `features` option, whether or not it was given.
 */
export function featuresWithout({ features }: Pick<Design, 'features'>, columns: readonly string[]): string {
  const them = columns.length === 1 ? 'it' : 'them';
  const kept = [...new Set(features.map(sourceOf))].filter(name => !columns.includes(name));
  if (kept.length === 0) return 'name columns in `features` that have values';
  // The command line takes the names as one comma-separated text.
  const isListed = kept.length <= MOST_LISTED && kept.every(name => !/[',]/.test(name));
  if (!isListed) return `leave ${them} out by naming the others in \`features\``;
  return `leave ${them} out: \`features: [${kept.map(inCode).join(', ')}]\``;
}

const MOST_LISTED = 8;

/** The name of the column of the table behind a level or an element. */
export const sourceOf = ({ name, levels, level, element }: DesignColumn): string => {
  if (level !== undefined) return name.slice(0, -`=${levels![level]}`.length);
  return element === undefined ? name : name.slice(0, -`[${element}]`.length);
};

/**
 * Whether it is a row index that pandas stored next to the columns of a Parquet file, under a reserved name. In text files
 * an index is told by its values (survey.ts). It numbers rows and measures nothing.
 */
export const isRowIndex = ({ name }: Pick<PassedOver, 'name'>): boolean => /^__index_level_\d+__$/.test(name);

/** The texts by which rows are told apart: those of found levels include the reference, if all others are pooled. */
export const rankedLevels = ({ levels = [], found }: DesignColumn): readonly string[] =>
  found?.pools ? [...levels.slice(0, -1), found.reference] : levels;
