/** What an estimate was made by and what its data looked like, in plain words. Of the rows themselves it tells: it is not for private runs. */
import { FAR_OFF, type Pilot, type Thin, type WhyLeftOut } from '../plan/pilot.ts';
import type { LevelTally } from '../sample/levelTally.ts';
import { listed } from '../sample/listed.ts';
import type { PassedOver } from '../source/design.ts';
import type { Estimate } from './estimate.ts';
import { explainLevels } from './explainLevels.ts';
import type { Explanation } from './explanation.ts';

export interface ExplainOptions {
  readonly names: readonly string[];
  readonly order: 'shuffle' | 'as-is';
  /** Whether the loss was left to the run. */
  readonly isLossOpen: boolean;
  /** Columns of text, dates or times that nobody asked for; none unless given. */
  readonly passedOver?: readonly PassedOver[];
  /** Features that are dates or times; none unless given. */
  readonly times?: readonly string[];
  /** Declared levels of text columns; none unless given. */
  readonly categorical?: Readonly<Record<string, readonly string[]>>;
  /** How many rows have which level of text features; none unless given. */
  readonly levels?: readonly LevelTally[];
}

export const explainEstimate = (found: Estimate, options: ExplainOptions): Explanation => ({
  choices: [
    ...lossChoice(found, options),
    ...layoutChoices(found, options),
    ...explainLevels(options.levels ?? []).choices,
  ],
  notes: [
    ...apartNotes(found),
    ...unboundedNotes(found, options),
    ...narrowNotes(found),
    ...manyNotes(found),
    ...twoNotes(found),
    ...cutOffNotes(found),
    ...passedOverNotes(options),
    ...timeNotes(options),
    ...explainLevels(options.levels ?? []).notes,
    ...leftOutNotes(found, options),
    ...rareNotes(found, options),
    ...fewNotes(found, options),
    ...lostNotes(found, options),
    ...farNotes(found, options),
    ...skewNotes(found, options),
    ...farOutNotes(found, options),
    ...concentrationNotes(found),
    ...heaviestNotes(found),
    ...ridgeNotes(found),
    ...exactNotes(found),
    ...neighbourNotes(found, options),
    ...sortedNotes(found, options),
  ],
});

function lossChoice({ loss, pilot }: Estimate, { isLossOpen }: ExplainOptions): readonly string[] {
  if (!isLossOpen || pilot === null) return [];
  if (loss.name === 'logistic') return ['loss logistic: every target of the pilot is 0 or 1'];
  if (loss.name === 'squared')
    return [
      pilot.twoTargets
        ? 'loss squared: the targets of the pilot have two values, and residuals then no scale to tell outliers by'
        : 'loss squared: most rows near a robust fit have one and the same target, so that residuals have no scale to tell outliers by',
    ];
  const q = digits(loss.parameter!);
  if (loss.name === 'pseudo-huber')
    return [
      `loss pseudo-huber(${q}): residuals have a scale of ${digits(pilot.residualScale)}, but are larger in some rows than in others, for noise differs or the fit misses a bend or a product of features, and a loss that leaves far rows out would tell too little of what only these know; rows beyond ${q} count, each as much as one at ${q}`,
    ];
  return [
    `loss ${loss.name}(${q}): residuals have a scale of ${digits(pilot.residualScale)}, and rows ${loss.name === 'tukey' ? `beyond ${q} do not` : `far beyond ${q} hardly`} count; of the tunings tried this one promises the least error`,
  ];
}

