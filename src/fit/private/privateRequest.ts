import { ArgumentError, refuse } from '../../errors.ts';
import type { Loss } from '../../method/loss/loss.ts';
import { type LossName, lossByName, type NamedLoss } from '../../method/loss/lossByName.ts';
import { type GivenLoss, namedLossOf } from '../../method/loss/namedLossOf.ts';
import { ridge } from '../../method/loss/ridge.ts';
import type { Momentum } from '../../method/rule/nesterov.ts';
import { type PrivateOptions, type PrivatePlan, planPrivate } from '../../plan/private/planPrivate.ts';
import { MOST_PRIVATE_STEPS } from '../../plan/private/privateApproach.ts';
import { LARGEST_PAPER_EPSILON } from '../../privacy/paperNoise.ts';
import { levelsOption } from '../../sample/levelTally.ts';
import { type FeatureInterval, type Interval, type Scaling, scalingOf } from '../../sample/transform/scaling.ts';
import type { DesignColumn } from '../../source/design/design.ts';
import { wordsOf } from '../../words.ts';
import { given } from '../call.ts';
import { type CoefficientSet, constraintOf } from '../estimate.ts';
import { requireBlocks } from '../requireSettings.ts';

/** What a private run is planned from. */
export interface PrivateRequestOptions
  extends Pick<PrivateOptions, ReturnType<typeof planOptionNames>[number] | 'delta' | 'epsilon' | 'mode'> {
  /** The column to be explained. */
  readonly target: string;
  /**
   * The range of every feature and of the target, [least, most], from public knowledge and not from the data; values
   * outside are moved to the nearest end.
   */
  readonly bounds?: Readonly<Record<string, readonly [number, number]>>;
  /** Bounds the Euclidean norm of the features of a row, in place of ranges for them. */
  readonly normBound?: number;
  /** In the order of the model; those with bounds or levels unless given. Never chosen by what rows hold. */
  readonly features?: readonly string[];
  /** The levels of text columns. A value outside is of the reference level. */
  readonly categorical?: Readonly<Record<string, readonly string[]>>;
  /** `pseudo-huber` unless given, with a transition at a fifth of the target's scale. */
  readonly loss?: GivenLoss | 'auto';
  /** The ridge penalty, for scaled coefficients. */
  readonly penalty?: number;
  /** Whether the model has an intercept; it has unless told otherwise. */
  readonly intercept?: boolean;
  /** In scaled units. An l2 ball has a usual radius unless given. */
  readonly set?: Omit<CoefficientSet, 'radius'> & { readonly radius?: number };
  /** For Nesterov's method; by predicted error unless given. */
  readonly momentum?: Momentum;
  /** `mean` unless given. */
  readonly aggregate?: 'mean' | 'median-of-means';
  /** The column that says whose rows they are, for a guarantee that protects all rows of one unit together. */
  readonly unit?: string;
  /** How many rows of one unit count; the others get a zero gradient. Goes with `unit`. */
  readonly maxPerUnit?: number;
}

/** A plan, and what was declared for it. */
export interface PrivateRequest {
  /** In the units of the data. */
  readonly loss: NamedLoss;
  /** The plan, for scaled rows. */
  readonly plan: PrivatePlan;
  /** The declared bounds, by column. */
  readonly bounds: Readonly<Record<string, Interval>>;
  /** With its radius. */
  readonly set: CoefficientSet | undefined;
}

type Column = Pick<DesignColumn, 'name' | 'level' | 'field'>;

/**
 * From what is declared to a private plan; no row is read. Whatever depends on data has to be released by a mechanism,
 * so that everything here is public: columns and their bounds, the number of rows, the guarantee asked for.
 *
 * The plan for `rows` rows of these features. `canReread` is false for a stream, which passes once; `keepsUnits` is
 * true for a theorem, which is stated for targets in their original units.
 */
export function privateRequest(
  options: PrivateRequestOptions,
  rows: number,
  features: readonly Column[],
  { canReread = true, keepsUnits = false }: { canReread?: boolean; keepsUnits?: boolean } = {},
): PrivateRequest {
  const { intercept = true, penalty = 0, aggregate = 'mean' } = options;
  refuseUnprotected(options);
  requireSmallDelta(options, rows);
  refuseMoments(options, canReread);
  const set = withRadius(options);
  const { scaling, loss, scaled, bounds } = scaledRequest(options, features, keepsUnits);
  requirePlannable(options, rows);
  const size = features.length + (intercept ? 1 : 0);
  const plan = planPrivate({
    ...planOptions(options),
    rows,
    loss: penalty > 0 ? ridge(scaled, penalty) : scaled,
    scaling,
    aggregate,
    mode: modeOf(options, canReread),
    ...(set && {
      set: {
        constraint: constraintOf(set, size),
        radius: set.kind === 'box' ? set.radius * Math.sqrt(size) : set.radius,
      },
    }),
  });
  return { loss, plan, set, bounds };
}

