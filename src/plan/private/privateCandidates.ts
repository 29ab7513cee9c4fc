import { ArgumentError, refuse } from '../../errors.ts';
import { largestOf } from '../../math/vector.ts';
import { type IntegerNoise, integerNoise, integerRelease, LARGEST_SLACK } from '../../privacy/integerNoise.ts';
import { composedNoise, frankWolfeNoise } from '../../privacy/paperNoise.ts';
import { curvaturePlaces } from '../../sample/curvaturePlaces.ts';
import { momentCount } from '../../sample/transform/whitening.ts';
import { counted } from '../../words.ts';
import type { Calibration, Plan } from '../plan.ts';
import { geometricChunks, type Schedule, uniformChunks } from '../schedule.ts';
import {
  type DescentModel,
  type DescentPath,
  descentError,
  errorsAlong,
  type PredictedError,
  predictError,
} from './predictError.ts';
import { type Approach, DEFAULT_STEPS, type Descent, MOST_PRIVATE_STEPS, modelOf } from './privateApproach.ts';
import { EVEN, FLATTENING, NARROW, type PrivateModel, SPREADS } from './privateModel.ts';

/** Whitened rows have the same curvature in every direction. */
const MOST_WHITENED_STEPS = 60;
const MOST_STEPS_OF_RATES = 120;

/** Classes and counts. */
const isOfRates = ({ loss }: Approach): boolean => loss.targets.least === 0;

function mostSteps(approach: Approach): number {
  if (!approach.isWhitened) return MOST_PRIVATE_STEPS;
  return isOfRates(approach) ? MOST_STEPS_OF_RATES : MOST_WHITENED_STEPS;
}
const RATIOS = [1, 0.7, 0.5, 0.3];
/** Of all steps. */
const TAILS = [0, 0.25, 0.5, 0.75];

/** A mode and a calibration that go together. */
export interface Shape {
  readonly mode: Plan['mode'];
  readonly calibration: Calibration;
}

export interface Candidate extends Shape, Descent {
  readonly approach: Approach;
  readonly steps: number;
  readonly schedule: Schedule | null;
  readonly tail: number;
  readonly noise: IntegerNoise;
  readonly predicted: PredictedError | null;
  readonly predictedIfNarrow: PredictedError | null;
  /**
   * The geometric mean over the shares of their bounds that features may fill: a tenth less error is worth the same in
   * each case.
   */
  readonly expected: number;
  /** The same for rows of typical curvature. */
  readonly comparable: number;
  /** The norm of the gradient error of the noisiest step. */
  readonly blur: number;
}

/**
 * The plans that one approach leaves open, each with the noise that it needs and its predicted errors; and which of
 * them is best.
 */
export function shapesOf({ mode = 'auto', calibration = 'auto', isWhitened }: Approach): readonly Shape[] {
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
    shape => (mode === 'auto' || shape.mode === mode) && (calibration === 'auto' || shape.calibration === calibration),
  );
  if (fitting.length > 0) return fitting;
  return refuse(
    'mode',
    `be "${calibration === 'exact' ? 'full' : 'fresh'}" for \`calibration: '${calibration}'\``,
    mode,
    'a full batch goes with "exact", disjoint chunks with "parallel"',
  );
}

/** All small numbers, and a geometric selection of large ones. */
function stepChoices(most = MOST_PRIVATE_STEPS): readonly number[] {
  const found: number[] = [];
  for (let steps = 1; steps <= most; steps = Math.ceil(1.05 * steps)) found.push(steps);
  return found;
}

export function candidatesOf(checked: Approach, shape: Shape): readonly Candidate[] {
  const { rows, steps: asked, schedule, blocks, descents } = checked;
  const choices =
    asked === undefined && descents[0]!.modelMomentum !== null && shape.calibration !== 'paper'
      ? stepChoices(mostSteps(checked))
      : [asked ?? DEFAULT_STEPS];
  const least = 2 * blocks;
  // Only the paper's noise depends on how rows are cut into chunks, and a calibration takes longer than the rest.
  const known = new Map<number, Setting>();
  const weighed = (steps: number, cut: Schedule | null): readonly Candidate[] => {
    if (shape.calibration === 'paper') return candidates(checked, shape, steps, cut);
    const touches = touchesOf(shape, steps);
    const setting = known.get(touches) ?? settingOf(checked, shape, steps, cut);
    known.set(touches, setting);
    return candidates(checked, shape, steps, cut, setting);
  };
  const candidatesWith = (steps: number): readonly Candidate[] => {
    if (shape.mode === 'full') return rows < least ? [] : weighed(steps, null);
    if (rows < steps * least) return [];
    if (schedule === 'uniform') return weighed(steps, uniformChunks({ rows, steps }));
    const ratios = ratiosOf(checked, shape);
    return ratios.flatMap(ratio => weighed(steps, geometricChunks({ rows, steps, ratio, least })));
  };
  return choices.flatMap(steps => {
    try {
      return candidatesWith(steps);
    } catch (error) {
      // Many steps may leave a row less than one step of the grid, or lose too much to rounding, where few do not.
      if (error instanceof ArgumentError && steps > choices[0]!) return [];
      throw error;
    }
  });
}

