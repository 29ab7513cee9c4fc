import {
  ArgumentError,
  refuse,
  requireChoice,
  requireInteger,
  requirePositive,
  requireProbability,
} from '../../errors.ts';
import { blockCount } from '../../method/aggregate/blockCount.ts';
import { type Constraint, rounding } from '../../method/constraint/constraint.ts';
import type { Loss } from '../../method/loss/loss.ts';
import { weightedLogistic } from '../../method/loss/weightedLogistic.ts';
import { frankWolfe } from '../../method/rule/frankWolfe.ts';
import { type Momentum, nesterov } from '../../method/rule/nesterov.ts';
import { projectedGradient } from '../../method/rule/projectedGradient.ts';
import { METHODS, type Method, type UpdateRule } from '../../method/rule/updateRule.ts';
import { type IntegerNoise, integerRelease } from '../../privacy/integerNoise.ts';
import { type Scaling, scaledTarget } from '../../sample/transform/scaling.ts';
import { inCode } from '../../words.ts';
import type { Calibration, Plan } from '../plan.ts';
import { boundedLoss } from './boundedLoss.ts';
import {
  atResiduals,
  momentNorm,
  type PrivateModel,
  privateModel,
  SPREADS,
  TARGET_UNITS,
  typicalCurvature,
  whitenedModel,
} from './privateModel.ts';

/** What is declared for a private plan; the rest is chosen by the error that a model of the data predicts. */
export interface PrivateOptions {
  /** The declared number of rows. */
  readonly rows: number;
  /**
   * For scaled rows. For `logistic` a plan uses `weightedLogistic`, unless weights are ruled out; for `squared` and
   * `poisson` a `boundedLoss`, where neither a set nor a clip bounds their gradients.
   */
  readonly loss: Loss;
  /** The declared bounds, from `scalingOf`. */
  readonly scaling: Scaling;
  /** The epsilon of the guarantee. */
  readonly epsilon: number;
  /** The delta of the guarantee, below 1/n. */
  readonly delta: number;
  /** Accepts a delta of 1/n or more, with which a mechanism could publish whole rows. */
  readonly acceptLargeDelta?: boolean;
  /** Bounds the norm of a row's gradient, instead of the bound that loss, declared bounds and radius give. */
  readonly clip?: number;
  /**
   * Scaled rows of larger norm are down-weighted (`sample/scaling.ts`); the model's value unless given, Infinity for
   * none.
   */
  readonly rowLength?: number;
  /**
   * Whether second moments are released first and the steps taken in coordinates whitened by them
   * (`whitenedModel.ts`); by predicted error unless given.
   */
  readonly moments?: 'auto' | 'yes' | 'no';
  /** A set for all coefficients of scaled rows, including the intercept, and the largest norm in it. */
  readonly set?: { readonly constraint: Constraint; readonly radius: number };
  /** The update rule; by predicted error unless given. */
  readonly method?: Method;
  /** The length of a step per unit of gradient; 1 over the largest curvature unless given. */
  readonly stepSize?: number;
  /** For Nesterov's method; by predicted error unless given. */
  readonly momentum?: Momentum;
  /** The number of steps; by predicted error unless given. */
  readonly steps?: number;
  /** Steps over all rows, or over disjoint chunks; by predicted error unless given. */
  readonly mode?: Plan['mode'] | 'auto';
  /** Chunks of one size, or growing ones; by predicted error unless given. */
  readonly schedule?: 'uniform' | 'geometric';
  /** The number of last iterates that are averaged; where `steps` are given, 1 unless this is too. */
  readonly tail?: number;
  /** How the noise is calibrated; what goes with the mode unless given. */
  readonly calibration?: Calibration | 'auto';
  /** `mean` unless given. */
  readonly aggregate?: 'mean' | 'median-of-means';
  /** Blocks of the median of means. */
  readonly blocks?: number;
  /** From which the number of blocks follows. */
  readonly failureProbability?: number;
  /** The most rows that one unit, such as a person, may have. */
  readonly unitRows?: number;
}

/** The release of second moments before the first step, and the coordinates that follow from it. */
export interface MomentPlan {
  /** The noise of the steps, on a separate grid. */
  readonly noise: IntegerNoise;
  /**
   * A row's contribution to the moments, including its target in units of `targetUnit`, is held to this norm by its
   * weight.
   */
  readonly norm: number;
  /** The unit of targets in the moments. */
  readonly targetUnit: number;
  /** Whitened rows of larger norm are down-weighted in the steps. */
  readonly whitenedLength: number;
  /** The curvature that the model expects of whitened rows, along a direction that noise does not hide. */
  readonly curvature: number;
}

