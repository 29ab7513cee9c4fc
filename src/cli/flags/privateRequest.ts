/** Translates the flags of a private `fit`, `plan` or `audit` into a plan; reads no data. */
import {
  ArgumentError,
  type DesignColumn,
  type FeatureInterval,
  type Interval,
  LARGEST_PAPER_EPSILON,
  lossByName,
  MOST_PRIVATE_STEPS,
  type Model,
  type NamedLoss,
  type PrivateOptions,
  type PrivatePlan,
  planPrivate,
  ridge,
  type Scaling,
  scalingOf,
} from '../../index.ts';
import { boundsOf, parseBounds } from './bounds.ts';
import type { FitFlags } from './fitFlags.ts';
import { type FitRequest, fitRequest, modeOf } from './fitRequest.ts';
import { lossFlag } from './lossFlag.ts';
import { levels, names, optional, positive, wholeNumber } from './parse.ts';
import { refuseMoments, refuseUnprotected } from './refuseUnprotected.ts';
import { requireBlocks } from './requireBlocks.ts';
import { requireNames } from './requireNames.ts';

export const isPrivate = ({ epsilon }: FitFlags): boolean => epsilon !== undefined;

/** Flags that mean nothing without --epsilon. */
const PRIVATE_FLAGS = {
  delta: '--delta',
  bounds: '--bounds',
  normBound: '--norm-bound',
  clip: '--clip',
  tail: '--tail',
  rowLength: '--row-length',
  moments: '--moments',
  calibration: '--calibration',
  ledger: '--ledger',
  dataset: '--dataset',
  budget: '--budget',
  unit: '--unit',
  maxPerUnit: '--max-per-unit',
  acceptLargeDelta: '--accept-large-delta',
  seed: '--seed',
} as const;

export function refusePrivateFlags(flags: FitFlags): void {
  for (const [key, flag] of Object.entries(PRIVATE_FLAGS)) {
    if (flags[key as keyof FitFlags] !== undefined)
      throw new ArgumentError(`${flag} is for private runs; give --epsilon too, or leave it out`);
  }
}

export interface PrivateRequest {
  readonly request: FitRequest;
  /** As given by the user, in the units of the data. */
  readonly loss: NamedLoss;
  readonly scaling: Scaling;
  readonly plan: PrivatePlan;
  readonly bounds: Readonly<Record<string, Interval>>;
  /** Where a theorem prescribed the plan. */
  readonly theorem?: NonNullable<Model['plan']['theorem']>;
}

/** The plan for `rows` rows of these features. `rereadable` is false for a stream, which can be read once. */
export function privateRequest(
  asked: FitFlags,
  rows: number,
  features: readonly Pick<DesignColumn, 'name' | 'level' | 'field'>[],
  rereadable = true,
): PrivateRequest {
  refuseUnprotected(asked);
  requireSmallDelta(asked, rows);
  const flags = withRadius(asked);
  refuseMoments(flags, rereadable);
  const request = fitRequest({ ...flags, loss: 'auto', aggregate: flags.aggregate ?? 'mean' });
  const declared = flags.bounds === undefined ? {} : parseBounds(flags.bounds);
  const target = targetBounds(flags, declared);
  const scaling = scalingOf({
    features: features.length,
    bounds: featureBounds(flags, features, declared),
    target,
    intercept: flags.intercept,
    // A theorem is stated for targets in their original units.
    scalesTarget: !isCount(flags.loss) && flags.theorem === undefined,
    names: features.map(({ name }) => name),
  });
  const loss = lossOf(flags.loss, scaling);
  requirePlannable(flags, request, rows);
  requireTargets(flags, loss, target);
  const plan = planPrivate({
    rows,
    loss: penalized(inScale(loss, scaling), request),
    scaling,
    epsilon: positive('--epsilon', flags.epsilon!),
    delta: positive('--delta', flags.delta!),
    ...planOptions(flags, request, features.length + (flags.intercept ? 1 : 0), rereadable),
  });
  return { request, loss, scaling, plan, bounds: { ...declared, [flags.target]: target } };
}

/**
 * For scaled coefficients: twice the norm that plans expect; for Poisson once, because its gradients grow as
 * e^(D ||x||).
 */