function layoutChoices(
  { layout, pilot, plan, fit, widened, uncertainty, noIntervals }: Estimate,
  { names }: ExplainOptions,
): readonly string[] {
  if (pilot === null) return [];
  const { mode, sharesPilot, steps, schedule, blocks } = layout;
  const taken = `${steps} ${steps === 1 ? 'step' : 'steps'} (${plan.rule.name})`;
  const counts = pilot.isEstimate ? ', and its own estimate counts as so many' : '';
  const why = widened === null ? '' : `; of ${widened.rows} rows, too few ${fewOf(widened.thin, names)}`;
  return [
    sharesPilot
      ? `a pilot of all ${rowsOf(pilot)}, which the steps see again: units, first estimate, curvature${why}`
      : `a pilot of ${pilot.rows} rows, which no step uses again: units, first estimate, curvature${counts}${why}`,
    mode === 'fresh'
      ? `${taken} on ${steps === 1 ? 'a fresh chunk' : 'fresh chunks'} of ${schedule!.chunks.join(', ')} rows${fit.rowsBehind === undefined ? '' : ', each iterate counting as its rows'}`
      : `${taken} ${steps === 1 ? '' : 'each '}over all ${sharesPilot ? '' : 'other '}rows${unfilled(plan.leftOver)}`,
    uncertainty === null
      ? `no intervals: ${noIntervals}`
      : {
          rows: 'intervals from what each row does to the estimate',
          blocks: `${blocks} blocks a step, whose differences make the intervals`,
          neighbours: 'intervals from blocks of neighbouring rows, which go together',
        }[uncertainty.from],
  ];
}

function fewOf(thin: Thin, names: readonly string[]): string {
  switch (thin.few) {
    case 'rows of a column':
      return `told of ${thin.column === names.length ? 'the intercept' : JSON.stringify(nameOf(thin.column, names))}`;
    case 'weights':
      return 'had most of the weight';
    case 'events':
      return 'had an event, or a class in doubt';
    case 'rows within reach':
      return 'were within reach of the loss';
    case 'rows with leverage':
      return 'had most of the leverage';
  }
}

const unfilled = (rows: number): string =>
  rows === 0 ? '' : ` but ${rows} that ${rows === 1 ? 'does' : 'do'} not fill a block`;

function apartNotes({ pilot, loss }: Estimate): readonly string[] {
  if (!pilot?.isApart) return [];
  return [
    loss.name === 'poisson'
      ? 'every target of the pilot rows is 0: there is no finite estimate, and these coefficients are where the search stopped; add --ridge'
      : 'the classes of the pilot rows are told apart without error, or are all the same: there is no finite estimate, and these coefficients say no more than a direction; add --ridge',
  ];
}

function narrowNotes({ pilot, loss }: Estimate): readonly string[] {
  if (!pilot?.isTooNarrow) return [];
  const { residualScale } = pilot;
  return [
    `the parameter of ${loss.name}, ${digits(loss.parameter!)}, is ${digits(residualScale / loss.parameter!)} times smaller than the residuals' scale: hardly a row tells how the loss curves, and the estimate is rough; --loss ${loss.name}:${digits((loss.name === 'pseudo-huber' ? 1.345 : 4.685) * residualScale)} suits these rows`,
  ];
}

function unboundedNotes({ pilot, loss, fit }: Estimate, { names }: ExplainOptions): readonly string[] {
  const same = loss.name === 'poisson' ? 'every target is 0' : 'every target is the same';
  return (pilot?.unbounded ?? []).map(
    column =>
      `${JSON.stringify(nameOf(column, names))} has no finite estimate: in the rows that tell of it ${same}; ${digits(fit.theta[column]!)} is where the search stopped, and no more than a direction; leave it and its rows out, or add --ridge`,
  );
}

/** Where a fit can follow every target, residuals say nothing of the noise. */
function manyNotes({ pilot, fit }: Estimate): readonly string[] {
  const coefficients = fit.theta.length;
  return pilot !== null && pilot.rows <= coefficients
    ? [
        `${coefficients} coefficients for ${rowsOf(pilot)}: the fit goes through every target, whatever its noise; use fewer features or more rows, or add --ridge`,
      ]
    : [];
}

