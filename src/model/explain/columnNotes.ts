/** Notes on columns: those left out, and those whose coefficients mean something of their own. */

import type { Estimate } from '../../flow/estimate.ts';
import type { DropReason } from '../../pilot/droppedColumns.ts';
import type { Pilot } from '../../pilot/pilot.ts';
import { levelsOption } from '../../sample/levelsOption.ts';
import { listed } from '../../sample/listed.ts';
import { isRowIndex } from '../../source/isRowIndex.ts';
import type { ExplainOptions } from './explanation.ts';
import { type Note, severe } from './note.ts';
import { digits, nameOf } from './words.ts';

export function unboundedNotes({ pilot, loss, fit }: Estimate, { names }: ExplainOptions): readonly Note[] {
  const same = loss.name === 'poisson' ? 'every target is 0' : 'every target is the same';
  return (pilot?.columns.unbounded ?? []).map(column =>
    severe(
      `${JSON.stringify(nameOf(column, names))} has no finite estimate: in the rows that tell of it ${same}; ${digits(fit.theta[column]!)} is where the search stopped, and no more than a direction; leave it and its rows out, or add \`penalty\``,
    ),
  );
}

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
  const are = texts.length === 1 ? 'is text and was' : 'are text and were';
  return [
    ...(indices.length === 0
      ? []
      : [
          `${listed(indices)} ${indices.length === 1 ? "is pandas' index of the rows and was left out: a feature only where `features` names it" : "are pandas' indices of the rows and were left out: features only where `features` names them"}`,
        ]),
    ...strays.map(
      ({ name, strayRow }) =>
        `${JSON.stringify(name)} was left out: most of its rows are numbers, but row ${strayRow}, counted from 0, is not; mend it and others like it, or declare levels with \`categorical\``,
    ),
    ...(blank.length === 0
      ? []
      : [
          `${listed(blank)} ${blank.length === 1 ? 'has' : 'have'} no value in the first rows, which tell numbers from text, and ${blank.length === 1 ? 'was' : 'were'} left out: named in \`features\`, ${blank.length === 1 ? 'it counts' : 'they count'} as numbers`,
        ]),
    ...(texts.length === 0
      ? []
      : [
          `${listed(texts)} ${are} left out: ${levelsOption(texts[0]!)} makes features of levels, which \`inspectTable\` lists; numbers have a point for decimals`,
        ]),
    ...(times.length === 0
      ? []
      : [
          `${listed(times)} ${times.length === 1 ? 'holds dates or times and was' : 'hold dates or times and were'} left out: named in \`features\`, ${times.length === 1 ? 'it counts' : 'they count'} as seconds since 1970`,
        ]),
    ...(foreign.length === 0
      ? []
      : [
          `${listed(foreign.map(({ name }) => name))} ${foreign.length === 1 ? 'was' : 'were'} left out, for no numbers can be made of ${foreign.length === 1 ? 'its type' : 'their types'} (${[...new Set(foreign.flatMap(({ type = [] }) => type))].join(', ')}): \`openSql\` can make columns of what ${foreign.length === 1 ? 'it holds' : 'they hold'}`,
        ]),
    ...[...new Set(later.map(({ table }) => table))].map(table => {
      const names = later.filter(column => column.table === table).map(({ name }) => name);
      const [was, it, feature] =
        names.length === 1 ? ['was', 'it', 'a feature'] : ['were', 'them', 'features'];
      return `${listed(names)} ${was} left out: ${table} has ${it}, but ${later[0]!.not}, the first file, does not; add ${it} to every file to make ${it} ${feature}, or name the columns you want in \`features\``;
    }),
  ];
}

/** Of the rows read: fewer change little, whatever they hold. */
const MANY_SKIPPED = 0.05;
/** Of the rows passed over: a column that lacks fewer is not what they were passed over for. */
const LACKING_MUCH = 0.1;

/** Where many rows do not count, one or two columns often lack most of them. */
export function skippedNotes({ skipped }: ExplainOptions): readonly string[] {
  if (skipped === undefined || skipped.invalid <= MANY_SKIPPED * skipped.read) return [];
  const { read, invalid, columns } = skipped;
  const lacking = columns
    .filter(({ rows }) => rows >= LACKING_MUCH * invalid)
    .sort((one, other) => other.rows - one.rows);
  const shares = lacking
    .slice(0, MOST_LACKING)
    .map(({ name, rows }) => `${JSON.stringify(name)} in ${digits((100 * rows) / read)} %`);
  const more = lacking.length - shares.length;
  const named = `${shares.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return [
    `${invalid} of ${read} rows, ${digits((100 * invalid) / read)} %, do not count because a value is missing or cannot be used${shares.length === 0 ? '' : `: ${named} of the rows`}; a feature that lacks many is better left out by \`features\`, and where values are missing for a reason the other rows do not stand for all`,
  ];
}

const MOST_LACKING = 5;

/**
 * A slope goes through rows of a code as if they had been measured, and no loss leaves them out for their features;
 * some do for their targets.
 */
