import type { LevelTally } from '../../sample/levelTally.ts';
import type { PassedOver } from '../../source/design.ts';
import type { UnusableIn } from '../../source/tableSamples.ts';

export interface Explanation {
  /** What the run chose by itself, and why. */
  readonly choices: readonly string[];
  /** What a reader of the estimate should know about the data. */
  readonly notes: readonly string[];
  /**
   * Places in `notes`, from 0, of those by which the estimate or its intervals cannot be relied on; absent where there
   * are none.
   */
  readonly severeNotes?: readonly number[];
}

/** What an estimate itself does not know. */
export interface ExplainOptions {
  readonly names: readonly string[];
  readonly order: 'shuffle' | 'as-is';
  /**
   * Columns of text, dates, times, indices of rows or types without numbers that nobody asked for; none unless given.
   */
  readonly passedOver?: readonly PassedOver[];
  /** Rows that were passed over for values that cannot be used, and the columns that have these; none unless given. */
  readonly skipped?: {
    readonly read: number;
    readonly invalid: number;
    readonly columns: readonly UnusableIn[];
  };
  /** Features that are dates or times; none unless given. */
  readonly times?: readonly string[];
  /** Declared levels of text columns; none unless given. */
  readonly categorical?: Readonly<Record<string, readonly string[]>>;
  /** How many rows have which level of text features; none unless given. */
  readonly levels?: readonly LevelTally[];
}