function twoNotes({ pilot }: Estimate): readonly string[] {
  const [least, most] = pilot?.twoTargets ?? [0, 1];
  return least === 0 && most === 1
    ? []
    : [
        `the target has two values, ${least} and ${most}: with 0 and 1 in their place a logistic fit would tell chances`,
      ];
}

/** Rows beyond a bound would have had other targets, and a line goes on where they stop. */
function cutOffNotes({ pilot }: Estimate): readonly string[] {
  return (pilot?.cutOff ?? []).map(
    ({ at, value, share }) =>
      `${digits(100 * share)} % of the pilot rows have ${value} as their target, the ${at} of all, and hardly two others have the same: if targets were cut off there, a line does not bend with them, slopes are too flat, and no interval tells by how much; fit whether a target is ${value} apart from what the others are, or leave these rows out if ${value} stands for what is missing`,
  );
}

function passedOverNotes({ passedOver = [] }: ExplainOptions): readonly string[] {
  const strays = passedOver.filter(({ strayRow }) => strayRow !== undefined);
  const times = passedOver.filter(({ kind }) => kind === 'time').map(({ name }) => name);
  const texts = passedOver
    .filter(column => !strays.includes(column) && column.kind !== 'time')
    .map(({ name }) => name);
  const are = texts.length === 1 ? 'is text and was' : 'are text and were';
  return [
    ...strays.map(
      ({ name, strayRow }) =>
        `${JSON.stringify(name)} was left out: most of its rows are numbers, but row ${strayRow}, counted from 0, is not; mend it and others like it, or declare levels with --categorical`,
    ),
    ...(texts.length === 0
      ? []
      : [
          `${listed(texts)} ${are} left out: --categorical ${texts[0]}=A|B makes features of levels, which sluice inspect lists; numbers have a point for decimals`,
        ]),
    ...(times.length === 0
      ? []
      : [
          `${listed(times)} ${times.length === 1 ? 'holds dates or times and was' : 'hold dates or times and were'} left out: named in --features, ${times.length === 1 ? 'it counts' : 'they count'} as seconds since 1970`,
        ]),
  ];
}

/** A coefficient per second is too small to be read as what it is. */
const timeNotes = ({ times = [] }: ExplainOptions): readonly string[] =>
  times.length === 0
    ? []
    : [
        `${listed(times)} ${times.length === 1 ? 'counts in seconds since 1970, so that its coefficient is' : 'count in seconds since 1970, so that their coefficients are'} per second: times 86400 per day`,
      ];

function leftOutNotes({ pilot, plan }: Estimate, options: ExplainOptions): readonly string[] {
  const references = plan.intercept ? referenceLevels(pilot, options) : [];
  const of = (reason: WhyLeftOut): readonly string[] =>
    namesLeftOut(pilot, options, reason).filter(name => references.every(level => level.name !== name));
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
      'is a combination of other columns in the pilot rows: its coefficient is 0; leave it out, or add --ridge',
      'are combinations of other columns in the pilot rows: their coefficients are 0; leave them out, or add --ridge',
    ),
    ...say(
      nearly,
      'is nearly a combination of other columns in the pilot rows, so that rounding hides what it adds: its coefficient is 0; use its difference from them in its place, or leave it out, or add --ridge',
      'are nearly combinations of other columns in the pilot rows, so that rounding hides what they add: their coefficients are 0; use their differences from them in their place, or leave them out, or add --ridge',
    ),
  ];
}

const namesLeftOut = (
  pilot: Pilot | null,
  { names }: ExplainOptions,
  ...reasons: readonly WhyLeftOut[]
): readonly string[] =>
  (pilot?.leftOut ?? []).flatMap(({ column, why }) => (reasons.includes(why) ? [nameOf(column, names)] : []));

