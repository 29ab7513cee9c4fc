import { levelsOption } from '../../../sample/levelTally.ts';
import { isRowIndex, type PassedOver } from '../../../source/design/design.ts';
import type { LeftOut } from '../../../source/design/foundLevels.ts';
import { about, type ExplainOptions, listing, listingOf, percent, type Told } from '../notes.ts';

export function passedOverNotes({ passedOver: all = [], inFiles = true }: ExplainOptions): Told {
  const part = inFiles ? 'file' : 'batch';
  const isIndex = (column: PassedOver): boolean => isRowIndex(column) || column.why?.is === 'index';
  const indices = all.filter(isIndex).map(({ name }) => name);
  const later = all.flatMap(({ name, onlyIn }) => (onlyIn === undefined ? [] : [{ name, ...onlyIn }]));
  const judged = all.filter(column => !isIndex(column) && column.why !== undefined);
  const passedOver = all.filter(column => !isIndex(column) && column.onlyIn === undefined && column.why === undefined);
  const strays = passedOver.filter(({ strayRow }) => strayRow !== undefined);
  const times = passedOver.filter(({ kind }) => kind === 'time').map(({ name }) => name);
  const blank = passedOver.filter(({ isBlank }) => isBlank).map(({ name }) => name);
  const foreign = passedOver.filter(({ kind }) => kind === 'unsupported');
  const texts = passedOver
    .filter(
      column => !strays.includes(column) && !foreign.includes(column) && column.kind !== 'time' && !column.isBlank,
    )
    .map(({ name }) => name);
  const strayRows = strays.map(({ name, strayRow }) => `${JSON.stringify(name)} (row ${strayRow})`);
  const types = [...new Set(foreign.flatMap(({ type = [] }) => type))].join(', ');
  const foreignNames = foreign.map(({ name }) => name);
  return [
    leftOutNotes(judged, part),
    about(
      indices,
      "is pandas' row index and was left out; name it in `features` to use it",
      "are pandas' row indices and were left out; name them in `features` to use them",
    ),
    strays.length === 0
      ? null
      : `${listing(strayRows)} ${strays.length === 1 ? 'was' : 'were'} left out: most values are numbers, but not in the row given (from 0); fix the values, or declare levels with \`categorical\``,
    [...new Set(later.map(({ table }) => table))].map(table => {
      const names = later.filter(column => column.table === table).map(({ name }) => name);
      const [was, it, feature] = names.length === 1 ? ['was', 'it', 'a feature'] : ['were', 'them', 'features'];
      return `${listingOf(names)} ${was} left out: ${table} has ${it}, but ${later[0]!.not}, the first ${part}, does not; add ${it} to every ${part} to make ${it} ${feature}, or name the columns you want in \`features\``;
    }),
    about(
      blank,
      'has no value in the first rows, by which numbers are recognised, and was left out; name it in `features` to use it as a number',
      'have no value in the first rows, by which numbers are recognised, and were left out; name them in `features` to use them as numbers',
    ),
    about(
      texts,
      `is text and was left out; ${levelsOption(texts[0] ?? '')} makes features of its levels, which \`inspect\` lists. Numbers need a decimal point`,
      `are text and were left out; ${levelsOption(texts[0] ?? '')} makes features of levels, which \`inspect\` lists. Numbers need a decimal point`,
    ),
    about(
      times,
      'is a date or time and was left out; name it in `features` to use it in seconds since 1970',
      'are dates or times and were left out; name them in `features` to use them in seconds since 1970',
    ),
    about(
      foreignNames,
      `was left out: its type (${types}) has no numeric value; \`fromSql\` can convert it`,
      `were left out: their types (${types}) have no numeric value; \`fromSql\` can convert them`,
    ),
  ];
}