/** The paper's noise is for equal chunks; a user who asks for growing chunks gets only those. */
function ratiosOf({ schedule }: Approach, { calibration }: Shape): readonly number[] {
  const growing = RATIOS.filter(ratio => ratio < 1);
  if (calibration !== 'paper') return schedule === 'geometric' ? growing : RATIOS;
  if (schedule !== 'geometric') return [1];
  return refuse(
    'schedule',
    'be "uniform" for `calibration: \'paper\'`, whose noise is for equal chunks',
    schedule,
    "leave it out, or use `calibration: 'parallel'`",
  );
}

/** What candidates have in common whose noise is the same. */
interface Setting {
  readonly noise: IntegerNoise;
  readonly model: PrivateModel;
  /** The curvatures that rows may have. */
  readonly cases: readonly Case[];
}

interface Case extends Required<Pick<DescentModel, 'curvatures' | 'units' | 'penalty'>> {
  readonly spread: number;
  readonly bend: number;
}

function settingOf(checked: Approach, shape: Shape, steps: number, schedule: Schedule | null): Setting {
  const noise = noiseOf(checked, shape, steps, schedule);
  const model = modelOf(checked, noise);
  const bends = !checked.isWhitened ? [1] : isOfRates(checked) ? BENDS_OF_RATES : BENDS;
  const cases = SPREADS.flatMap(spread =>
    bends.map(bend => ({ spread, bend, penalty: checked.loss.penalty, ...terrainOf(model, spread, bend) })),
  );
  return { noise, model, cases };
}

/** One for every candidate rule and tail. */
export function candidates(
  checked: Approach,
  shape: Shape,
  steps: number,
  schedule: Schedule | null,
  { noise, model, cases } = settingOf(checked, shape, steps, schedule),
): readonly Candidate[] {
  const variances = variancesOf(checked, steps, schedule, noise);
  const blur = Math.sqrt(checked.size * largestOf(variances));
  return checked.descents.flatMap(descent => {
    const tails = tailsOf(checked, descent, shape, steps);
    const common = { ...shape, ...descent, approach: checked, steps, schedule, noise, blur };
    const path = descentModel({ ...common, tail: 1 }, model, variances);
    const errors = cases.map(terrain => path && errorsAlong(path, terrain, tails));
    return tails.map((tail, k) => {
      const predictions = errors.map(found => found && found[k]!);
      // Where noise hides the coefficients altogether, all plans are equal.
      const expectedOf = (found: readonly (PredictedError | null)[]): number =>
        geometricMean(found.map(error => Math.min(model.length, error === null ? 1 : descentError(error))));
      const predictedFor = (spread: number): PredictedError | null =>
        predictions[cases.findIndex(terrain => terrain.spread === spread && terrain.bend === 1)]!;
      return {
        ...common,
        tail,
        predicted: predictedFor(EVEN),
        predictedIfNarrow: predictedFor(NARROW),
        expected: expectedOf(predictions),
        comparable: expectedOf(predictions.filter((_, k) => cases[k]!.bend === 1)),
      };
    });
  });
}

/**
 * Multiples of the typical curvature. Whitened rows have the same curvature whatever they fill of their bounds, and
 * steps should not be tuned to one curvature, where an oscillating error happens to cross 0. Classes of which one is
 * rare, or that are separated by a large score, have far less curvature, and so do counts far below the largest.
 */
const BENDS = [2, 1, 1 / 2];
const BENDS_OF_RATES = [2, 1, 1 / 2, 1 / 8];

const geometricMean = (values: readonly number[]): number =>
  Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);

/**
 * The paper does not average, and for rules that the model does not describe it is unknown when they settle. Nor are
 * given steps averaged: they may be only as many as the last iterate needs, and an average would fall back towards the
 * start.
 */
function tailsOf(
  { tail, steps: asked }: Approach,
  { modelMomentum }: Descent,
  { calibration }: Shape,
  steps: number,
): readonly number[] {
  if (tail !== undefined) return tail <= steps ? [tail] : [];
  if (modelMomentum === null || calibration === 'paper' || asked !== undefined) return [1];
  return [...new Set(TAILS.map(share => Math.max(1, Math.round(share * steps))))];
}

/** The number of steps that one row enters. */
const touchesOf = ({ mode }: Pick<Shape, 'mode'>, steps: number): number => (mode === 'full' ? steps : 1);