/** Beside an intercept the levels of a text are one too many; where just one is left out for that, the others are told against it. */
function referenceLevels(
  pilot: Pilot | null,
  options: ExplainOptions,
): readonly { readonly name: string; readonly text: string }[] {
  const combined = namesLeftOut(pilot, options, 'combination', 'nearly a combination');
  return Object.entries(options.categorical ?? {}).flatMap(([text, levels]) => {
    const found = levels.map(level => `${text}=${level}`).filter(name => combined.includes(name));
    return found.length === 1 ? [{ name: found[0]!, text }] : [];
  });
}

const rowsOf = ({ rows }: Pilot): string => `${rows} ${rows === 1 ? 'row' : 'rows'}`;

const allOf = (pilot: Pilot | null): string =>
  pilot?.rows === 1 ? 'the one pilot row' : `all ${pilot?.rows} pilot rows`;

const nameOf = (column: number, names: readonly string[]): string => names[column] ?? String(column);

/** Steps that see all rows measure the curvature as they go; two or three on fresh ones rely on the pilot's. */
function rareNotes({ pilot, layout, uncertainty }: Estimate, { names }: ExplainOptions): readonly string[] {
  if (layout.mode === 'full') return [];
  return (pilot?.rare ?? []).map(
    ({ column, rows }) =>
      `${JSON.stringify(nameOf(column, names))} leaves its usual value in only ${rows} of ${pilot!.rows} pilot rows: its coefficient is rough${uncertainty === null ? '' : ', and its interval too narrow'}; --mode full does better`,
  );
}

/** Columns that are no levels of a text may leave a coefficient to few rows as well. */
function fewNotes({ pilot, plan, fit, uncertainty }: Estimate, { names }: ExplainOptions): readonly string[] {
  const few = pilot?.few ?? [];
  // Where classes are apart, hardly a row is in doubt, and that tells nothing of the columns.
  if (few.length === 0 || pilot!.isApart) return [];
  const isIntercept = (column: number): boolean => plan.intercept && column === fit.theta.length - 1;
  const found = few.map(({ column }) => (isIntercept(column) ? '(intercept)' : nameOf(column, names)));
  const rows = Math.max(...few.map(row => row.rows));
  return [
    `about ${rows} of ${rowsOf(pilot!)} in the pilot ${rows === 1 ? 'decides' : 'decide'} ${listed(found)}, since in all others columns add up to the same${uncertainty === null ? '' : ': intervals suppose that noise is the same there as elsewhere'}; leave a frequent level undeclared, or one of the columns out`,
  ];
}

/** What a group of rows has of its own is told by those of them that happen to be near the fit. */
function lostNotes({ pilot, uncertainty }: Estimate, { names }: ExplainOptions): readonly string[] {
  return (pilot?.leftOutGroups ?? []).map(
    ({ column, rows, share }) =>
      `of the ${rows} pilot rows that tell of ${JSON.stringify(nameOf(column, names))}, ${digits(100 * share)} % as good as do not count, for they are far from the fit: they have more noise than others, or a law of their own, and its coefficient${uncertainty === null ? ' is' : ' and interval are'} not to be relied on; --loss pseudo-huber:${digits(1.345 * pilot!.residualScale)} counts them, and a fit of these rows alone shows what they follow`,
  );
}

function farNotes({ pilot, loss }: Estimate, { isLossOpen }: ExplainOptions): readonly string[] {
  if (pilot === null || pilot.farShare < LEAST_FAR) return [];
  const share = `${digits(100 * pilot.farShare)} % of the pilot rows are further than ${FAR_OFF} residual scales from the fit`;
  if (isLossOpen && loss.name === 'pseudo-huber')
    return [
      `${share}, and each of these counts as much as one at ${digits(loss.parameter!)}: noise differs between rows, or the fit misses a bend or a product of features, which a column with a square or product would tell`,
    ];
  if (isLossOpen && loss.name !== 'squared') {
    const group =
      pilot.farShare < A_GROUP
        ? ''
        : ': so many may follow a law of their own; look at them, and if they do, add a column that tells them from the others';
    return [`${share}, and hardly count in it${group}`];
  }
  return loss.name === 'squared'
    ? [
        `${share}: under the squared loss they pull the estimate, and where they are in every block, as these are, no median of means undoes it; ${isLossOpen ? `--loss pseudo-huber:${digits(1.345 * pilot.residualScale)} would bound what they do` : '--loss auto leaves them out'}`,
      ]
    : [`${share}`];
}