/** What the rows of a column say against it. */
function leftOutNotes(judged: readonly PassedOver[], part: string): Told {
  const of = <Is extends LeftOut['is']>(is: Is) =>
    judged.flatMap(({ name, why }) =>
      why?.is === is ? [{ name, why: why as Extract<LeftOut, { readonly is: Is }> }] : [],
    );
  const scarce = of('scarce');
  const shares = scarce.map(({ name, why: { nulls, rows } }) => `${JSON.stringify(name)} (${percent(nulls / rows)})`);
  const [was, it] = scarce.length === 1 ? ['was', 'it'] : ['were', 'them'];
  const unique = of('unique');
  const names = unique.map(({ name }) => name);
  return [
    scarce.length === 0
      ? null
      : `${listing(shares)} ${was} left out for the share of rows without a value, which would all be skipped; name ${it} in \`features\` to use ${it}`,
    about(
      names,
      `was left out: most rows have a text that fewer than ${unique[0]?.why.least} rows have, as in names or ids; ${levelsOption(names[0] ?? '')} makes features of levels you choose. Numbers need a decimal point`,
      `were left out: most rows have a text that fewer than ${unique[0]?.why.least} rows have, as in names or ids; ${levelsOption(names[0] ?? '')} makes features of levels you choose. Numbers need a decimal point`,
    ),
    about(
      of('constant').map(({ name }) => name),
      'has the same text in nearly all rows and was left out',
      'have the same text in nearly all rows and were left out',
    ),
    of('differing').map(
      ({ name, why: { table } }) =>
        `${JSON.stringify(name)} was left out: it is text in the first ${part}, but not in ${table}`,
    ),
  ];
}

/** Where many rows are skipped, one or two columns often cause most of it. */
export function skippedNotes({ skipped, target }: ExplainOptions): Told {
  if (skipped === undefined || skipped.invalid === 0) return null;
  const { read, invalid, columns } = skipped;
  const worst = columns
    .filter(({ rows }) => rows >= LACKING_MUCH * invalid)
    .sort((one, other) => other.rows - one.rows);
  const lacking = worst.map(({ name, rows }) => `${JSON.stringify(name)} ${percent(rows / read)}`);
  const were = `${invalid} of ${read} rows (${percent(invalid / read)}) ${invalid === 1 ? 'was' : 'were'} skipped for missing or unusable values${lacking.length === 0 ? '' : ` (${listing(lacking)})`}`;
  if (invalid <= MANY_SKIPPED * read) return were;
  // A fit cannot do without its target.
  const features = worst.filter(({ name }) => name !== target).map(({ name }) => name);
  const advice = features.length === 0 ? '' : `; leave ${listingOf(features)} out of \`features\` to use more of them`;
  return `${were}${advice}. If values are not missing at random, the estimate is biased`;
}

/** Share of the rows read: fewer change little, whatever they contain, so that their number is all there is to say. */
const MANY_SKIPPED = 0.05;

/** Share of the rows skipped: a column that lacks fewer is not the cause. */
const LACKING_MUCH = 0.1;

/** Texts in place of numbers, which the rows examined first have. */
export const nullTokenNotes = ({ nullTokens = [], skipped }: ExplainOptions): Told =>
  nullTokens.map(({ name, nullTokens: tokens = [] }) => {
    const rows = skipped?.columns.find(column => column.name === name)?.rows ?? 0;
    return `${JSON.stringify(name)} has ${listingOf(tokens, 'or')} in place of numbers, which ${tokens.length === 1 ? 'counts' : 'count'} as missing (${rows} ${rows === 1 ? 'row has' : 'rows have'} no number); if they are levels, declare all with \`categorical\``;
  });

/** Usually ids, whose last digits are all that tells them apart. */
export const roundedNotes = ({ rounded = [] }: ExplainOptions): Told =>
  about(
    rounded,
    'has whole numbers beyond 2^53, which were rounded to 53 bits; if it is an id, leave it out by naming the others in `features`',
    'have whole numbers beyond 2^53, which were rounded to 53 bits; if they are ids, leave them out by naming the others in `features`',
  );

/** A coefficient per second is too small to be read easily. */
export const timeNotes = ({ times = [] }: ExplainOptions): Told =>
  about(
    times,
    'is in seconds since 1970: multiply its coefficient by 86400 for an effect per day',
    'are in seconds since 1970: multiply their coefficients by 86400 for effects per day',
  );
