/**
 * A private plan from what is declared: number of rows, bounds, epsilon, delta. It reads no data. What is not asked for is chosen by the error that a stated model of the
 * data predicts (`privateModel.ts`): full batch with `exact` noise or disjoint chunks with `parallel` noise, the number of steps, the momentum, the growth of chunks, how many of the last iterates are averaged.
 *
 *   exact     T steps over all rows, T noises of sqrt(T) times the size; with `moments`, one more release before them, of second moments, whose coordinates the steps are taken in
 *   parallel  T disjoint chunks, each noised once: less noise a step, on fewer rows
 *   paper     the paper's own formula, for comparison
 *
 * Guarantee. (eps, delta)-DP for the whole run under replace-one adjacency, by integer noise (`privacy/integerNoise.ts`), because every row's gradient is held to norm L2
 * by an exact check; with `unitRows` K, for all of up to K rows of one unit together. T, chunks, blocks and steps depend on declared facts alone.
 * Edge cases. Refused before a row is read: an infinite L2, delta of 1/n or more unless accepted, noise that would drown the estimate, sums beyond 2^53.
 */
import { blockCount } from '../aggregate/blockCount.ts';
import type { Constraint } from '../constraint/constraint.ts';
import type { Loss } from '../loss/loss.ts';
import { ArgumentError, refuse, requireInteger, requirePositive, requireProbability } from '../math/check.ts';
import { type IntegerNoise, integerNoise } from '../privacy/integerNoise.ts';
import { integerRelease } from '../privacy/integerRelease.ts';
import { composedNoise, frankWolfeNoise } from '../privacy/paperNoise.ts';
import { frankWolfe } from '../rule/frankWolfe.ts';
import { type Momentum, nesterov } from '../rule/nesterov.ts';
import { projectedGradient } from '../rule/projectedGradient.ts';
import { tailAveraged } from '../rule/tailAveraged.ts';
import type { UpdateRule } from '../rule/updateRule.ts';
import type { Scaling } from '../sample/scaling.ts';
import { triangleLength } from '../sample/whitening.ts';
import type { Calibration, Plan } from './plan.ts';
import { assemblePlan } from './planFit.ts';
import { type DescentModel, type PredictedError, predictError } from './predictError.ts';
import { EVEN, FLATTENING, NARROW, type PrivateModel, privateModel, SPREADS } from './privateModel.ts';
import { geometricChunks, type Schedule, uniformChunks } from './schedule.ts';
import { momentLength, typicalCurvature, whitenedModel } from './whitenedModel.ts';