const USUAL_RADIUS = '2';
const USUAL_RADIUS_OF_COUNTS = '1';

/** Fills in a radius where a ball is asked for without one; `warningsOf` tells the user. */
export function withRadius(flags: FitFlags): FitFlags {
  const { loss, set, radius, theorem } = flags;
  if (theorem !== undefined || radius !== undefined || set !== 'l2') return flags;
  return { ...flags, radius: loss === 'poisson' ? USUAL_RADIUS_OF_COUNTS : USUAL_RADIUS };
}

/** What the planner would refuse in the words of its own options. */
function requireSmallDelta({ delta, acceptLargeDelta }: FitFlags, rows: number): void {
  const share = 1 / rows;
  if (positive('--delta', delta!) < share || acceptLargeDelta) return;
  throw new ArgumentError(
    `--delta must be below 1/n = ${share}, got ${delta}: so large a delta would allow publishing a whole row now and then; give a smaller one, or --accept-large-delta`,
  );
}

/** Refuses blocks, a calibration or a tail that no private plan has, by the names of their flags. */
function requirePlannable(
  flags: FitFlags,
  { estimate: { blocks = 1, steps } }: FitRequest,
  rows: number,
): void {
  requireBlocks(flags, { blocks, rows, schedule: null });
  const { epsilon, calibration, tail } = flags;
  if (calibration === 'paper' && Number(epsilon) > LARGEST_PAPER_EPSILON) {
    throw new ArgumentError(
      `--epsilon must be at most ${LARGEST_PAPER_EPSILON} for --calibration paper, got ${epsilon}; give a smaller one, or --calibration exact or parallel`,
    );
  }
  const most = steps ?? MOST_PRIVATE_STEPS;
  if (tail !== undefined && wholeNumber('--tail', tail) > most) {
    throw new ArgumentError(
      `--tail must be at most ${most}, ${steps === undefined ? 'the most steps that a private run takes by itself' : 'the number of --steps'}, got ${tail}; give a smaller one, or more --steps`,
    );
  }
}

const isCount = (loss: string): boolean => loss === 'logistic' || loss === 'poisson';

function planOptions(
  flags: FitFlags,
  { constraint, estimate }: FitRequest,
  size: number,
  rereadable: boolean,
): Partial<PrivateOptions> {
  const { stepSize, momentum, steps, blocks, failureProbability } = estimate;
  const radius = optional('--radius', flags.radius, positive);
  const set = constraint && {
    constraint: constraint(size),
    radius: flags.set === 'box' ? radius! * Math.sqrt(size) : radius!,
  };
  const clip = optional('--clip', flags.clip, positive);
  const unitRows = optional('--max-per-unit', flags.maxPerUnit, wholeNumber);
  const tail = optional('--tail', flags.tail, wholeNumber);
  const rowLength =
    flags.rowLength === 'none' ? Infinity : optional('--row-length', flags.rowLength, positive);
  const asked = modeOf(flags);
  const mode = !rereadable && asked === 'auto' ? 'fresh' : asked;
  return {
    mode,
    method: flags.method,
    aggregate: flags.aggregate === 'median-of-means' ? 'median-of-means' : 'mean',
    calibration: flags.calibration ?? 'auto',
    acceptLargeDelta: flags.acceptLargeDelta === true,
    ...(flags.schedule !== undefined && { schedule: flags.schedule }),
    ...(failureProbability !== undefined && { failureProbability }),
    ...(set && { set }),
    ...(clip !== undefined && { clip }),
    ...(unitRows !== undefined && { unitRows }),
    ...(tail !== undefined && { tail }),
    ...(rowLength !== undefined && { rowLength }),
    ...(flags.moments !== undefined && { moments: flags.moments }),
    ...(stepSize !== undefined && { stepSize }),
    ...(momentum !== undefined && { momentum }),
    ...(steps !== undefined && { steps }),
    ...(blocks !== undefined && { blocks }),
  };
}

/** Without a q, the transition is at a fifth of the target's scale. */
const USUAL_TRANSITION = 0.2;