/** How rows are scaled by their declared bounds, and the loss before and after that. */
export function scaledRequest(
  options: Pick<PrivateRequestOptions, 'target' | 'bounds' | 'normBound' | 'intercept' | 'loss'>,
  features: readonly Column[],
  keepsUnits = false,
): Pick<PrivateRequest, 'loss' | 'bounds'> & { readonly scaling: Scaling; readonly scaled: Loss } {
  const { target, intercept = true } = options;
  const name = nameOf(options.loss);
  const ranges = boundsOf(options);
  const ofTarget = targetBounds(target, name, ranges);
  const scaling = scalingOf({
    features: features.length,
    bounds: featureBounds(options, features, ranges),
    target: ofTarget,
    intercept,
    scalesTarget: name !== 'logistic' && name !== 'poisson' && !keepsUnits,
    names: features.map(feature => feature.name),
  });
  const loss = lossOf(options.loss, scaling);
  requireTargets(target, loss, ofTarget);
  return { scaling, loss, scaled: inScale(loss, scaling).loss, bounds: { ...ranges, [target]: ofTarget } };
}

const planOptions = (options: PrivateRequestOptions): Omit<PrivateOptions, 'rows' | 'loss' | 'scaling'> => ({
  method: 'auto',
  calibration: 'auto',
  acceptLargeDelta: false,
  epsilon: options.epsilon,
  delta: options.delta,
  ...given(options, planOptionNames()),
  ...given({ unitRows: options.maxPerUnit, momentum: options.momentum }),
});

/** Options that the planner takes as they are given. */
const planOptionNames = () =>
  wordsOf(
    'acceptLargeDelta blocks calibration clip failureProbability method moments rowLength schedule steps stepSize',
    'tail',
  ) satisfies readonly (keyof PrivateOptions)[];

/** A schedule sets the sizes of fresh chunks, and a stream passes once. */
function modeOf({ mode = 'auto', schedule }: PrivateRequestOptions, canReread: boolean) {
  const asked = schedule === undefined ? mode : 'fresh';
  return !canReread && asked === 'auto' ? 'fresh' : asked;
}

/**
 * For scaled coefficients: twice the norm that plans expect; for Poisson once, because its gradients grow as
 * e^(D ||x||).
 */
const USUAL_RADIUS = 2;
const USUAL_RADIUS_OF_COUNTS = 1;

/** Fills in a radius where a ball is asked for without one; `privateWarnings` tells the user. */
export function withRadius({ set, loss }: Pick<PrivateRequestOptions, 'set' | 'loss'>): CoefficientSet | undefined {
  if (set === undefined) return undefined;
  if (set.radius !== undefined) return { kind: set.kind, radius: set.radius };
  if (set.kind !== 'l2')
    throw new ArgumentError(`\`set: '${set.kind}'\` needs \`radius\``, 'ERR_ARGUMENT', {
      argument: 'set',
      value: set.kind,
    });
  return { kind: 'l2', radius: nameOf(loss) === 'poisson' ? USUAL_RADIUS_OF_COUNTS : USUAL_RADIUS };
}

