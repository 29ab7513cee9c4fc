import { levelsOption } from '../../../sample/levelTally.ts';
import { isRowIndex } from '../../../source/design/design.ts';
import { about, type ExplainOptions, listing, listingOf, percent } from '../notes.ts';

export function passedOverNotes({ passedOver: all = [] }: ExplainOptions): readonly string[] {
  const indices = all.filter(({ name }) => isRowIndex(name)).map(({ name }) => name);
  const later = all.flatMap(({ name, onlyIn }) => (onlyIn === undefined ? [] : [{ name, ...onlyIn }]));
  const passedOver = all.filter(({ name, onlyIn }) => !isRowIndex(name) && onlyIn === undefined);
  const strays = passedOver.filter(({ strayRow }) => strayRow !== undefined);
  const times = passedOver.filter(({ kind }) => kind === 'time').map(({ name }) => name);
  const blank = passedOver.filter(({ isBlank }) => isBlank).map(({ name }) => name);
  const foreign = passedOver.filter(({ kind }) => kind === 'unsupported');
  const texts = passedOver
    .filter(
      column =>
        !strays.includes(column) && !foreign.includes(column) && column.kind !== 'time' && !column.isBlank,
    )
    .map(({ name }) => name);
  const strayRows = strays.map(({ name, strayRow }) => `${JSON.stringify(name)} (row ${strayRow})`);
  const types = [...new Set(foreign.flatMap(({ type = [] }) => type))].join(', ');
  const foreignNames = foreign.map(({ name }) => name);
  return [
    ...about(
      indices,
      "is pandas' row index and was left out; name it in `features` to use it",
      "are pandas' row indices and were left out; name them in `features` to use them",
    ),
    ...(strays.length === 0
      ? []
      : [
          `${listing(strayRows)} ${strays.length === 1 ? 'was' : 'were'} left out: most values are numbers, but not in the row given (from 0); fix the values, or declare levels with \`categorical\``,
        ]),
    ...[...new Set(later.map(({ table }) => table))].map(table => {
      const names = later.filter(column => column.table === table).map(({ name }) => name);
      const [was, it, feature] =
        names.length === 1 ? ['was', 'it', 'a feature'] : ['were', 'them', 'features'];
      return `${listingOf(names)} ${was} left out: ${table} has ${it}, but ${later[0]!.not}, the first file, does not; add ${it} to every file to make ${it} ${feature}, or name the columns you want in \`features\``;
    }),
    ...about(
      blank,
      'has no value in the first rows, by which numbers are recognised, and was left out; name it in `features` to use it as a number',
      'have no value in the first rows, by which numbers are recognised, and were left out; name them in `features` to use them as numbers',
    ),
    ...about(
      texts,
      `is text and was left out; ${levelsOption(texts[0] ?? '')} makes features of its levels, which \`inspectTable\` lists. Numbers need a decimal point`,
      `are text and were left out; ${levelsOption(texts[0] ?? '')} makes features of levels, which \`inspectTable\` lists. Numbers need a decimal point`,
    ),
    ...about(
      times,
      'is a date or time and was left out; name it in `features` to use it in seconds since 1970',
      'are dates or times and were left out; name them in `features` to use them in seconds since 1970',
    ),
    ...about(
      foreignNames,
      `was left out: its type (${types}) has no numeric value; \`openSql\` can convert it`,
      `were left out: their types (${types}) have no numeric value; \`openSql\` can convert them`,
    ),
  ];
}

/** Where many rows are skipped, one or two columns often cause most of it. */
export function skippedNotes({ skipped }: ExplainOptions): readonly string[] {
  if (skipped === undefined || skipped.invalid <= MANY_SKIPPED * skipped.read) return [];
  const { read, invalid, columns } = skipped;
  const lacking = columns
    .filter(({ rows }) => rows >= LACKING_MUCH * invalid)
    .sort((one, other) => other.rows - one.rows)
    .map(({ name, rows }) => `${JSON.stringify(name)} ${percent(rows / read)}`);
  return [
    `${invalid} of ${read} rows (${percent(invalid / read)}) were skipped for missing or unusable values${lacking.length === 0 ? '' : ` (${listing(lacking)})`}; drop such columns with \`features\`. If values are not missing at random, the estimate is biased`,
  ];
}

/** Share of the rows read: fewer change little, whatever they contain. */
const MANY_SKIPPED = 0.05;

/** Share of the rows skipped: a column that lacks fewer is not the cause. */
const LACKING_MUCH = 0.1;

/** A coefficient per second is too small to be read easily. */
export const timeNotes = ({ times = [] }: ExplainOptions): readonly string[] =>
  about(
    times,
    'is in seconds since 1970: multiply its coefficient by 86400 for an effect per day',
    'are in seconds since 1970: multiply their coefficients by 86400 for effects per day',
  );
