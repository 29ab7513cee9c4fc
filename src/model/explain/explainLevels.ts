/**
 * What the levels of text features turned out to be, in plain words. A row of a level that was not declared has 0 in
 * all columns of the text, so that such levels are its reference together: meant so of the most frequent one, and a
 * mishap of a misspelt one. Of the rows it tells: it is not for private runs.
 */
import { type LevelRows, type LevelTally, undeclaredRows } from '../../sample/levelTally.ts';
import { listed } from '../../sample/listed.ts';
import { undeclaredNames } from '../../sample/undeclaredNames.ts';
import type { Explanation } from './explanation.ts';

export const explainLevels = (tallies: readonly LevelTally[]): Explanation => ({
  choices: tallies.flatMap(referenceChoice),
  notes: tallies.flatMap(tally => [...absentNotes(tally), ...undeclaredNotes(tally)]),
});

/** One level that many rows have is what a reference should be. */
const isPlain = (tally: LevelTally): boolean =>
  tally.others.length === 1 && tally.unnamed === 0 && !restsOnFew(tally);

function referenceChoice(tally: LevelTally): readonly string[] {
  if (!isPlain(tally)) return [];
  const { column, rows, others } = tally;
  return [
    `the reference of ${JSON.stringify(column)} is ${undeclaredNames(tally)}, the level that was not declared, of ${others[0]!.rows} of ${rows} rows`,
  ];
}

function absentNotes(tally: LevelTally): readonly string[] {
  const { column, declared } = tally;
  const absent = declared.filter(({ rows }) => rows === 0).map(({ level }) => level);
  if (absent.length === 0) return [];
  const has =
    undeclaredRows(tally) === 0
      ? 'leave it out of `categorical`'
      : `the column has ${undeclaredNames(tally)}, which ${isOne(tally) ? 'was' : 'were'} not declared: levels are told apart letter by letter`;
  return [`no row has level ${listed(absent, 'or')} of ${JSON.stringify(column)}; ${has}`];
}

function undeclaredNotes(tally: LevelTally): readonly string[] {
  const found = undeclaredRows(tally);
  if (found === 0 || isPlain(tally)) return [];
  const { column, rows } = tally;
  const level = isOne(tally) ? 'a level' : 'levels';
  const has = `${found} of ${rows} rows ${found === 1 ? 'has' : 'have'} ${level} of ${JSON.stringify(column)} that ${isOne(tally) ? 'was' : 'were'} not declared (${undeclaredNames(tally)})`;
  if (!restsOnFew(tally))
    return [`${has}: together they are its reference; declare those that are to have a coefficient`];
  const { level: usual } = mostFrequent(tally);
  return [
    `${has}: as the reference they are too few for the intercept and the coefficients of ${JSON.stringify(column)} to rest on; leave ${listed([usual])}, the most frequent level, out of \`categorical\` in their place, and mend these rows, leave them out, or declare their level`,
  ];
}

/** Whether the reference has next to no rows while a declared level has many. */
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

/** Of thirty rows ten are not few. */
const FEWER = 5;

const mostFrequent = ({ declared }: LevelTally): LevelRows =>
  declared.reduce((most, level) => (level.rows > most.rows ? level : most));

const isOne = ({ others, unnamed }: LevelTally): boolean => others.length === 1 && unnamed === 0;