/** Refuses what a private run must not do, before anything is read. */
function refuseUnprotected(options: PrivateRequestOptions): void {
  const { unit, maxPerUnit, calibration, aggregate, mode, schedule, loss, set, stepSize, clip } = options;
  const conflict = (names: string, problem: string): never => {
    throw new ArgumentError(problem, 'ERR_CONFLICT', { arguments: names.split(' ') });
  };
  if (!(options.delta > 0))
    refuse('`delta`', 'be a number above 0', options.delta, '1e-6 is usual, and it must be below 1/n');
  if ((unit === undefined) !== (maxPerUnit === undefined))
    conflict('unit maxPerUnit', "`unit` and `maxPerUnit` go together: `unit: 'person', maxPerUnit: 5`");
  if (nameOf(loss) === 'poisson' && set === undefined && stepSize === undefined && clip !== undefined)
    conflict(
      'loss stepSize set',
      "`loss: 'poisson'` has unbounded curvature, so no step size can be derived; give `stepSize`, or `set: 'l2'`",
    );
  if (calibration === 'paper' && aggregate === 'median-of-means')
    conflict(
      'calibration aggregate',
      "`calibration: 'paper'` is for means; give `calibration: 'exact'` or parallel, or `aggregate: 'mean'`",
    );
  if (calibration === 'paper' && unit !== undefined)
    conflict(
      'calibration unit',
      "`calibration: 'paper'` protects single rows; give `calibration: 'exact'` or parallel with `unit`",
    );
  if (calibration === 'exact' && mode === 'fresh')
    conflict(
      'calibration mode',
      "`calibration: 'exact'` goes with `mode: 'full'`; for `mode: 'fresh'` use `calibration: 'parallel'`",
    );
  if (calibration === 'exact' && schedule !== undefined)
    conflict(
      'calibration schedule',
      `\`calibration: 'exact'\` goes with steps over all rows, for which \`schedule: '${schedule}'\` has no meaning; leave one of them out`,
    );
  if (calibration === 'parallel' && mode === 'full')
    conflict(
      'calibration mode',
      "`calibration: 'parallel'` goes with `mode: 'fresh'`; for `mode: 'full'` use `calibration: 'exact'`",
    );
}

/** Refuses what does not go with second moments that were asked for. */
function refuseMoments(options: PrivateRequestOptions, canReread: boolean): void {
  if (options.moments !== 'yes') return;
  const { set, clip, rowLength, stepSize, penalty, aggregate, mode, schedule, calibration, method } = options;
  const others: readonly (readonly [name: string, isGiven: boolean, shown: string])[] = [
    ['set', set !== undefined, `\`set: '${set?.kind}'\``],
    ['clip', clip !== undefined, `\`clip: ${clip}\``],
    ['rowLength', rowLength !== undefined, `\`rowLength: ${rowLength}\``],
    ['stepSize', stepSize !== undefined, `\`stepSize: ${stepSize}\``],
    ['penalty', penalty !== undefined, `\`penalty: ${penalty}\``],
    ['aggregate', aggregate === 'median-of-means', "`aggregate: 'median-of-means'`"],
    ['mode', mode === 'fresh', "`mode: 'fresh'`"],
    ['schedule', schedule !== undefined, `\`schedule: '${schedule}'\``],
    ['source', !canReread, 'a stream, which is read once'],
    ['calibration', !['auto', 'exact'].includes(calibration ?? 'auto'), `\`calibration: '${calibration}'\``],
    ['method', method?.endsWith('frank-wolfe') ?? false, `\`method: '${method}'\``],
  ];
  const other = others.find(([, isGiven]) => isGiven);
  if (other === undefined) return;
  throw new ArgumentError(`\`moments: 'yes'\` does not go with ${other[2]}; leave one of them out`, 'ERR_CONFLICT', {
    arguments: ['moments', other[0]],
  });
}

function requireSmallDelta({ delta, acceptLargeDelta }: PrivateRequestOptions, rows: number): void {
  const share = 1 / rows;
  if (delta < share || acceptLargeDelta) return;
  refuse(
    '`delta`',
    `be below 1/n = ${share}`,
    delta,
    'so large a delta would allow publishing a whole row now and then; give a smaller one, or `acceptLargeDelta`',
  );
}

/** What the planner would refuse later, and less plainly. */
function requirePlannable(options: PrivateRequestOptions, rows: number): void {
  const { epsilon, calibration, tail, steps, blocks = 1 } = options;
  requireBlocks(options, { blocks, rows, schedule: null });
  if (calibration === 'paper' && epsilon > LARGEST_PAPER_EPSILON)
    refuse(
      '`epsilon`',
      `be at most ${LARGEST_PAPER_EPSILON} for \`calibration: 'paper'\``,
      epsilon,
      "give a smaller one, or `calibration: 'exact'` or parallel",
    );
  const most = steps ?? MOST_PRIVATE_STEPS;
  if (tail !== undefined && tail > most)
    refuse(
      '`tail`',
      `be at most ${most}, ${steps === undefined ? 'the most steps that a private run takes by itself' : 'the number of `steps`'}`,
      tail,
      'give a smaller one, or more `steps`',
    );
}

/** Of the loss in words; `auto` is `pseudo-huber`. */
function nameOf(loss: PrivateRequestOptions['loss']): string {
  return loss === undefined || loss === 'auto' ? 'pseudo-huber' : namedLossOf(loss).name;
}