/** The release after the last step: the curvature of the risk there (`curvatureSummer`). */
export interface CurvaturePlan {
  /** The noise of the steps, on a separate grid. */
  readonly noise: IntegerNoise;
  /** A row's contribution is held to this norm. */
  readonly norm: number;
  /** The loss's largest curvature, and the largest norm of a row's gradient: the units of the release. */
  readonly bend: number;
  /** The largest norm of a row's gradient. */
  readonly lipschitz: number;
}

/**
 * The approaches open to a private plan, from what is declared: rows as their bounds scale them, or in coordinates
 * whitened by their second moments. Each has a bound on a row's gradient, which determines the noise, a step size, and
 * candidate rules; `privateCandidates.ts` chooses among the rules and the number of steps.
 */
export const MOST_PRIVATE_STEPS = 300;
export const DEFAULT_STEPS = 10;
/**
 * For rows scaled to [-1, 1], a larger value is not a useful bound but a limit of doubles: e^30 for Poisson without a
 * radius.
 */
const LARGEST_BOUND = 1e9;

/** A rule, and what the model knows about it. */
export interface Descent {
  readonly rule: UpdateRule;
  /** Null where the model does not describe the rule. */
  readonly modelMomentum: number | null;
}

/** Checked options, and what follows from them for one approach. */
export interface Approach extends PrivateOptions {
  readonly size: number;
  readonly model: PrivateModel;
  readonly lipschitz: number;
  readonly stepSize: number;
  /** The candidate rules. */
  readonly descents: readonly Descent[];
  readonly blocks: number;
  readonly unitRows: number;
  /** Whether the guarantee is for units, be it of one row each. */
  readonly isForUnits: boolean;
  readonly isWhitened: boolean;
}

/** A misspelt choice would otherwise be taken for another one, such as releasing second moments. */
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

/** Options that would be ignored silently. */
function requireTogether(options: PrivateOptions): void {
  const { method = 'auto', mode = 'auto', calibration = 'auto', aggregate = 'mean', set } = options;
  const refuseBeside = (name: string, other: string, wayOut: string): never => {
    throw new ArgumentError(`${name} has no effect with ${other}; ${wayOut}`, 'ERR_CONFLICT', {
      arguments: [name, other],
    });
  };
  if (options.blocks !== undefined) {
    requireInteger('blocks', options.blocks, 1);
    if (aggregate === 'mean')
      refuseBeside('blocks', "`aggregate: 'mean'`", "leave it out, or use `aggregate: 'median-of-means'`");
  }
  if (options.momentum !== undefined) {
    const wayOut = "leave it out, or use `method: 'nesterov'`";
    if (method !== 'auto' && method !== 'nesterov') refuseBeside('momentum', `\`method: ${inCode(method)}\``, wayOut);
    if (set !== undefined) refuseBeside('momentum', 'a set', 'leave one of them out');
  }
  if (options.schedule !== undefined && (mode === 'full' || calibration === 'exact'))
    refuseBeside('schedule', 'steps over all rows', "leave it out, or use `mode: 'fresh'`");
  if (set === undefined) return;
  requirePositive('set.radius', set.radius);
  const half = set.constraint.diameter / 2;
  if (!(set.radius >= (1 - rounding) * half)) {
    refuse('set.radius', `be the largest norm in the set, which is at least ${half}, half of its diameter`, set.radius);
  }
}

function checkedOptions(options: PrivateOptions): Approach {
  const { rows, loss, scaling, epsilon, delta, set, aggregate = 'mean', failureProbability = 0.05 } = options;
  requireInteger('rows', rows, 1);
  requirePositive('epsilon', epsilon);
  requireProbability('delta', delta);
  requireProbability('failureProbability', failureProbability);
  if (options.steps !== undefined) requireInteger('steps', options.steps, 1);
  if (options.tail !== undefined) requireInteger('tail', options.tail, 1, options.steps ?? MOST_PRIVATE_STEPS);
  if (delta >= 1 / rows && !options.acceptLargeDelta) {
    refuse(
      'delta',
      `be below 1/n = ${1 / rows}: a mechanism that publishes one row in ${Math.ceil(1 / delta)} would satisfy it`,
      delta,
      'use a smaller delta, or set `acceptLargeDelta`',
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
      `the gradient of ${loss.name} has no useful bound on these rows, so no noise makes it private; give a set with its radius, or a \`clip\``,
      'ERR_NOT_PRIVATE',
      { loss: loss.name },
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
    aggregate === 'mean' ? 1 : (options.blocks ?? blockCount(failureProbability / (options.steps ?? DEFAULT_STEPS)));
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
    isForUnits: options.unitRows !== undefined,
    isWhitened: false,
  };
}

/**
 * More features have so many second moments that noise hides them, or that computing them takes longer than the steps
 * they save.
 */
const MOST_WHITENED = 50;

/** Scaled rows, rows whitened by their second moments, or both for comparison. */
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
  throw new ArgumentError(
    `\`moments: 'yes'\` does not go with ${hindrance[1]}; leave one of them out`,
    'ERR_CONFLICT',
    { arguments: ['moments', hindrance[1]] },
  );
}

