/**
 * The ways in which a private plan may go about its rows, from what is declared: as their bounds scale them, or in the
 * coordinates of their second moments. Each has a bound on the gradient of a row, which noise follows from, a step, and
 * rules that may do; how many steps, and which of them, `privateDesign.ts` weighs.
 */
import { blockCount } from '../../aggregate/blockCount.ts';
import { type Constraint, rounding } from '../../constraint/constraint.ts';
import type { Loss } from '../../loss/loss.ts';
import { weighedLogistic } from '../../loss/weighedLogistic.ts';
import {
  ArgumentError,
  refuse,
  requireChoice,
  requireInteger,
  requirePositive,
  requireProbability,
} from '../../math/check.ts';
import { inCode } from '../../math/inCode.ts';
import type { IntegerNoise } from '../../privacy/integerNoise.ts';
import { integerRelease } from '../../privacy/integerRelease.ts';
import { frankWolfe } from '../../rule/frankWolfe.ts';
import { METHODS, type Method } from '../../rule/methods.ts';
import { type Momentum, nesterov } from '../../rule/nesterov.ts';
import { projectedGradient } from '../../rule/projectedGradient.ts';
import type { UpdateRule } from '../../rule/updateRule.ts';
import { type Scaling, scaledTarget } from '../../sample/scaling.ts';
import type { Calibration, Plan } from '../plan.ts';
import { boundedLoss } from './boundedLoss.ts';
import { type PrivateModel, privateModel, SPREADS } from './privateModel.ts';
import { momentNorm, TARGET_UNITS, typicalCurvature, whitenedModel } from './whitenedModel.ts';

export interface PrivateOptions {
  readonly rows: number;
  /**
   * Of scaled rows. For `logistic` a plan has `weighedLogistic`, where nothing forbids weights; for `squared` and
   * `poisson` a `boundedLoss`, where neither a set nor a clip bounds their gradients.
   */
  readonly loss: Loss;
  readonly scaling: Scaling;
  readonly epsilon: number;
  readonly delta: number;
  readonly acceptLargeDelta?: boolean;
  /** Bounds the norm of a row's gradient, instead of what loss, bounds and radius give. */
  readonly clip?: number;
  /**
   * Scaled rows that are longer count less (`sample/scaling.ts`); that of the model unless given, Infinity for no such
   * weights.
   */
  readonly rowLength?: number;
  /**
   * Whether second moments are released first and steps taken in their coordinates (`whitenedModel.ts`); by predicted
   * error unless given.
   */
  readonly moments?: 'auto' | 'yes' | 'no';
  /** A set for all coefficients of scaled rows, the intercept among them, and the largest norm in it. */
  readonly set?: { readonly constraint: Constraint; readonly radius: number };
  readonly method?: Method;
  readonly stepSize?: number;
  readonly momentum?: Momentum;
  readonly steps?: number;
  readonly mode?: Plan['mode'] | 'auto';
  readonly schedule?: 'uniform' | 'geometric';
  /** How many of the last iterates are averaged; where `steps` are given, 1 unless this is too. */
  readonly tail?: number;
  readonly calibration?: Calibration | 'auto';
  readonly aggregate?: 'mean' | 'median-of-means';
  readonly blocks?: number;
  readonly failureProbability?: number;
  /** How many rows one unit, such as a person, may have. */
  readonly unitRows?: number;
}

export interface MomentPlan {
  /** That of the steps, on a grid of its own. */
  readonly noise: IntegerNoise;
  /**
   * What a row adds to the moments is held to this norm by its weight, its target in units of `targetUnit` beside them.
   */
  readonly norm: number;
  readonly targetUnit: number;
  /** Whitened rows that are longer count less in the steps. */
  readonly whitenedLength: number;
  /** What the model expects of whitened rows, along a direction that noise does not hide. */
  readonly curvature: number;
}

/** The release behind the last step: how the risk curves there (`lookSummer`). */
export interface LookPlan {
  /** That of the steps, on a grid of its own. */
  readonly noise: IntegerNoise;
  /** What a row adds is held to this norm. */
  readonly norm: number;
  /** The loss's largest curvature, and the largest norm of a row's gradient: the units of what is looked at. */
  readonly bend: number;
  readonly lipschitz: number;
}

