import type { LevelTally } from '../../sample/levelTally.ts';
import type { PassedOver } from '../../source/design/design.ts';
import type { UnusableIn } from '../../source/read/tableSamples.ts';
import type { Field } from '../../source/table/table.ts';

export interface Explanation {
  /** What the run chose by itself, and why. */
  readonly choices: readonly string[];
  /** What a reader of the estimate should know about the data. */
  readonly notes: readonly string[];
  /**
   * Places in `notes`, from 0, of those that make the estimate or its intervals unreliable; absent where there are none.
   */
  readonly severeNotes?: readonly number[];
}

/** Facts that are not part of an estimate. */
export interface ExplainOptions {
  readonly names: readonly string[];
  readonly order: 'shuffle' | 'as-is';
  /** Columns left out because they are text, dates, times, row indices or of unsupported types; none unless given. */
  readonly passedOver?: readonly PassedOver[];
  /** Rows skipped for unusable values, and the columns that have them; none unless given. */
  readonly skipped?: {
    readonly read: number;
    readonly invalid: number;
    readonly columns: readonly UnusableIn[];
  };
  /** Features that are dates or times; none unless given. */
  readonly times?: readonly string[];
  /** Declared levels of text columns; none unless given. */
  readonly categorical?: Readonly<Record<string, readonly string[]>>;
  /** The number of rows of each level of text features; none unless given. */
  readonly levels?: readonly LevelTally[];
  /** Features with texts that stand for missing numbers; none unless given. */
  readonly nullTokens?: readonly Pick<Field, 'name' | 'nullTokens'>[];
  /** The two levels of a text target, if they were found rather than declared, and its name. */
  readonly classes?: readonly string[];
  readonly target?: string;
}
