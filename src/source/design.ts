/**
 * Which columns of a table become the features and the target: numbers as they are, a vector as several features, and a
 * text column as one 0/1 feature per declared level (a value outside the levels is 0 in all of them, and such levels
 * are the reference together).
 */
import type { Field } from './table.ts';

export interface DesignOptions {
  /** Absent where only predictions are wanted. */
  readonly target?: string;
  /** Every number or boolean but the target and an index of rows (isRowIndex.ts), unless given. */
  readonly features?: readonly string[];
  /** Whether features bear the names of results, in which v[3] stands for the vector v; false unless given. */
  readonly namedByResult?: boolean;
  /** Declared levels of text columns. A text target takes two: the first is 0, the second 1. */
  readonly categorical?: Readonly<Record<string, readonly string[]>>;
  readonly weights?: string;
  /**
   * Which of the features stands for the person behind a row, or another unit (see perUnit.ts). In text files declare
   * it "integer", which no two units round to.
   */
  readonly unit?: string;
  /** Whether an intercept stands beside the features, whose name none of them may bear; false unless given. */
  readonly intercept?: boolean;
  /** Whether these are the columns of a model, which no flag changes; false unless given. */
  readonly isFixed?: boolean;
}

export interface DesignColumn {
  readonly name: string;
  readonly field: number;
  readonly element?: number;
  /**
   * For text: the declared levels, and which of them this column marks; a target has no `level` and holds the level's
   * index.
   */
  readonly levels?: readonly string[];
  readonly level?: number;
}

export type PassedOver = Pick<Field, 'name' | 'strayRow' | 'isBlank'> &
  Partial<Pick<Field, 'kind' | 'type'>> & {
    /** A later table that has the column, and the first one, which lacks it; absent where the first one has it. */
    readonly onlyIn?: { readonly table: string; readonly not: string };
  };

export interface Design {
  readonly features: readonly DesignColumn[];
  readonly target?: DesignColumn;
  readonly weights?: DesignColumn;
  /**
   * Text columns that are no features because nobody named features, or levels of theirs, times and indices of rows,
   * which are features only by name, columns that no number can be made of, and columns that the first of several
   * tables lacks.
   */
  readonly passedOver?: readonly PassedOver[];
  /** Features that are dates or times, in seconds since 1970. */
  readonly times?: readonly string[];
}

/** All columns of a design: features, then the target and the weights where it has them. */
export const columnsOf = ({ features, target, weights }: Design): readonly DesignColumn[] => [
  ...features,
  ...(target === undefined ? [] : [target]),
  ...(weights === undefined ? [] : [weights]),
];