export const missingCodeNotes = ({ pilot }: Estimate, { names }: ExplainOptions): readonly string[] =>
  (pilot?.columns.missingCodes ?? []).map(({ column, value, share }) => {
    const name = nameOf(column, names);
    const harm = pilot!.residuals.rejectedCodes.includes(column)
      ? 'these rows do not belong: this fit hardly counts them, for they are far from it, but other losses or targets would'
      : pilot!.leverage.rowWeights !== null
        ? 'these rows do not belong: they count less here, for they are far out, but other losses would count them'
        : 'its coefficient is mostly made by these rows, and the others are off too';
    return `${JSON.stringify(name)} is ${value} in ${digits(100 * share)} % of the pilot rows, far from its other values: if ${value} stands for what is missing, ${harm}; leave them out, by \`openSql\` with WHERE "${name.replaceAll('"', '""')}" <> ${value} for instance`;
  });

/** A coefficient per second is too small to be read as what it is. */
export const timeNotes = ({ times = [] }: ExplainOptions): readonly string[] =>
  times.length === 0
    ? []
    : [
        `${listed(times)} ${times.length === 1 ? 'counts in seconds since 1970, so that its coefficient is' : 'count in seconds since 1970, so that their coefficients are'} per second: times 86400 per day`,
      ];

export function droppedNotes({ pilot, plan }: Estimate, options: ExplainOptions): readonly string[] {
  const references = plan.intercept ? referenceLevels(pilot, options) : [];
  const of = (reason: DropReason): readonly string[] =>
    namesDropped(pilot, options, reason).filter(name => references.every(level => level.name !== name));
  const [constant, combined, nearly] = [of('constant'), of('combination'), of('nearly a combination')];
  const say = (found: readonly string[], one: string, many: string): readonly string[] =>
    found.length === 0 ? [] : [`${listed(found)} ${found.length === 1 ? one : many}`];
  return [
    ...references.map(
      ({ name, text }) =>
        `${JSON.stringify(name)} is the reference level of ${JSON.stringify(text)}: coefficients of its other levels are differences from it, and its own is 0`,
    ),
    ...say(
      constant,
      `has one value in ${allOf(pilot)}: its coefficient is 0`,
      `have one value each in ${allOf(pilot)}: their coefficients are 0`,
    ),
    ...say(
      combined,
      'is a combination of other columns in the pilot rows: its coefficient is 0; leave it out, or add `penalty`',
      'are combinations of other columns in the pilot rows: their coefficients are 0; leave them out, or add `penalty`',
    ),
    ...say(
      nearly,
      'is nearly a combination of other columns in the pilot rows, so that rounding hides what it adds: its coefficient is 0; use its difference from them in its place, or leave it out, or add `penalty`',
      'are nearly combinations of other columns in the pilot rows, so that rounding hides what they add: their coefficients are 0; use their differences from them in their place, or leave them out, or add `penalty`',
    ),
  ];
}

/** What others nearly make up has a coefficient all the same, and one that says little by itself. */
export function collinearNotes(
  { pilot, uncertainty }: Estimate,
  { names }: ExplainOptions,
): readonly string[] {
  // Where classes are apart, the curvature is that of the few rows still in doubt.
  if (pilot === null || pilot.estimate.isSeparated) return [];
  return pilot.columns.collinear.map(({ columns, most, inflation }) => {
    const isPair = columns.length === 2;
    const all = listed(columns.map(column => nameOf(column, names)));
    const rest = inflation > 1e6 ? 'less than a millionth' : `one part in ${digits(inflation)}`;
    const which = isPair ? '' : ` ${JSON.stringify(nameOf(most, names))}`;
    return `${all} make each other up,${which} all but ${rest}: rows tell what ${isPair ? 'the two' : 'they'} do together, and next to nothing of what each does, so that single coefficients may be huge and of either sign${uncertainty === null ? '' : ', with intervals to match'}; leave one of them out, use its difference from the other${isPair ? '' : 's'} in its place, or add \`penalty\`; of powers and products, take those of features less their means`;
  });
}

/** A penalty takes a coefficient to 0 that no row tells of, and leaves none out. */
export function constantNotes({ pilot }: Estimate, { names }: ExplainOptions): readonly string[] {
  const found = (pilot?.columns.constant ?? []).filter(
    column => !pilot!.columns.dropped.some(other => other.column === column),
  );
  return found.length === 0
    ? []
    : [
        `${listed(found.map(column => nameOf(column, names)))} ${found.length === 1 ? 'has one value' : 'have one value each'} in ${allOf(pilot)}, and nothing but the penalty tells of ${found.length === 1 ? 'its coefficient' : 'their coefficients'}`,
      ];
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
 * Beside an intercept the levels of a text are one too many; where just one is left out for that, the others are told
 * against it.
 */
function referenceLevels(
  pilot: Pilot | null,
  options: ExplainOptions,
): readonly { readonly name: string; readonly text: string }[] {
  const combined = namesDropped(pilot, options, 'combination', 'nearly a combination');
  return Object.entries(options.categorical ?? {}).flatMap(([text, levels]) => {
    const found = levels.map(level => `${text}=${level}`).filter(name => combined.includes(name));
    return found.length === 1 ? [{ name: found[0]!, text }] : [];
  });
}

const allOf = (pilot: Pilot | null): string =>
  pilot?.rows.count === 1 ? 'the one pilot row' : `all ${pilot?.rows.count} pilot rows`;