export const MOST_PRIVATE_STEPS = 300;
export const DEFAULT_STEPS = 10;
/**
 * What is larger, of rows scaled to [-1, 1], is no bound but a place where doubles end: e^30 for Poisson without a
 * radius.
 */
const LARGEST_BOUND = 1e9;

/** A rule, and what the model knows of it. */
export interface Descent {
  readonly rule: UpdateRule;
  /** Null where the rule is none that the model describes. */
  readonly modelMomentum: number | null;
}

/** Options that were checked, and what follows from them for one way to go about the rows. */
export interface Approach extends PrivateOptions {
  readonly size: number;
  readonly model: PrivateModel;
  readonly lipschitz: number;
  readonly stepSize: number;
  /** Those that may do. */
  readonly descents: readonly Descent[];
  readonly blocks: number;
  readonly unitRows: number;
  readonly isWhitened: boolean;
}

/** What is misspelt would otherwise be taken for another choice, second moments released among them. */
function requireChoices(options: PrivateOptions): void {
  const { moments = 'auto', method = 'auto', mode = 'auto', calibration = 'auto' } = options;
  const { schedule = 'geometric' } = options;
  requireChoice('moments', moments, ['auto', 'yes', 'no']);
  requireChoice('method', method, METHODS);
  requireChoice('mode', mode, ['auto', 'full', 'fresh']);
  requireChoice('schedule', schedule, ['uniform', 'geometric']);
  requireChoice('calibration', calibration, ['auto', 'exact', 'parallel', 'paper']);
  requireChoice('aggregate', options.aggregate ?? 'mean', ['mean', 'median-of-means']);
}

/** What would be passed over without a word. */
function requireTogether(options: PrivateOptions): void {
  const { method = 'auto', mode = 'auto', calibration = 'auto', aggregate = 'mean', set } = options;
  const refuseBeside = (name: string, other: string, wayOut: string): never => {
    throw new ArgumentError(`${name} does nothing beside ${other}; ${wayOut}`);
  };
  if (options.blocks !== undefined) {
    requireInteger('blocks', options.blocks, 1);
    if (aggregate === 'mean')
      refuseBeside('blocks', "`aggregate: 'mean'`", "leave it out, or use `aggregate: 'median-of-means'`");
  }
  if (options.momentum !== undefined) {
    const wayOut = "leave it out, or use `method: 'nesterov'`";
    if (method !== 'auto' && method !== 'nesterov')
      refuseBeside('momentum', `\`method: ${inCode(method)}\``, wayOut);
    if (set !== undefined) refuseBeside('momentum', 'a set', 'leave one of them out');
  }
  if (options.schedule !== undefined && (mode === 'full' || calibration === 'exact'))
    refuseBeside('schedule', 'steps over all rows', "leave it out, or use `mode: 'fresh'`");
  if (set === undefined) return;
  requirePositive('set.radius', set.radius);
  const half = set.constraint.diameter / 2;
  if (!(set.radius >= (1 - rounding) * half)) {
    refuse(
      'set.radius',
      `be the largest norm in the set, which is at least ${half}, half of its diameter`,
      set.radius,
    );
  }
}

