/** Notes on columns: those left out, and those whose coefficients need an explanation. */

import { levelsOption } from '../../sample/levelTally.ts';
import { isRowIndex, type PassedOver } from '../../source/design/design.ts';
import type { LeftOut } from '../../source/design/foundLevels.ts';
import type { FittedRun } from '../fittedRun.ts';
import type { Pilot } from '../pilot/pilot.ts';
import type { DropReason } from './droppedColumns.ts';
import type { ExplainOptions } from './explanation.ts';
import type { MissingCode } from './missingCodes.ts';
import { type Note, severe } from './note.ts';
import { digits, listing, listingOf, nameOf, percent, quoted } from './noteWords.ts';

export function unboundedNotes({ pilot, loss, fit }: FittedRun, { names }: ExplainOptions): readonly Note[] {
  const found = pilot?.columns.unbounded ?? [];
  if (found.length === 0) return [];
  const isOne = found.length === 1;
  const same = loss.name === 'poisson' ? 'every target is 0' : 'every target is the same';
  const value = isOne ? `${digits(fit.theta[found[0]!]!)} is` : 'the values shown are';
  return [
    severe(
      `${listing(found.map(column => quoted(column, names)))} ${isOne ? 'has' : 'have'} no finite estimate: in the rows that determine ${isOne ? 'it' : 'each'}, ${same}; ${value} where the search stopped. Remove ${isOne ? 'the column' : 'these columns'} and ${isOne ? 'its' : 'their'} rows, or add \`penalty\``,
    ),
  ];
}

