import {
  type LevelRows,
  type LevelTally,
  undeclaredNames,
  undeclaredRows,
} from '../../../sample/levelTally.ts';
import { type Explanation, listing, listingOf } from '../notes.ts';

/**
 * The levels of text features, in plain words. A row with an undeclared level has 0 in all columns of the text, so that
 * undeclared levels together are its reference: intended for the most frequent level, a mistake for a misspelt one. The
 * text reveals facts about the rows, so that it must not be used for private runs.
 */
export const explainLevels = (tallies: readonly LevelTally[]): Explanation => ({
  choices: tallies.filter(isPlain).map(referenceChoice),
  notes: [...absentNotes(tallies), ...thinNotes(tallies), ...undeclaredNotes(tallies)],
});

/** One level with many rows is what a reference should be. */
const isPlain = (tally: LevelTally): boolean =>
  tally.others.length === 1 && tally.unnamed === 0 && !restsOnFew(tally);

const referenceChoice = (tally: LevelTally): string =>
  `the reference of ${JSON.stringify(tally.column)} is ${undeclaredNames(tally)}, the level that was not declared (${tally.others[0]!.rows} of ${tally.rows} rows)`;

function absentNotes(tallies: readonly LevelTally[]): readonly string[] {
  const found = tallies.flatMap(tally => {
    const absent = tally.declared.filter(({ rows }) => rows === 0).map(({ level }) => level);
    const instead = undeclaredRows(tally) === 0 ? '' : `, which has ${undeclaredNames(tally)}`;
    return absent.length === 0
      ? []
      : [`${listingOf(absent, 'or')} of ${JSON.stringify(tally.column)}${instead}`];
  });
  return found.length === 0
    ? []
    : [
        `no row has the declared level ${listing(found, 'or')}; check the spelling, or remove it from \`categorical\``,
      ];
}

function thinNotes(tallies: readonly LevelTally[]): readonly string[] {
  const found = tallies.filter(restsOnFew);
  if (found.length === 0) return [];
  const usual = found.map(tally => JSON.stringify(mostFrequent(tally).level));
  return [
    `the reference of ${listing(found.map(summary))} has too few rows for the intercept and the other levels; leave the most frequent level (${listing(usual)}) undeclared instead, and declare, fix or remove these rows`,
  ];
}

function undeclaredNotes(tallies: readonly LevelTally[]): readonly string[] {
  const found = tallies.filter(tally => undeclaredRows(tally) > 0 && !isPlain(tally) && !restsOnFew(tally));
  return found.length === 0
    ? []
    : [
        `undeclared levels together are the reference of ${listing(found.map(summary))}; declare those that should have a coefficient`,
      ];
}

/** A column with its undeclared levels and their rows. */
const summary = (tally: LevelTally): string =>
  `${JSON.stringify(tally.column)} (${undeclaredNames(tally)}: ${undeclaredRows(tally)} of ${tally.rows} rows)`;

/** Whether the reference has very few rows while a declared level has many. */
function restsOnFew(tally: LevelTally): boolean {
  const found = undeclaredRows(tally);
  return (
    found > 0 &&
    found < Math.max(FEW_ROWS, FEW_SHARE * tally.rows) &&
    FEWER * found < mostFrequent(tally).rows
  );
}

const FEW_ROWS = 20;
const FEW_SHARE = 0.001;

/** Ten rows of thirty are not few. */
const FEWER = 5;

const mostFrequent = ({ declared }: LevelTally): LevelRows =>
  declared.reduce((most, level) => (level.rows > most.rows ? level : most));