/** Without a parameter, the transition is at this share of the target's scale. */
const USUAL_TRANSITION = 0.2;

function lossOf(asked: PrivateRequestOptions['loss'], { target }: Scaling): NamedLoss {
  if (asked === undefined || asked === 'auto' || asked === 'pseudo-huber')
    return lossByName('pseudo-huber', { parameter: USUAL_TRANSITION * target.scale });
  const loss = namedLossOf(asked);
  if (loss.name === 'geman-mcclure' || loss.name === 'tukey')
    throw new ArgumentError(
      `\`loss: '${loss.name}'\` needs a start near the solution, which a private run does not have; use \`loss: 'pseudo-huber'\``,
      'ERR_ARGUMENT',
      { argument: 'loss', value: loss.name },
    );
  if (!PRIVATE_LOSSES.includes(loss.name))
    refuse(
      '`loss`',
      `be one of ${PRIVATE_LOSSES.join(', ')} in a private run`,
      loss.name,
      'for another one, the bound of its gradients has to be proved: compose planPrivate and fitPrivate by hand',
    );
  return loss;
}

const PRIVATE_LOSSES: readonly string[] = [
  'squared',
  'logistic',
  'poisson',
  'pseudo-huber',
] satisfies readonly LossName[];

const inScale = (loss: NamedLoss, { target }: Scaling): NamedLoss =>
  loss.parameter === undefined ? loss : lossByName(loss.name, { parameter: loss.parameter / target.scale });

/** Bounds are declared, so checking them against the loss reveals nothing about the data. */
function requireTargets(target: string, { name, loss }: NamedLoss, bounds: Interval): void {
  const { least, most } = loss.targets;
  if (bounds.least >= least && bounds.most <= most) return;
  throw new ArgumentError(
    `\`loss: '${name}'\` takes targets in ${least}..${most === Infinity ? '' : most}, but \`bounds\` declares ${target}:${bounds.least}..${bounds.most}; declare the range that ${target} can have, or choose another \`loss\``,
    'ERR_CONFLICT',
    { arguments: ['loss', 'bounds'], column: target },
  );
}

/** The declared ranges as intervals. */
export const boundsOf = ({ bounds = {} }: Pick<PrivateRequestOptions, 'bounds'>): Readonly<Record<string, Interval>> =>
  Object.fromEntries(Object.entries(bounds).map(([name, [least, most]]) => [name, { least, most }]));