export function passedOverNotes({ passedOver: all = [] }: ExplainOptions): readonly string[] {
  const isIndex = (column: (typeof all)[number]): boolean => isRowIndex(column) || column.why?.is === 'index';
  const indices = all.filter(isIndex).map(({ name }) => name);
  const later = all.flatMap(({ name, onlyIn }) => (onlyIn === undefined ? [] : [{ name, ...onlyIn }]));
  const judged = all.filter(column => !isIndex(column) && column.why !== undefined);
  const passedOver = all.filter(
    column => !isIndex(column) && column.onlyIn === undefined && column.why === undefined,
  );
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
    ...leftOutNotes(judged),
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

/** What the rows of a column say against it. */
function leftOutNotes(judged: readonly PassedOver[]): readonly string[] {
  const of = <Is extends LeftOut['is']>(is: Is) =>
    judged.flatMap(({ name, why }) =>
      why?.is === is ? [{ name, why: why as Extract<LeftOut, { readonly is: Is }> }] : [],
    );
  const scarce = of('scarce');
  const shares = scarce.map(
    ({ name, why: { nulls, rows } }) => `${JSON.stringify(name)} (${percent(nulls / rows)})`,
  );
  const [was, it] = scarce.length === 1 ? ['was', 'it'] : ['were', 'them'];
  const unique = of('unique');
  const names = unique.map(({ name }) => name);
  return [
    ...(scarce.length === 0
      ? []
      : [
          `${listing(shares)} ${was} left out for the share of rows without a value, which would all be skipped; name ${it} in \`features\` to use ${it}`,
        ]),
    ...about(
      names,
      `was left out: most rows have a text that fewer than ${unique[0]?.why.least} rows have, as in names or ids; ${levelsOption(names[0] ?? '')} makes features of levels you choose. Numbers need a decimal point`,
      `were left out: most rows have a text that fewer than ${unique[0]?.why.least} rows have, as in names or ids; ${levelsOption(names[0] ?? '')} makes features of levels you choose. Numbers need a decimal point`,
    ),
    ...about(
      of('constant').map(({ name }) => name),
      'has the same text in nearly all rows and was left out',
      'have the same text in nearly all rows and were left out',
    ),
    ...of('differing').map(
      ({ name, why: { table } }) =>
        `${JSON.stringify(name)} was left out: it is text in the first file, but not in ${table}`,
    ),
  ];
}

/** One note on all columns; none where there are none. */
const about = (found: readonly string[], one: string, many: string): readonly string[] =>
  found.length === 0 ? [] : [`${listingOf(found)} ${found.length === 1 ? one : many}`];

/** Share of the rows read: fewer change little, whatever they contain, so that their number is all there is to say. */
const MANY_SKIPPED = 0.05;
/** Share of the rows skipped: a column that lacks fewer is not the cause. */
const LACKING_MUCH = 0.1;

/** Where many rows are skipped, one or two columns often cause most of it. */
export function skippedNotes({ skipped }: ExplainOptions): readonly string[] {
  if (skipped === undefined || skipped.invalid === 0) return [];
  const { read, invalid, columns } = skipped;
  const lacking = columns
    .filter(({ rows }) => rows >= LACKING_MUCH * invalid)
    .sort((one, other) => other.rows - one.rows)
    .map(({ name, rows }) => `${JSON.stringify(name)} ${percent(rows / read)}`);
  const were = `${invalid} of ${read} rows (${percent(invalid / read)}) ${invalid === 1 ? 'was' : 'were'} skipped for missing or unusable values${lacking.length === 0 ? '' : ` (${listing(lacking)})`}`;
  return [
    invalid <= MANY_SKIPPED * read
      ? were
      : `${were}; drop such columns with \`features\`. If values are not missing at random, the estimate is biased`,
  ];
}

/** Texts in place of numbers, which the rows examined first have. */
export const nullTokenNotes = ({ nullTokens = [], skipped }: ExplainOptions): readonly string[] =>
  nullTokens.map(({ name, nullTokens: tokens = [] }) => {
    const rows = skipped?.columns.find(column => column.name === name)?.rows ?? 0;
    return `${JSON.stringify(name)} has ${listingOf(tokens, 'or')} in place of numbers, which ${tokens.length === 1 ? 'counts' : 'count'} as missing (${rows} ${rows === 1 ? 'row has' : 'rows have'} no number); if they are levels, declare all with \`categorical\``;
  });

/** The fit treats a code as a measured value, unless it rejects such rows for their targets. */
export function missingCodeNotes({ pilot }: FittedRun, { names }: ExplainOptions): readonly string[] {
  if (pilot === null) return [];
  const { missingCodes } = pilot.columns;
  const isRejected = ({ column }: MissingCode): boolean => pilot.residuals.rejectedCodes.includes(column);
  const say = (codes: readonly MissingCode[], effect: string): readonly string[] => {
    if (codes.length === 0) return [];
    const found = codes.map(
      code => `${quoted(code.column, names)} is ${code.value} in ${percent(code.share)}`,
    );
    const { column, value } = codes[0]!;
    const condition = `"${nameOf(column, names).replaceAll('"', '""')}" <> ${value}`;
    return [
      `${listing(found)} of the pilot rows, far from all other values. If ${codes.length === 1 ? `${value} means` : 'these mean'} "missing", remove these rows (\`openSql\` with WHERE ${condition}): ${effect}`,
    ];
  };
  return [
    ...say(missingCodes.filter(isRejected), 'this fit rejects them, but other losses may not'),
    ...say(
      missingCodes.filter(code => !isRejected(code)),
      pilot.leverage.rowWeights === null
        ? 'they distort its coefficient and others'
        : 'this fit down-weights them, but other losses do not',
    ),
  ];
}

/** A coefficient per second is too small to be read easily. */
export const timeNotes = ({ times = [] }: ExplainOptions): readonly string[] =>
  about(
    times,
    'is in seconds since 1970: multiply its coefficient by 86400 for an effect per day',
    'are in seconds since 1970: multiply their coefficients by 86400 for effects per day',
  );

export function droppedNotes({ pilot, plan }: FittedRun, options: ExplainOptions): readonly string[] {
  const references = plan.intercept ? referenceLevels(pilot, options) : [];
  const of = (reason: DropReason): readonly string[] =>
    namesDropped(pilot, options, reason).filter(name => !references.includes(name));
  return [
    ...about(
      references,
      'is the reference level: its coefficient is 0, and those of the other levels are differences from it',
      'are reference levels: their coefficients are 0, and those of the other levels are differences from them',
    ),
    ...about(
      of('constant'),
      `has one value in ${allOf(pilot)}: its coefficient is 0`,
      `have one value each in ${allOf(pilot)}: their coefficients are 0`,
    ),
    ...about(
      of('combination'),
      'is a linear combination of other columns in the pilot rows: its coefficient is 0; remove it, or add `penalty`',
      'are linear combinations of other columns in the pilot rows: their coefficients are 0; remove them, or add `penalty`',
    ),
    ...about(
      of('nearly a combination'),
      'is nearly a linear combination of other columns, up to rounding: its coefficient is 0; use its difference from them instead, remove it, or add `penalty`',
      'are nearly linear combinations of other columns, up to rounding: their coefficients are 0; use their differences from them instead, remove them, or add `penalty`',
    ),
  ];
}

/** Nearly collinear columns keep their coefficients, which mean little one by one. */
export function collinearNotes(
  { pilot, uncertainty }: FittedRun,
  { names }: ExplainOptions,
): readonly string[] {
  // Where classes are separated, the curvature is that of the few uncertain rows.
  if (pilot === null || pilot.estimate.isSeparated || pilot.columns.collinear.length === 0) return [];
  const groups = pilot.columns.collinear.map(({ columns }) =>
    listing(columns.map(column => quoted(column, names))),
  );
  const inflation = Math.max(...pilot.columns.collinear.map(group => group.inflation));
  const wide = uncertainty === null ? '' : ' with wide intervals';
  return [
    `${groups.join('; ')} are nearly collinear (variance inflation ${inflation > 1e6 ? 'over a million' : digits(inflation)}): only their joint effect is well determined, and single coefficients are erratic${wide}. Remove one, use differences, centre before taking powers, or add \`penalty\``,
  ];
}

/** A penalty drops no column: it makes the coefficient of a constant one 0. */
export function constantNotes({ pilot }: FittedRun, { names }: ExplainOptions): readonly string[] {
  const found = (pilot?.columns.constant ?? []).filter(
    column => !pilot!.columns.dropped.some(other => other.column === column),
  );
  return about(
    found.map(column => nameOf(column, names)),
    `has one value in ${allOf(pilot)}: only the penalty determines its coefficient`,
    `have one value each in ${allOf(pilot)}: only the penalty determines their coefficients`,
  );
}

const namesDropped = (
  pilot: Pilot | null,
  { names }: ExplainOptions,
  ...reasons: readonly DropReason[]
): readonly string[] =>
  (pilot?.columns.dropped ?? []).flatMap(({ column, why }) =>
    reasons.includes(why) ? [nameOf(column, names)] : [],
  );

/**
 * Beside an intercept, the declared levels of a text are one too many if they are all levels. Where exactly one is
 * dropped for that, it is the reference of the others.
 */
function referenceLevels(pilot: Pilot | null, options: ExplainOptions): readonly string[] {
  const combined = namesDropped(pilot, options, 'combination', 'nearly a combination');
  return Object.entries(options.categorical ?? {}).flatMap(([text, levels]) => {
    const found = levels.map(level => `${text}=${level}`).filter(name => combined.includes(name));
    return found.length === 1 ? found : [];
  });
}

const allOf = (pilot: Pilot | null): string =>
  pilot?.rows.count === 1 ? 'the one pilot row' : `all ${pilot?.rows.count} pilot rows`;