const LEAST_FAR = 0.002;

const A_GROUP = 0.1;

/** A robust fit's intercept is the mean's only where noise is symmetric; its slopes are also where noise has the same law for all rows. */
function skewNotes({ pilot, uncertainty }: Estimate, { isLossOpen }: ExplainOptions): readonly string[] {
  if (pilot === null || pilot.skew === 0) return [];
  const [far, near, amount] = pilot.skew > 0 ? ['above', 'below', 'small'] : ['below', 'above', 'large'];
  const instead = pilot.areCounts
    ? ', or --loss poisson if the target counts something'
    : ', or fit the logarithm of the target';
  const advice = `use --loss squared for means${pilot.skew > 0 ? instead : ''}`;
  const intervals =
    isLossOpen && uncertainty !== null ? ', and intervals leave out what the choice of the loss adds' : '';
  return [
    `targets scatter further ${far} the fit than ${near} it: it follows the bulk of the rows and not their mean, so that the intercept is off that of the mean, and slopes too where noise depends on the features, and predicted means and sums are too ${amount}${intervals}; ${advice}`,
  ];
}

/** Under the squared loss, rows that pull are far from the fit as a rule, and are told of already. */
function farOutNotes(
  { pilot, loss, fit }: Estimate,
  { isLossOpen, names }: ExplainOptions,
): readonly string[] {
  if (pilot === null || pilot.farOut === null || pilot.farOut.without === null) return [];
  if (loss.name === 'squared' && pilot.farShare >= LEAST_FAR) return [];
  const { share, beyond, without, most } = pilot.farOut;
  const advice =
    loss.loss.targets.least === -Infinity && !isLossOpen
      ? '--loss auto leaves such rows out'
      : 'look at them, and mend or leave out those that do not belong';
  return [
    `${digits(100 * share)} % of the pilot rows lie far out in their features, further than ${digits(beyond)} scales, and the ${loss.name} loss counts them fully: without them ${JSON.stringify(nameOf(most, names))} would have about ${digits(without[most]!)} instead of ${digits(fit.theta[most]!)}; ${advice}`,
  ];
}

/** A level that few rows have is told of apart. */
function concentrationNotes({ pilot, loss, uncertainty }: Estimate): readonly string[] {
  if (pilot === null || pilot.rare.length > 0) return [];
  if (pilot.concentration < Math.max(FEW_DECIDE, OF_FEW / Math.sqrt(pilot.rows))) return [];
  const harm = [
    ...(uncertainty === null
      ? []
      : [`intervals are too narrow${uncertainty.from === 'blocks' ? '' : ' if noise grows with them'}`]),
    ...(loss.name === 'squared'
      ? []
      : ['where noise is light, the error may be several times that of --loss squared']),
  ];
  return [
    `a few rows lie so far out in their features that they decide the estimate${harm.length > 0 ? `: ${harm.join(', and ')}` : ''}; take logarithms or ranks of such features, or bound them`,
  ];
}

/** Eleven rows that share all leverage have this much; log-normal features come near it only where rows are few. */
const FEW_DECIDE = 0.3;

/** n rows alike have 1/sqrt n, and of one normal feature sqrt 3 times that. */
const OF_FEW = 2;

function heaviestNotes({ pilot }: Estimate): readonly string[] {
  if (pilot === null || pilot.heaviest < Math.max(HEAVY, 20 / pilot.rows)) return [];
  return [
    `one row has ${digits(100 * pilot.heaviest)} % of the weight of all ${pilot.rows} pilot rows: the estimate is mostly its own, and no interval tells how far off that is; look at the column of weights`,
  ];
}