export interface PrivateOptions {
  readonly rows: number;
  /** Of scaled rows. */
  readonly loss: Loss;
  readonly scaling: Scaling;
  readonly epsilon: number;
  readonly delta: number;
  readonly acceptLargeDelta?: boolean;
  /** Bounds the norm of a row's gradient, instead of what loss, bounds and radius give. */
  readonly clip?: number;
  /** Scaled rows that are longer count less (`sample/scaling.ts`); that of the model unless given, Infinity for no such weights. */
  readonly rowLength?: number;
  /** Whether second moments are released first and steps taken in their coordinates (`whitenedModel.ts`); by predicted error unless given. */
  readonly moments?: 'auto' | 'yes' | 'no';
  /** A set for all coefficients of scaled rows, the intercept among them, and the largest norm in it. */
  readonly set?: { readonly constraint: Constraint; readonly radius: number };
  readonly method?: 'auto' | 'gradient' | 'nesterov' | 'frank-wolfe' | 'accelerated-frank-wolfe';
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

export interface PrivatePlan {
  readonly plan: Plan;
  readonly noise: IntegerNoise;
  readonly scaling: Scaling;
  readonly clip: number | null;
  readonly unitRows: number;
  /** The release before the first step; null where there is none. */
  readonly moments: MomentPlan | null;
  /** How many of the last iterates are averaged. */
  readonly tail: number;
  /** What `predictError` needs but for how the rows curve; null for rules that it does not describe. */
  readonly descent: Omit<DescentModel, 'curvatures' | 'units'> | null;
  /** Under the model, of coefficients of scaled rows; null for rules that it does not describe. */
  readonly predicted: PrivatePrediction | null;
  /** The same where features fill a fifth of their bounds, at one end say. */
  readonly predictedIfNarrow: PredictedError | null;
  /** The best of every other kind of plan that was weighed. */
  readonly alternatives: readonly { readonly name: string; readonly predicted: PredictedError }[];
}

export interface MomentPlan {
  /** That of the steps, on a grid of its own. */
  readonly noise: IntegerNoise;
  /** Scaled rows (x, 1) that are longer count less in the moments; whitened rows in the steps. */
  readonly rowLength: number;
  readonly whitenedLength: number;
  /** What the model expects of whitened rows, along a direction that noise does not hide. */
  readonly curvature: number;
}

export interface PrivatePrediction extends PredictedError {
  /** The part of `noise` that is there for privacy; the rest is that of the sample. */
  readonly privacy: number;
}

const MOST_STEPS = 300;
/** Whitened rows curve alike in every direction. */
const MOST_WHITENED_STEPS = 60;
const RATIOS = [1, 0.7, 0.5, 0.3];
/** Of all steps. */
const TAILS = [0, 0.25, 0.5, 0.75];
const DEFAULT_STEPS = 10;
/** What is larger, of rows scaled to [-1, 1], is no bound but a place where doubles end: e^30 for Poisson without a radius. */
const LARGEST_BOUND = 1e9;

export function planPrivate(options: PrivateOptions): PrivatePlan {
  const checked = checkedOptions(options);
  const weighed = approachesOf(options, checked).flatMap(approach =>
    shapesOf(approach).flatMap(shape => designsOf(approach, shape)),
  );
  if (weighed.length === 0) {
    throw new ArgumentError(
      `${options.rows} rows are too few for ${checked.blocks} blocks a step; use more rows, fewer blocks or aggregate "mean"`,
    );
  }
  const best = bestOf(weighed);
  requireSignal(best);
  requireExactSums(best);
  const { approach, predicted } = best;
  return Object.freeze({
    plan: assembled(best),
    noise: best.noise,
    scaling: approach.isWhitened ? options.scaling : withWeights(options.scaling, approach.model),
    clip: options.clip ?? null,
    unitRows: checked.unitRows,
    moments: approach.isWhitened ? momentPlan(checked, best.noise) : null,
    tail: best.tail,
    descent: predicted && descentOf(best),
    predicted: predicted && { ...predicted, privacy: privacyNoise(best) },
    predictedIfNarrow: best.predictedIfNarrow,
    alternatives: alternativesTo(best, weighed),
  });
}

/** No row is longer than the norm of their bounds. */
const withWeights = (scaling: Scaling, { rowLength, domain }: PrivateModel): Scaling =>
  rowLength < domain.norm ? Object.freeze({ ...scaling, rowLength }) : scaling;

/** A mode and a calibration that go together. */
interface Shape {
  readonly mode: Plan['mode'];
  readonly calibration: Calibration;
}

interface Design extends Shape, Descent {
  readonly approach: Checked;
  readonly steps: number;
  readonly schedule: Schedule | null;
  readonly tail: number;
  readonly noise: IntegerNoise;
  readonly predicted: PredictedError | null;
  readonly predictedIfNarrow: PredictedError | null;
  /** The geometric mean over what features may fill of their bounds: a tenth less error is worth as much in any of them. */
  readonly expected: number;
  /** The length of the error in the gradient of the noisiest step. */
  readonly blur: number;
}

/** A rule, and what the model knows of it. */
interface Descent {
  readonly rule: UpdateRule;
  /** Null where the rule is none that the model describes. */
  readonly modelMomentum: number | null;
}

interface Checked extends PrivateOptions {
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

function checkedOptions(options: PrivateOptions): Checked {
  const { rows, loss, scaling, epsilon, delta, set, aggregate = 'mean', failureProbability = 0.05 } = options;
  requireInteger('rows', rows, 1);
  requirePositive('epsilon', epsilon);
  requireProbability('delta', delta);
  requireProbability('failureProbability', failureProbability);
  if (options.steps !== undefined) requireInteger('steps', options.steps, 1);
  if (options.tail !== undefined)
    requireInteger('tail', options.tail, 1, options.steps ?? stepChoices().at(-1)!);
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
    refuse('aggregate', 'be "mean" for calibration "paper"', aggregate, 'use "exact" or "parallel"');
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

/** More features have so many second moments that their noise hides them, or that summing takes longer than the steps they save. */
const MOST_WHITENED = 50;

/** The rows as they are scaled, in the coordinates of their second moments, or both for comparison. */
function approachesOf(options: PrivateOptions, checked: Checked): readonly Checked[] {
  const { moments = 'auto', method = 'auto', mode = 'auto', calibration = 'auto', scaling, loss } = options;
  const hindrance = [
    [options.set !== undefined, 'a set'],
    [options.clip !== undefined, 'a clip'],
    [options.rowLength !== undefined, 'a rowLength'],
    [options.stepSize !== undefined, 'a stepSize'],
    [loss.penalty > 0, 'a penalty'],
    [checked.blocks > 1, 'blocks'],
    [mode === 'fresh' || calibration === 'parallel', 'fresh chunks'],
    [calibration === 'paper', 'calibration "paper"'],
    [method.endsWith('frank-wolfe'), `method ${method}`],
    [scaling.features.length > MOST_WHITENED, `more than ${MOST_WHITENED} features`],
  ].find(([hinders]) => hinders);
  if (moments === 'no' || (moments === 'auto' && hindrance !== undefined)) return [checked];
  if (hindrance === undefined) return [...(moments === 'auto' ? [checked] : []), whitened(options, checked)];
  throw new ArgumentError(`moments "yes" goes without ${hindrance[1]}; leave one of them out`);
}

/** Directions that noise hides to a part curve less; how many there are the rows will tell. */
const SEEN = [1, 1 / 2, 1 / 5];

function whitened(options: PrivateOptions, checked: Checked): Checked {
  const model = whitenedModel(checked.model, checked.scaling.features.length, 0);
  const leasts = SEEN.map(share => share * typicalCurvature(model));
  const descents = descentsOf(options, model.largestCurvature, leasts);
  return { ...checked, ...descents, model, lipschitz: model.lipschitz, isWhitened: true };
}

const momentPlan = ({ model, scaling }: Checked, noise: IntegerNoise): MomentPlan => {
  const features = scaling.features.length;
  const rowLength = momentLength(model, features);
  return Object.freeze({
    noise: Object.freeze({ ...noise, grid: rowLength ** 2 / Math.sqrt(noise.squaredNorm) }),
    rowLength,
    whitenedLength: whitenedModel(model, features, 0).rowLength,
    curvature: typicalCurvature(model),
  });
};

/** What the model says once the noise of second moments is known. */
function modelOf(checked: Checked, noise: IntegerNoise): PrivateModel {
  if (!checked.isWhitened) return checked.model;
  const moments = momentPlan(checked, noise).noise;
  const { sigma } = integerRelease(moments, { chunk: 'all', rowsPerBlock: checked.rows });
  return whitenedModel(checked.model, checked.scaling.features.length, sigma);
}

/** The paper has no weights, and a penalty is meant for rows that all count as one. */
function rowLengthOf({ rowLength, calibration, loss }: PrivateOptions): number | undefined {
  if (rowLength !== undefined) return rowLength;
  return calibration === 'paper' || loss.penalty > 0 ? Infinity : undefined;
}

function descentsOf(
  { method = 'auto', set, stepSize: given, momentum, loss, clip }: PrivateOptions,
  largestCurvature: number,
  leastCurvatures: readonly number[],
): Pick<Checked, 'stepSize' | 'descents'> {
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
  if (loss.kernel?.kind === 'squared' && clip === undefined) {
    throw new ArgumentError(
      'the squared loss needs a radius or a clip to be private; give a set with its radius, or clip',
    );
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

function shapesOf({ mode = 'auto', calibration = 'auto', isWhitened }: Checked): readonly Shape[] {
  if (isWhitened) return [{ mode: 'full', calibration: 'exact' }];
  const shapes: readonly Shape[] =
    calibration === 'paper'
      ? [
          { mode: 'full', calibration },
          { mode: 'fresh', calibration },
        ]
      : [
          { mode: 'full', calibration: 'exact' },
          { mode: 'fresh', calibration: 'parallel' },
        ];
  const fitting = shapes.filter(
    shape =>
      (mode === 'auto' || shape.mode === mode) &&
      (calibration === 'auto' || shape.calibration === calibration),
  );
  if (fitting.length > 0) return fitting;
  return refuse(
    'mode',
    `be "${calibration === 'exact' ? 'full' : 'fresh'}" for calibration "${calibration}"`,
    mode,
    'a full batch goes with "exact", disjoint chunks with "parallel"',
  );
}

/** All small numbers, and of large ones as many as make a difference. */
function stepChoices(most = MOST_STEPS): readonly number[] {
  const found: number[] = [];
  for (let steps = 1; steps <= most; steps = Math.ceil(1.05 * steps)) found.push(steps);
  return found;
}

function designsOf(checked: Checked, shape: Shape): readonly Design[] {
  const { rows, steps: asked, schedule, blocks, descents } = checked;
  const choices =
    asked === undefined && descents[0]!.modelMomentum !== null && shape.calibration !== 'paper'
      ? stepChoices(checked.isWhitened ? MOST_WHITENED_STEPS : MOST_STEPS)
      : [asked ?? DEFAULT_STEPS];
  const least = 2 * blocks;
  const designsWith = (steps: number): readonly Design[] => {
    if (shape.mode === 'full') return rows < least ? [] : designs(checked, shape, steps, null);
    if (rows < steps * least) return [];
    if (schedule === 'uniform') return designs(checked, shape, steps, uniformChunks({ rows, steps }));
    // The noise of the paper is for equal chunks.
    const ratios = shape.calibration === 'paper' ? [1] : RATIOS;
    return ratios.flatMap(ratio =>
      designs(checked, shape, steps, geometricChunks({ rows, steps, ratio, least })),
    );
  };
  return choices.flatMap(steps => {
    try {
      return designsWith(steps);
    } catch (error) {
      // Many steps may leave a row less than a step of the grid where few do not.
      if (error instanceof ArgumentError && steps > choices[0]!) return [];
      throw error;
    }
  });
}

/** One for every rule and every tail that may do. */
function designs(
  checked: Checked,
  shape: Shape,
  steps: number,
  schedule: Schedule | null,
): readonly Design[] {
  const noise = noiseOf(checked, shape, steps, schedule);
  const model = modelOf(checked, noise);
  const variances = variancesOf(checked, steps, schedule, noise);
  const blur = Math.sqrt(checked.size * Math.max(...variances));
  const bends = checked.isWhitened ? BENDS : [1];
  const cases = SPREADS.flatMap(spread =>
    bends.map(bend => ({ spread, bend, ...terrainOf(model, spread, bend) })),
  );
  return checked.descents.flatMap(descent =>
    tailsOf(checked, descent, shape, steps).map(tail => {
      const common = { ...shape, ...descent, approach: checked, steps, schedule, tail, noise, blur };
      const path = descentModel(common, model, variances);
      const predictions = cases.map(terrain => path && predictError({ ...path, ...terrain }));
      const predictedFor = (spread: number): PredictedError | null =>
        predictions[cases.findIndex(terrain => terrain.spread === spread && terrain.bend === 1)]!;
      return {
        ...common,
        predicted: predictedFor(EVEN),
        predictedIfNarrow: predictedFor(NARROW),
        expected: geometricMean(predictions.map(found => found?.total ?? 1)),
      };
    }),
  );
}

/** Of the curvature that is typical. Whitened rows curve alike whatever they fill of their bounds, and steps should not suit one curvature alone, where an error that swings happens to cross 0. */
const BENDS = [2, 1, 1 / 2];

const geometricMean = (values: readonly number[]): number =>
  Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);

/**
 * The paper has no average, and of rules that the model does not describe nobody knows when they settle. Nor of steps that were asked for: they may be as few as the last iterate needs, and
 * an average would go back to where they came from.
 */
function tailsOf(
  { tail, steps: asked }: Checked,
  { modelMomentum }: Descent,
  { calibration }: Shape,
  steps: number,
): readonly number[] {
  if (tail !== undefined) return tail <= steps ? [tail] : [];
  if (modelMomentum === null || calibration === 'paper' || asked !== undefined) return [1];
  return [...new Set(TAILS.map(share => Math.max(1, Math.round(share * steps))))];
}

function noiseOf(
  checked: Checked,
  { calibration, mode }: Shape,
  steps: number,
  schedule: Schedule | null,
): IntegerNoise {
  const { rows, lipschitz, size, epsilon, delta, unitRows, descents, scaling, isWhitened } = checked;
  const budget = { lipschitz, epsilon, delta };
  if (isWhitened) {
    // The release of moments has the most numbers; it costs what a step does.
    const features = triangleLength(scaling.features.length + 1);
    return integerNoise({ ...budget, features, touches: steps + 1, group: unitRows });
  }
  const touches = mode === 'full' ? steps : 1;
  if (calibration !== 'paper') return integerNoise({ ...budget, features: size, touches, group: unitRows });
  if (unitRows > 1) refuse('unitRows', 'be 1 for calibration "paper"', unitRows, 'use "exact" or "parallel"');
  const noised = schedule === null ? rows : schedule.chunks[0]!;
  const formula = descents[0]!.rule.name === 'frank-wolfe' ? frankWolfeNoise : composedNoise;
  const sigma = formula({ ...budget, rows: noised, steps });
  return integerNoise({ ...budget, features: size, touches, noiseOfSum: sigma * noised });
}

/** Of one coordinate of each step's gradient. */
function variancesOf(
  { rows, blocks, model }: Checked,
  steps: number,
  schedule: Schedule | null,
  noise: IntegerNoise,
): readonly number[] {
  return Array.from({ length: steps }, (_, t) => {
    const own = schedule === null ? rows : schedule.chunks[t]!;
    const { sigma } = integerRelease(noise, { chunk: t, rowsPerBlock: Math.floor(own / blocks) });
    // A full batch has one sampling error, of its minimum, whatever the number of steps.
    return sigma ** 2 / blocks + (schedule === null ? 0 : model.variance / own);
  });
}

type Path = Pick<Design, 'approach' | 'modelMomentum' | 'schedule' | 'tail'>;

const terrainOf = (
  model: PrivateModel,
  spread: number,
  bend = 1,
): Required<Pick<DescentModel, 'curvatures' | 'units'>> => ({
  curvatures: model.curvatures(spread).map(curvature => bend * curvature),
  units: model.units(spread),
});

function descentModel(
  { approach: { stepSize, rows }, modelMomentum, schedule, tail }: Path,
  { distance, variance }: PrivateModel,
  variances: readonly number[],
): PrivatePlan['descent'] {
  if (modelMomentum === null) return null;
  return {
    distance,
    stepSize,
    momentum: modelMomentum,
    variances,
    sharedVariance: schedule === null ? variance / rows : 0,
    tail,
    flattening: FLATTENING,
  };
}

const descentOf = (design: Design): PrivatePlan['descent'] =>
  descentModel(
    design,
    design.approach.model,
    variancesOf(design.approach, design.steps, design.schedule, design.noise),
  );

/** What the error would be of noise alone. */
function privacyNoise(design: Design): number {
  const { approach, noise, steps, schedule } = design;
  const model = { ...modelOf(approach, noise), variance: 0 };
  const variances = variancesOf({ ...approach, model }, steps, schedule, noise);
  return predictError({ ...descentModel(design, model, variances)!, ...terrainOf(model, EVEN) }).noise;
}

/** A step that noise throws further than this ends where the loss is flat and the model has nothing to say. */
const LONGEST_THROW = 1 / 4;

const errorOf = ({ expected, blur, approach: { stepSize } }: Design): number =>
  expected * Math.max(1, (stepSize * blur) / LONGEST_THROW);

/** What a plan may cost more than the best, in error, for having fewer steps: each is a pass over the rows. */
const WORTH_IT = 1.03;
/** What it may cost to know how the rows vary: predictions of the others hold for rows that are as the model has them, and so do their intervals. */
const WORTH_KNOWING = 1.25;

function bestOf(weighed: readonly Design[]): Design {
  const [knowing, others] = [true, false].map(is =>
    weighed.filter(({ approach }) => approach.isWhitened === is),
  );
  if (others!.length === 0 || knowing!.length === 0) return cheapestOf(weighed);
  const [best, other] = [cheapestOf(knowing!), cheapestOf(others!)];
  return errorOf(best) <= WORTH_KNOWING * errorOf(other) ? best : other;
}

function cheapestOf(weighed: readonly Design[]): Design {
  const least = Math.min(...weighed.map(errorOf));
  return weighed
    .filter(design => errorOf(design) <= WORTH_IT * least)
    .reduce((a, b) => ((b.steps - a.steps || errorOf(b) - errorOf(a)) < 0 ? b : a));
}

/** An answer that is expected to be off by so much of the length of the truth says next to nothing about the data. */
const LARGEST_ERROR = 0.9;

function requireSignal({ predicted, steps, blur, calibration, approach }: Design): void {
  const { epsilon, rows, lipschitz, steps: asked, model } = approach;
  const { length } = model;
  const refuseNoise = (problem: string): never => {
    throw new ArgumentError(
      `${rows} rows are too few for epsilon ${epsilon}: ${problem}; use more rows, fewer features, tighter bounds or a larger epsilon`,
    );
  };
  // The paper's noise is there to be compared, whatever comes of it.
  if (predicted === null) {
    if (calibration !== 'paper' && blur >= lipschitz) {
      refuseNoise(
        `noise of length ${blur.toPrecision(2)} would hide gradients of length ${lipschitz.toPrecision(2)} at most`,
      );
    }
    return;
  }
  if (predicted.noise >= LARGEST_ERROR * length) {
    refuseNoise(
      `after ${steps} steps noise of length ${predicted.noise.toPrecision(2)} would hide coefficients of length ${length}`,
    );
  }
  // The best number of steps has so large an error only where more of them would have more noise.
  if (asked === undefined && calibration !== 'paper' && predicted.total >= LARGEST_ERROR * length) {
    refuseNoise(
      `noise leaves room for ${steps} steps, which would end ${predicted.total.toPrecision(2)} away from coefficients of length ${length}`,
    );
  }
}

/** Sums of whole numbers are whole numbers below 2^53 only. */
function requireExactSums({ noise, schedule, approach: { rows, blocks } }: Design): void {
  const rowsPerBlock = Math.floor(Math.max(...(schedule?.chunks ?? [rows])) / blocks);
  const most = Math.floor(2 ** 53 / Math.sqrt(noise.squaredNorm));
  if (rowsPerBlock < most) return;
  throw new ArgumentError(
    `sums of ${rowsPerBlock} rows may exceed 2^53, where whole numbers end; use fewer than ${most} rows a block: more steps in mode "fresh", or more blocks`,
  );
}

function assembled({ approach, rule, mode, calibration, steps, schedule, tail, noise }: Design): Plan {
  const { rows, scaling, loss, aggregate, blocks, epsilon, delta, lipschitz, failureProbability } = approach;
  const target = Object.freeze({ calibration, epsilon, delta, lipschitz });
  return assemblePlan(
    {
      rows,
      features: scaling.features.length,
      intercept: scaling.intercept,
      loss,
      rule: tail === 1 ? rule : tailAveraged(rule, steps - tail + 1),
      mode,
      steps,
      blocks,
      ...(aggregate === undefined ? {} : { aggregate }),
      ...(failureProbability === undefined ? {} : { failureProbability }),
      ...(schedule === null ? {} : { schedule }),
    },
    {
      target,
      sigma: rowsPerBlock => integerRelease(noise, { chunk: 0, rowsPerBlock }).sigma,
      group: noise.group,
    },
  );
}

/** What the other calibration would give, and rows as they are scaled; and what the plan would give without blocks. */
function alternativesTo(best: Design, weighed: readonly Design[]): PrivatePlan['alternatives'] {
  const { approach } = best;
  const kindOf = ({ calibration, mode, approach: { isWhitened } }: Design): string =>
    `${calibration}, ${mode}${isWhitened ? ', second moments first' : ''}`;
  const kinds = new Map<string, Design[]>();
  for (const design of weighed)
    if (design.predicted !== null) kinds.set(kindOf(design), [...(kinds.get(kindOf(design)) ?? []), design]);
  kinds.delete(kindOf(best));
  const others = [...kinds].map(([kind, designs]) => {
    const { steps, predicted } = bestOf(designs);
    return { name: `${kind}, ${steps} steps`, predicted: predicted! };
  });
  if (approach.blocks === 1 || best.predicted === null) return others;
  const [plain] = designs(
    { ...approach, blocks: 1, tail: best.tail, descents: [best] },
    best,
    best.steps,
    best.schedule,
  );
  return [
    ...others,
    { name: 'the same with a mean instead of a median of blocks', predicted: plain!.predicted! },
  ];
}