function checkedOptions(options: PrivateOptions): Approach {
  const { rows, loss, scaling, epsilon, delta, set, aggregate = 'mean', failureProbability = 0.05 } = options;
  requireInteger('rows', rows, 1);
  requirePositive('epsilon', epsilon);
  requireProbability('delta', delta);
  requireProbability('failureProbability', failureProbability);
  if (options.steps !== undefined) requireInteger('steps', options.steps, 1);
  if (options.tail !== undefined)
    requireInteger('tail', options.tail, 1, options.steps ?? MOST_PRIVATE_STEPS);
  if (delta >= 1 / rows && !options.acceptLargeDelta) {
    refuse(
      'delta',
      `be below 1/n = ${1 / rows}: a mechanism that publishes one row in ${Math.ceil(1 / delta)} would pass`,
      delta,
      'use a smaller delta, or accept a large one explicitly',
    );
  }
  const rowLength = rowLengthOf(options);
  const model = privateModel(loss, scaling, {
    radius: set?.radius ?? Infinity,
    ...(rowLength !== undefined && { rowLength }),
  });
  const lipschitz = options.clip === undefined ? model.lipschitz : requirePositive('clip', options.clip);
  if (!(lipschitz < LARGEST_BOUND)) {
    throw new ArgumentError(
      `the gradient of ${loss.name} has no useful bound on these rows, so no noise makes it private; give a radius, or clip gradients`,
    );
  }
  if (aggregate === 'median-of-means' && options.calibration === 'paper') {
    refuse(
      'aggregate',
      'be "mean" for `calibration: \'paper\'`',
      aggregate,
      "use `calibration: 'exact'` or `calibration: 'parallel'`",
    );
  }
  const blocks =
    aggregate === 'mean'
      ? 1
      : (options.blocks ?? blockCount(failureProbability / (options.steps ?? DEFAULT_STEPS)));
  return {
    ...options,
    ...descentsOf(
      options,
      model.largestCurvature,
      SPREADS.map(spread => Math.min(...model.curvatures(spread))),
    ),
    aggregate,
    size: scaling.features.length + (scaling.intercept ? 1 : 0),
    model,
    lipschitz,
    blocks: requireInteger('blocks', blocks, 1),
    unitRows: requireInteger('unitRows', options.unitRows ?? 1, 1),
    isWhitened: false,
  };
}

/**
 * More features have so many second moments that their noise hides them, or that summing takes longer than the steps
 * they save.
 */
const MOST_WHITENED = 50;

/** The rows as they are scaled, in the coordinates of their second moments, or both for comparison. */
export function approachesOf(asked: PrivateOptions): readonly Approach[] {
  requireChoices(asked);
  requireTogether(asked);
  const options = { ...asked, loss: lossOf(asked) };
  const checked = checkedOptions(options);
  const { moments = 'auto', method = 'auto', mode = 'auto', calibration = 'auto', scaling, loss } = options;
  const hindrance = [
    [options.set !== undefined, 'a set'],
    [options.clip !== undefined, 'a clip'],
    [options.rowLength !== undefined, 'a rowLength'],
    [options.stepSize !== undefined, 'a stepSize'],
    [loss.penalty > 0, 'a penalty'],
    [checked.blocks > 1, 'blocks'],
    [mode === 'fresh' || calibration === 'parallel', 'fresh chunks'],
    [calibration === 'paper', "`calibration: 'paper'`"],
    [method.endsWith('frank-wolfe'), `\`method: ${inCode(method)}\``],
    [scaling.features.length > MOST_WHITENED, `more than ${MOST_WHITENED} features`],
  ].find(([hinders]) => hinders);
  if (moments === 'no' || (moments === 'auto' && hindrance !== undefined)) return [checked];
  if (hindrance === undefined) return [...(moments === 'auto' ? [checked] : []), whitened(options, checked)];
  throw new ArgumentError(`\`moments: 'yes'\` goes without ${hindrance[1]}; leave one of them out`);
}

/** Directions that noise hides to a part curve less; how many there are the rows will tell. */
const SEEN = [1, 1 / 2, 1 / 5];
/** So do classes of which one is rare, and counts far below the largest. */
const SEEN_OF_RATES = [1 / 2, 1 / 8, 1 / 32];

function whitened(options: PrivateOptions, checked: Approach): Approach {
  const model = whitenedModel(checked.model, checked.scaling.features.length, 0);
  const seen = options.loss.targets.least === 0 ? SEEN_OF_RATES : SEEN;
  const leasts = seen.map(share => share * typicalCurvature(model));
  const descents = descentsOf(options, model.largestCurvature, leasts);
  return { ...checked, ...descents, model, lipschitz: model.lipschitz, isWhitened: true };
}

export const momentPlan = ({ model, scaling }: Approach, noise: IntegerNoise): MomentPlan => {
  const features = scaling.features.length;
  const norm = momentNorm(model, features);
  return Object.freeze({
    noise: Object.freeze({ ...noise, grid: norm / Math.sqrt(noise.squaredNorm) }),
    norm,
    targetUnit: TARGET_UNITS * scaledTarget(scaling),
    whitenedLength: whitenedModel(model, features, 0).rowLength,
    curvature: typicalCurvature(model),
  });
};