function lossOf(text: string, { target }: Scaling): NamedLoss {
  const { name, parameter = USUAL_TRANSITION * target.scale } = lossFlag(
    text === 'auto' ? 'pseudo-huber' : text,
  );
  if (name === 'geman-mcclure' || name === 'tukey') {
    throw new ArgumentError(
      `--loss ${name} needs a start near the solution, which a private run does not have; use pseudo-huber[:q]`,
    );
  }
  return lossByName(name, name === 'pseudo-huber' ? { parameter } : {});
}

const inScale = (loss: NamedLoss, { target }: Scaling): NamedLoss =>
  loss.parameter === undefined ? loss : lossByName(loss.name, { parameter: loss.parameter / target.scale });

/** Bounds are declared, so checking them against the loss reveals nothing about the data. */
function requireTargets({ target, loss: name }: FitFlags, { loss }: NamedLoss, bounds: Interval): void {
  const { least, most } = loss.targets;
  if (bounds.least >= least && bounds.most <= most) return;
  throw new ArgumentError(
    `--loss ${name} takes targets in ${least}..${most === Infinity ? '' : most}, but --bounds declares ${target}:${bounds.least}..${bounds.most}; declare the range that ${target} can have, or choose another --loss`,
  );
}

const penalized = ({ loss }: NamedLoss, { estimate: { penalty = 0 } }: FitRequest) =>
  penalty > 0 ? ridge(loss, penalty) : loss;

function targetBounds({ target, loss }: FitFlags, declared: Readonly<Record<string, Interval>>): Interval {
  const found = boundsOf(declared, target);
  if (found !== undefined) return found;
  if (loss === 'logistic') return { least: 0, most: 1 };
  throw new ArgumentError(
    `--bounds must include the target ${JSON.stringify(target)}: add ${target}:LEAST..MOST, from public knowledge and not from the data`,
  );
}

function featureBounds(
  { normBound, target }: FitFlags,
  features: readonly Pick<DesignColumn, 'name' | 'level' | 'field'>[],
  declared: Readonly<Record<string, Interval>>,
) {
  if (normBound !== undefined) {
    const ranges = Object.keys(declared).filter(name => name !== target);
    if (ranges.length === 0) return { norm: positive('--norm-bound', normBound) };
    throw new ArgumentError(
      `--norm-bound ${normBound} takes the place of ranges for the features, but --bounds has ranges for ${ranges.join(', ')}; leave --norm-bound out, or keep only ${target} in --bounds and name the features with --features`,
    );
  }
  const undeclared: string[] = [];
  const intervals = features.map(({ name, level, field }): FeatureInterval => {
    if (level !== undefined) return { least: 0, most: 1, levelOf: String(field) };
    // An element of a vector has the bounds of the vector.
    const found = boundsOf(declared, name) ?? boundsOf(declared, name.replace(ELEMENT, ''));
    if (found === undefined) undeclared.push(name);
    return found ?? { least: 0, most: 1 };
  });
  if (undeclared.length === 0) return { intervals };
  throw new ArgumentError(
    `--bounds must include every feature, but lacks ${undeclared.join(', ')}: add ${undeclared[0]}:LEAST..MOST, from public knowledge and not from the data, or give --norm-bound L for ||x||_2`,
  );
}

/** An element of a vector column: v[3]. */
const ELEMENT = /\[\d+\]$/;

/** The features by name: those asked for, or else those with bounds or levels; never chosen by what a file holds. */
export function declaredFeatures(flags: FitFlags): readonly string[] {
  requireNames(flags);
  const { bounds, target, unit } = flags;
  const declared = bounds === undefined ? {} : parseBounds(bounds);
  const found =
    optional('--features', flags.features, names) ??
    [...new Set([...Object.keys(declared), ...Object.keys(levels(flags.categorical ?? []))])].filter(
      name => name !== target && name !== unit,
    );
  if (found.length > 0) return found;
  const known = boundsOf(declared, target);
  const example = `--bounds 'x1:-1..1,${target}:${known?.least ?? 0}..${known?.most ?? 10}'`;
  throw new ArgumentError(
    known === undefined
      ? `a private run does not choose features by looking at the data; name them with --features, or declare bounds for them and the target, from public knowledge and not from the data: ${example}`
      : `--bounds has the target ${target} but no feature, and a private run does not choose features by looking at the data; ${flags.normBound === undefined ? `add bounds for the features, from public knowledge and not from the data: ${example}` : 'name the features that --norm-bound is for with --features'}`,
  );
}