const HEAVY = 0.1;

function ridgeNotes({ plan, uncertainty }: Estimate): readonly string[] {
  const { penalty } = plan.loss;
  return penalty > 0 && uncertainty !== null
    ? [
        `--ridge ${digits(penalty)} draws coefficients towards 0: the intervals are about the penalised coefficients, and need not hold the ones without a penalty`,
      ]
    : [];
}

/** Rows without noise tell nothing of noise. */
function exactNotes({ uncertainty, fit, pilot, plan }: Estimate): readonly string[] {
  if (uncertainty === null || plan.loss.targets.least > -Infinity) return [];
  // Of slopes alone: beside a target far from 0 the intercept looks sure. A slope of 0 is what rounding makes of it.
  const slopes = uncertainty.errors.subarray(0, plan.features);
  const isSure = (error: number, j: number): boolean =>
    fit.theta[j] !== 0 && error <= ROUNDING * Math.abs(fit.theta[j]!);
  const isNone = (error: number, j: number): boolean => Math.abs(fit.theta[j]!) <= 1e4 * error;
  const isExact = slopes.every((error, j) => isSure(error, j) || isNone(error, j)) && slopes.some(isSure);
  return isExact
    ? [
        `the fit goes through ${pilot!.farShare > 0 ? 'most' : 'all'} of the rows, but for rounding, so that nothing tells of noise: intervals are those of a target that is made of the features`,
      ]
    : [];
}

const ROUNDING = 1e-12;

/** A shuffle keeps neighbours from deciding a step, but they go together as before. */
function neighbourNotes(
  { neighbours, uncertainty, plan, fit }: Estimate,
  { names }: ExplainOptions,
): readonly string[] {
  if (neighbours === null) return [];
  const { correlation, blockRows, isLong, excess, variances, independent } = neighbours;
  const growth = variances.map((variance, j) =>
    independent[j]! > 0 ? Math.sqrt(variance / independent[j]!) : 1,
  );
  const most = growth.indexOf(Math.max(...growth));
  const name = plan.intercept && most === fit.theta.length - 1 ? '(intercept)' : nameOf(most, names);
  const intervals =
    uncertainty === null
      ? ''
      : `; intervals allow for ${isLong ? 'some of it, and may still be too narrow, for there are few blocks so large' : 'it'}, and that of ${JSON.stringify(name)} is ${digits(growth[most]!)} times as wide as independent rows would have it`;
  return [
    `rows that are neighbours in the file go together, as those of one day or person do: their residuals have a correlation of ${digits(correlation)}, and blocks of ${blockRows} rows vary ${digits(excess)} times as much as independent rows would${intervals}; a column that tells what neighbours have in common may explain it, and where the file is merely sorted by what the fit leaves out, ${uncertainty === null ? 'it does no harm' : 'they are wider than they need be'}`,
  ];
}

/** Blocks of rows that come in a random order differ as single rows let expect. Where every step sees all rows and blocks do not make the intervals, no shuffle would change anything. */
function sortedNotes(
  { pilot, spread, layout, uncertainty }: Estimate,
  { order }: ExplainOptions,
): readonly string[] {
  if (order === 'shuffle' || pilot === null || spread === null) return [];
  if (layout.sharesPilot && uncertainty?.from !== 'blocks') return [];
  if (!(spread.noise > SORTED * pilot.noise)) return [];
  return [
    `the rows look sorted: blocks of neighbouring rows differ ${digits(Math.sqrt(spread.noise / pilot.noise))} times as much as rows in a random order would, and ${layout.mode === 'full' ? 'the intervals do not hold' : 'neither the estimate nor its intervals hold'}; use --order shuffle`,
  ];
}

const SORTED = 4;

const digits = (value: number): string => String(Number(value.toPrecision(3)));