/**
 * Of rows that vary by 1 in every direction, as normal numbers do, count half, and curve as much as they can: others
 * are shorter.
 */
export const lookPlan = ({ model, size, lipschitz }: Approach, noise: IntegerNoise): LookPlan => {
  const norm = Math.sqrt(3 * size + 5) / 2;
  return Object.freeze({
    noise: Object.freeze({ ...noise, grid: norm / Math.sqrt(noise.squaredNorm) }),
    norm,
    bend: model.bend,
    lipschitz,
  });
};

/** What the model says once the noise of second moments is known. */
export function modelOf(checked: Approach, noise: IntegerNoise): PrivateModel {
  if (!checked.isWhitened) return checked.model;
  const moments = momentPlan(checked, noise).noise;
  const { sigma } = integerRelease(moments, { chunk: 'all', rowsPerBlock: checked.rows });
  return whitenedModel(checked.model, checked.scaling.features.length, sigma);
}

/** The paper has no weights, and a penalty is meant for rows that all count as one. */
const countsAlike = ({ calibration, loss }: PrivateOptions): boolean =>
  calibration === 'paper' || loss.penalty > 0;

function rowLengthOf(options: PrivateOptions): number | undefined {
  return options.rowLength ?? (countsAlike(options) ? Infinity : undefined);
}

/**
 * Logistic regression is weighed by scores, which halves the noise; but not where rows are to count alike, as for a
 * theorem about that loss. No loss changes beside a clip, which noise follows from instead.
 */
function lossOf(options: PrivateOptions): Loss {
  const { loss, rowLength, clip, set, scaling } = options;
  if (clip !== undefined) return loss;
  if (loss.kernel?.kind === 'logistic')
    return countsAlike(options) || rowLength === Infinity ? loss : weighedLogistic();
  return set === undefined ? boundedLoss(loss, scaling) : loss;
}

function descentsOf(
  { method = 'auto', set, stepSize: given, momentum, loss }: PrivateOptions,
  largestCurvature: number,
  leastCurvatures: readonly number[],
): Pick<Approach, 'stepSize' | 'descents'> {
  const only = (rule: UpdateRule, stepSize: number, modelMomentum: number | null) => ({
    stepSize,
    descents: [{ rule, modelMomentum }],
  });
  if (method === 'frank-wolfe' || method === 'accelerated-frank-wolfe') {
    if (set === undefined)
      throw new ArgumentError(`method ${method} needs a bounded set; give one and its radius`);
    if (method === 'frank-wolfe') {
      return only(frankWolfe({ constraint: set.constraint }), 0, null);
    }
    if (given === undefined)
      throw new ArgumentError(`method ${method} needs its constant step; give stepSize`);
    const rule = { ...frankWolfe({ constraint: set.constraint, stepSize: given }), name: method };
    return only(rule, given, null);
  }
  const isBounded = largestCurvature < LARGEST_BOUND;
  if (given === undefined && !isBounded) {
    throw new ArgumentError(
      `the curvature of ${loss.name} has no useful bound on these rows, so no step follows from it; give stepSize, or a set with its radius`,
    );
  }
  const stepSize = requirePositive('stepSize', given ?? 1 / largestCurvature);
  if (set !== undefined) {
    if (method === 'nesterov')
      throw new ArgumentError('method nesterov works over all of R^p; leave the set out');
    return only(projectedGradient({ stepSize, constraint: set.constraint }), stepSize, 0);
  }
  if (method === 'gradient') return only(projectedGradient({ stepSize }), stepSize, isBounded ? 0 : null);
  // Of a loss that curves without a bound the model knows nothing.
  if (!isBounded) return only(nesterov({ stepSize, momentum: momentum ?? 0 }), stepSize, null);
  const momentumFor = (curvature: number): number => {
    const condition = Math.sqrt(1 / (stepSize * curvature));
    return Math.max(0, (condition - 1) / (condition + 1));
  };
  const pushes = momentum === undefined ? new Set(leastCurvatures.map(momentumFor)) : [momentum];
  return {
    stepSize,
    descents: [...pushes].map(push => ({
      rule: nesterov({ stepSize, momentum: push }),
      modelMomentum: push === 'increasing' ? 0.5 : push,
    })),
  };
}