function noiseOf(
  checked: Approach,
  { calibration, mode }: Shape,
  steps: number,
  schedule: Schedule | null,
): IntegerNoise {
  const { rows, lipschitz, size, epsilon, delta, unitRows, descents, scaling, isWhitened } = checked;
  const budget = { lipschitz, epsilon, delta };
  if (isWhitened) {
    // The second moments before the steps and the curvature after them have the most numbers, and each costs as much as a
    // step.
    const features = Math.max(momentCount(scaling.features.length), curvaturePlaces(size).count);
    return noiseWithinSlack({ ...budget, features, touches: steps + 2, group: unitRows });
  }
  const touches = touchesOf({ mode }, steps);
  if (calibration !== 'paper') return noiseWithinSlack({ ...budget, features: size, touches, group: unitRows });
  if (unitRows > 1)
    refuse(
      'unitRows',
      "be 1 for `calibration: 'paper'`",
      unitRows,
      "use `calibration: 'exact'` or `calibration: 'parallel'`",
    );
  const noised = schedule === null ? rows : schedule.chunks[0]!;
  const formula = descents[0]!.rule.name === 'frank-wolfe' ? frankWolfeNoise : composedNoise;
  const sigma = formula({ ...budget, rows: noised, steps });
  return noiseWithinSlack({ ...budget, features: size, touches, noiseOfSum: sigma * noised });
}

/** Noise within the slack that a mechanism accepts. */
function noiseWithinSlack(request: Parameters<typeof integerNoise>[0]): IntegerNoise {
  const noise = integerNoise(request);
  if (noise.slack <= LARGEST_SLACK) return noise;
  const { features, touches, group = 1 } = request;
  throw new ArgumentError(
    `${counted(touches, 'release')} of ${counted(features, 'number')}, for ${counted(group, 'row')} per unit, ${touches === 1 ? 'loses' : 'lose'} ${noise.slack} of epsilon to integer rounding, more than ${LARGEST_SLACK}; use fewer features, fewer steps or fewer rows per unit`,
    'ERR_BUDGET',
    { releases: touches, slack: noise.slack },
  );
}

/** The variance of one coordinate of each step's gradient. */
function variancesOf(
  { rows, blocks, model }: Approach,
  steps: number,
  schedule: Schedule | null,
  noise: IntegerNoise,
): readonly number[] {
  return Array.from({ length: steps }, (_, t) => {
    const own = schedule === null ? rows : schedule.chunks[t]!;
    const { sigma } = integerRelease(noise, { chunk: t, rowsPerBlock: Math.floor(own / blocks) });
    // A full batch has one sampling error, that of its minimum, whatever the number of steps.
    return sigma ** 2 / blocks + (schedule === null ? 0 : model.variance / own);
  });
}

type Path = Pick<Candidate, 'approach' | 'modelMomentum' | 'schedule' | 'tail'>;

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
): DescentPath | null {
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

export const descentOf = (candidate: Candidate): DescentPath | null =>
  descentModel(
    candidate,
    candidate.approach.model,
    variancesOf(candidate.approach, candidate.steps, candidate.schedule, candidate.noise),
  );

/**
 * The error where features fill a fifth of their bounds and the largest assumed effect is all along one coordinate:
 * intervals that rest on declarations alone allow for it.
 */
export function cautiousError(candidate: Candidate): PredictedError {
  const { approach, noise, steps, schedule } = candidate;
  const model = modelOf(approach, noise);
  const variances = variancesOf(approach, steps, schedule, noise);
  const path = { ...descentModel(candidate, model, variances)!, distance: model.length };
  return predictError({ ...path, ...terrainOf(model, NARROW) });
}

/** The error from noise alone. */
export function privacyNoise(candidate: Candidate): number {
  const { approach, noise, steps, schedule } = candidate;
  const model = { ...modelOf(approach, noise), variance: 0 };
  const variances = variancesOf({ ...approach, model }, steps, schedule, noise);
  return predictError({ ...descentModel(candidate, model, variances)!, ...terrainOf(model, EVEN) }).noise;
}

/** A step displaced further than this by noise ends where the loss is flat and the model does not apply. */
const LONGEST_THROW = 1 / 4;

const thrown = ({ blur, approach: { stepSize } }: Candidate): number => Math.max(1, (stepSize * blur) / LONGEST_THROW);

const errorOf = (candidate: Candidate): number => candidate.expected * thrown(candidate);

/** How much more error than the best a plan may have for fewer steps: each is a pass over the rows. */
const WORTH_IT = 1.03;
/**
 * How much more error a plan may have for releasing how the rows vary: without it, predictions and intervals hold only
 * for rows that fit the model.
 */
const WORTH_KNOWING = 1.25;

export function bestOf(weighed: readonly Candidate[]): Candidate {
  const [knowing, others] = [true, false].map(is => weighed.filter(({ approach }) => approach.isWhitened === is));
  if (others!.length === 0 || knowing!.length === 0) return cheapestOf(weighed);
  const [best, other] = [cheapestOf(knowing!), cheapestOf(others!)];
  const comparableOf = (candidate: Candidate): number => candidate.comparable * thrown(candidate);
  return comparableOf(best) <= WORTH_KNOWING * comparableOf(other) ? best : other;
}

function cheapestOf(weighed: readonly Candidate[]): Candidate {
  const least = Math.min(...weighed.map(errorOf));
  return weighed
    .filter(candidate => errorOf(candidate) <= WORTH_IT * least)
    .reduce((a, b) => ((b.steps - a.steps || errorOf(b) - errorOf(a)) < 0 ? b : a));
}
