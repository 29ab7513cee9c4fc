import { type LevelRows, type LevelTally, undeclaredNames, undeclaredRows } from '../sample/levelTally.ts';
import type { Model } from './model.ts';

/**
 * Rows whose level of a text column a model has no coefficient for, and that its reference need not stand for either.
 */
export interface UnknownLevels {
  readonly column: string;
  readonly rows: number;
  /** The first of them. */
  readonly levels: readonly string[];
}

/**
 * Undeclared levels that the fit did not see; where a model does not tell which it saw, as that of a private run, all
 * that are undeclared.
 */
export const unknownLevels = (model: Model, tallies: readonly LevelTally[]): readonly UnknownLevels[] =>
  unknownOf(model, tallies).map(tally => ({
    column: tally.column,
    rows: undeclaredRows(tally),
    levels: tally.others.slice(0, MOST_NAMED).map(({ level }) => level),
  }));

const MOST_NAMED = 5;

/** The same in plain words. */
export const unknownLevelLines = (model: Model, tallies: readonly LevelTally[]): readonly string[] =>
  unknownOf(model, tallies).map(tally => {
    const found = undeclaredRows(tally);
    const why = model.reference === undefined ? 'that is not among the declared ones' : 'that the fit did not see';
    const doubt = model.reference === undefined ? '; the model does not tell which levels that had' : '';
    const taken = tally.found?.pools ? 'one of its rare levels' : 'its reference';
    return `${found} of ${tally.rows} rows ${found === 1 ? 'has' : 'have'} a level of ${JSON.stringify(tally.column)} ${why} (${undeclaredNames(tally)}), and ${found === 1 ? 'is' : 'are'} taken for ${taken}${doubt}`;
  });

function unknownOf({ reference, pooled = {} }: Model, tallies: readonly LevelTally[]): readonly LevelTally[] {
  return tallies.flatMap(tally => {
    const seen = Object.hasOwn(pooled, tally.column)
      ? pooled[tally.column]
      : reference && Object.hasOwn(reference, tally.column)
        ? reference[tally.column]
        : undefined;
    // Of more levels than a model remembers, one more is like the others.
    if (seen === null) return [];
    const isUnknown = ({ level }: LevelRows): boolean => !seen?.includes(level);
    const unknown = { ...tally, others: tally.others.filter(isUnknown) };
    return undeclaredRows(unknown) === 0 ? [] : [unknown];
  });
}