/** An own property only: a column may be called toString. */
const own = <T>(record: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;

function targetBounds(target: string, loss: string, declared: Readonly<Record<string, Interval>>): Interval {
  const found = own(declared, target);
  if (found !== undefined) return found;
  if (loss === 'logistic') return { least: 0, most: 1 };
  throw new ArgumentError(
    `\`bounds\` must include the target ${JSON.stringify(target)}: add ${target}:LEAST..MOST, from public knowledge and not from the data`,
    'ERR_ARGUMENT',
    { argument: 'bounds', column: target },
  );
}

function featureBounds(
  { normBound, target }: Pick<PrivateRequestOptions, 'normBound' | 'target'>,
  features: readonly Column[],
  declared: Readonly<Record<string, Interval>>,
): Parameters<typeof scalingOf>[0]['bounds'] {
  if (normBound !== undefined) {
    const ranges = Object.keys(declared).filter(name => name !== target);
    if (ranges.length === 0) return { norm: normBound };
    throw new ArgumentError(
      `\`normBound: ${normBound}\` takes the place of ranges for the features, but \`bounds\` has ranges for ${ranges.join(', ')}; leave \`normBound\` out, or keep only ${target} in \`bounds\` and name the features with \`features\``,
      'ERR_CONFLICT',
      { arguments: ['normBound', 'bounds'], columns: ranges },
    );
  }
  const undeclared: string[] = [];
  const intervals = features.map(({ name, level, field }): FeatureInterval => {
    if (level !== undefined) return { least: 0, most: 1, levelOf: String(field) };
    // An element of a vector has the bounds of the vector.
    const found = own(declared, name) ?? own(declared, name.replace(ELEMENT, ''));
    if (found === undefined) undeclared.push(name);
    return found ?? { least: 0, most: 1 };
  });
  if (undeclared.length === 0) return { intervals };
  throw new ArgumentError(
    `\`bounds\` must include every feature, but lacks ${undeclared.join(', ')}: add ${undeclared[0]}:LEAST..MOST, from public knowledge and not from the data, or give \`normBound\` for ||x||_2; a text column has levels instead: ${levelsOption(undeclared[0]!)}`,
    'ERR_ARGUMENT',
    { argument: 'bounds', columns: undeclared },
  );
}

/** An element of a vector column: v[3]. */
const ELEMENT = /\[\d+\]$/;

/** The features by name: those asked for, or else those with bounds or levels; never chosen by what a file holds. */
export function declaredFeatures(
  options: Pick<PrivateRequestOptions, 'target' | 'unit' | 'features' | 'bounds' | 'categorical' | 'normBound'>,
): readonly string[] {
  const { target, unit, features, bounds = {}, categorical = {}, normBound } = options;
  const found =
    features ??
    [...new Set([...Object.keys(bounds), ...Object.keys(categorical)])].filter(
      name => name !== target && name !== unit,
    );
  if (unit !== undefined && found.includes(unit))
    throw new ArgumentError(
      `\`features\` names ${JSON.stringify(unit)}, which is the \`unit\` and cannot be a feature too; leave one of them out`,
      'ERR_CONFLICT',
      { arguments: ['features', 'unit'], column: unit },
    );
  if (found.length > 0) return found;
  const known = own(bounds, target);
  const example = `\`bounds: { x1: [-1, 1], ${target}: [${known?.[0] ?? 0}, ${known?.[1] ?? 10}] }\``;
  throw new ArgumentError(
    known === undefined
      ? `a private run does not choose features by looking at the data; name them with \`features\`, or declare bounds for them and the target, from public knowledge and not from the data: ${example}`
      : `\`bounds\` has the target ${target} but no feature, and a private run does not choose features by looking at the data; ${normBound === undefined ? `add bounds for the features, from public knowledge and not from the data: ${example}` : 'name the features that `normBound` is for with `features`'}`,
    'ERR_ARGUMENT',
    { argument: known === undefined ? 'features' : 'bounds' },
  );
}

/** Above this epsilon the guarantee is nominal. */
const LARGEST_TELLING = 10;

/** What should be said of a request that is carried out anyway; it depends on options alone, never on the data. */
export function privateWarnings(options: PrivateRequestOptions): readonly string[] {
  return [...aboutEpsilon(options), ...aboutClasses(options), ...aboutRadius(options), ...aboutLevels(options)];
}

const aboutEpsilon = ({ epsilon }: PrivateRequestOptions): readonly string[] =>
  epsilon > LARGEST_TELLING
    ? [
        `\`epsilon: ${epsilon}\` guarantees almost nothing: any result may be e^${epsilon} times as likely with a person in the data as with another in their place; 1 or less protects well, 3 is a compromise`,
      ]
    : [];

/** Declared bounds of 0 and 1 suggest classes or shares; only the user who declared them knows which they are. */
function aboutClasses({ target, loss, bounds = {} }: PrivateRequestOptions): readonly string[] {
  if (nameOf(loss) !== 'pseudo-huber') return [];
  const [least, most] = own(bounds, target) ?? [];
  if (least !== 0 || most !== 1) return [];
  return [
    `${target} is declared as 0..1: if it is a class, 0 or 1, the pseudo-huber loss does not estimate a mean, and its coefficients are not differences of shares; use \`loss: 'logistic'\`. If it is a share, \`loss: 'squared'\` estimates its mean`,
  ];
}

function aboutRadius(options: PrivateRequestOptions): readonly string[] {
  const { set } = options;
  if (set === undefined || set.radius !== undefined) return [];
  const loss = nameOf(options.loss);
  const noise = loss === 'squared' || loss === 'poisson' ? `noise for the ${loss} loss grows with it, and ` : '';
  return [
    `\`radius\` is not given, so scaled coefficients are constrained to norm ${withRadius(options)!.radius} (\`set: '${set.kind}'\`): ${noise}larger coefficients end up on the boundary`,
  ];
}

/** The declared levels do not show whether one was left out; a single declared level implies that there are others. */
function aboutLevels({ intercept = true, categorical = {} }: PrivateRequestOptions): readonly string[] {
  if (!intercept) return [];
  return Object.entries(categorical)
    .filter(([, names]) => names.length > 1)
    .map(
      ([column, names]) =>
        `if every row has one of the ${names.length} levels declared for ${column}, they are collinear with the intercept, and only differences between levels are meaningful: leave one of them out, or give \`intercept: false\`. If there are other levels, the coefficients are differences from those, and nothing needs to change`,
    );
}