/** Directions that noise hides in part have less curvature; how many there are depends on the rows. */
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
 * For rows that vary by 1 in every direction like normal variables, have weight 1/2 and the largest curvature: others
 * have smaller norms.
 */
export const curvaturePlan = ({ model, size, lipschitz }: Approach, noise: IntegerNoise): CurvaturePlan => {
  const norm = Math.sqrt(3 * size + 5) / 2;
  return Object.freeze({
    noise: Object.freeze({ ...noise, grid: norm / Math.sqrt(noise.squaredNorm) }),
    norm,
    bend: model.bend,
    lipschitz,
  });
};

/** The model once the noise of second moments is known. */
export function modelOf(checked: Approach, noise: IntegerNoise): PrivateModel {
  if (!checked.isWhitened) return checked.model;
  const moments = momentPlan(checked, noise).noise;
  const { sigma } = integerRelease(moments, { chunk: 'all', rowsPerBlock: checked.rows });
  return whitenedModel(checked.model, checked.scaling.features.length, sigma);
}

/** The same where scaled targets fill a share of their bounds, so that residuals are as much smaller. */
export function modelAtFill(checked: Approach, noise: IntegerNoise, fill: number): PrivateModel {
  const { loss, scaling, isWhitened } = checked;
  const own = loss.targets.least > -Infinity ? checked.model : atResiduals(checked.model, { loss, scaling, fill });
  return isWhitened ? modelOf({ ...checked, model: own }, noise) : own;
}

/** The paper has no weights, and a penalty is meant for rows of equal weight. */
const countsAlike = ({ calibration, loss }: PrivateOptions): boolean => calibration === 'paper' || loss.penalty > 0;

function rowLengthOf(options: PrivateOptions): number | undefined {
  return options.rowLength ?? (countsAlike(options) ? Infinity : undefined);
}

/**
 * Logistic regression is weighted by scores, which halves the noise; but not where rows must have equal weight, as for
 * a theorem about that loss. With a clip no loss is replaced, because the clip determines the noise.
 */
function lossOf(options: PrivateOptions): Loss {
  const { loss, rowLength, clip, set, scaling } = options;
  if (clip !== undefined) return loss;
  if (loss.kernel?.kind === 'logistic')
    return countsAlike(options) || rowLength === Infinity ? loss : weightedLogistic();
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
      throw new ArgumentError(`method ${method} needs a bounded set; give one and its radius`, 'ERR_CONFLICT', {
        arguments: ['method', 'set'],
      });
    if (method === 'frank-wolfe') {
      return only(frankWolfe({ constraint: set.constraint }), 0, null);
    }
    if (given === undefined)
      throw new ArgumentError(`method ${method} needs its constant step; give stepSize`, 'ERR_CONFLICT', {
        arguments: ['method', 'stepSize'],
      });
    const rule = { ...frankWolfe({ constraint: set.constraint, stepSize: given }), name: method };
    return only(rule, given, null);
  }
  const isBounded = largestCurvature < LARGEST_BOUND;
  if (given === undefined && !isBounded) {
    throw new ArgumentError(
      `the curvature of ${loss.name} has no useful bound on these rows, so no step follows from it; give stepSize, or a set with its radius`,
      'ERR_ARGUMENT',
      { argument: 'stepSize' },
    );
  }
  const stepSize = requirePositive('stepSize', given ?? 1 / largestCurvature);
  if (set !== undefined) {
    if (method === 'nesterov')
      throw new ArgumentError('method nesterov works over all of R^p; leave the set out', 'ERR_CONFLICT', {
        arguments: ['method', 'set'],
      });
    return only(projectedGradient({ stepSize, constraint: set.constraint }), stepSize, 0);
  }
  if (method === 'gradient') return only(projectedGradient({ stepSize }), stepSize, isBounded ? 0 : null);
  // The model does not describe a loss of unbounded curvature.
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
