import {
  type LevelRows,
  type LevelTally,
  levelsOption,
  undeclaredNames,
  undeclaredRows,
} from '../../../sample/levelTally.ts';
import { type ExplainOptions, type Explanation, listing, listingOf, sentences, type Told } from '../notes.ts';

/**
 * The levels of text features, in plain words. A row with an undeclared level has 0 in all columns of the text, so that
 * undeclared levels together are its reference: intended for the most frequent level, a mistake for a misspelt one. The
 * text reveals facts about the rows, so that it must not be used for private runs.
 */
export function explainLevels(tallies: readonly LevelTally[]): Explanation {
  const declared = tallies.filter(({ found }) => found === undefined);
  const found = tallies.filter(tally => tally.found !== undefined);
  return {
    choices: [...declared.filter(isPlain).map(referenceChoice), ...found.map(foundChoice)],
    notes: sentences([absentNotes(declared), thinNotes(declared), undeclaredNotes(declared), found.map(pooledNotes)]),
  };
}

/** A text target has a class for each of its two texts. */
export const classChoice = ({ classes, target }: ExplainOptions): Told =>
  classes === undefined
    ? null
    : `${JSON.stringify(target)} is text: ${JSON.stringify(classes[1])} counts as 1, ${JSON.stringify(classes[0])} as 0`;

const rowsOfReference = ({ declared, others, found }: LevelTally): number =>
  [...declared, ...others].find(({ level }) => level === found!.reference)?.rows ?? 0;

const foundChoice = (tally: LevelTally): string =>
  `${JSON.stringify(tally.column)} is text, so that its levels are features; its reference is ${JSON.stringify(tally.found!.reference)}, the most frequent one (${rowsOfReference(tally)} of ${tally.rows} rows)`;

/** Rare levels, whether they have a coefficient together or count as the reference. */
function pooledNotes(tally: LevelTally): Told {
  const { column, rows, found } = tally;
  const rare = { ...tally, others: tally.others.filter(({ level }) => level !== found!.reference) };
  const count = undeclaredRows(rare);
  if (count === 0) return null;
  const become = found!.pools ? `are pooled into ${JSON.stringify(`${column}=(other)`)}` : 'count as its reference';
  return `rare levels of ${JSON.stringify(column)} ${become} (${undeclaredNames(rare)}: ${count} of ${rows} rows); declare the levels that should have a coefficient with ${levelsOption(column)}`;
}

/** One level with many rows is what a reference should be. */
const isPlain = (tally: LevelTally): boolean => tally.others.length === 1 && tally.unnamed === 0 && !restsOnFew(tally);

const referenceChoice = (tally: LevelTally): string =>
  `the reference of ${JSON.stringify(tally.column)} is ${undeclaredNames(tally)}, the level that was not declared (${tally.others[0]!.rows} of ${tally.rows} rows)`;

function absentNotes(tallies: readonly LevelTally[]): Told {
  const found = tallies.flatMap(tally => {
    const absent = tally.declared.filter(({ rows }) => rows === 0).map(({ level }) => level);
    const instead = undeclaredRows(tally) === 0 ? '' : `, which has ${undeclaredNames(tally)}`;
    return absent.length === 0 ? [] : [`${listingOf(absent, 'or')} of ${JSON.stringify(tally.column)}${instead}`];
  });
  return found.length === 0
    ? null
    : `no row has the declared level ${listing(found, 'or')}; check the spelling, or remove it from \`categorical\``;
}

function thinNotes(tallies: readonly LevelTally[]): Told {
  const found = tallies.filter(restsOnFew);
  if (found.length === 0) return null;
  const usual = found.map(tally => JSON.stringify(mostFrequent(tally).level));
  return `the reference of ${listing(found.map(summary))} has too few rows for the intercept and the other levels; leave the most frequent level (${listing(usual)}) undeclared instead, and declare, fix or remove these rows`;
}

function undeclaredNotes(tallies: readonly LevelTally[]): Told {
  const found = tallies.filter(tally => undeclaredRows(tally) > 0 && !isPlain(tally) && !restsOnFew(tally));
  return found.length === 0
    ? null
    : `undeclared levels together are the reference of ${listing(found.map(summary))}; declare those that should have a coefficient`;
}

/** A column with its undeclared levels and their rows. */
const summary = (tally: LevelTally): string =>
  `${JSON.stringify(tally.column)} (${undeclaredNames(tally)}: ${undeclaredRows(tally)} of ${tally.rows} rows)`;

/** Whether the reference has very few rows while a declared level has many. */
function restsOnFew(tally: LevelTally): boolean {
  const found = undeclaredRows(tally);
  return found > 0 && found < Math.max(FEW_ROWS, FEW_SHARE * tally.rows) && FEWER * found < mostFrequent(tally).rows;
}

const FEW_ROWS = 20;
const FEW_SHARE = 0.001;

/** Ten rows of thirty are not few. */
const FEWER = 5;

const mostFrequent = ({ declared }: LevelTally): LevelRows =>
  declared.reduce((most, level) => (level.rows > most.rows ? level : most));
