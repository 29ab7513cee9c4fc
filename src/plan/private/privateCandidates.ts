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
  type Terrain,
} from './predictError.ts';
import {
  type Approach,
  DEFAULT_STEPS,
  type Descent,
  MOST_PRIVATE_STEPS,
  modelAtFill,
  modelOf,
} from './privateApproach.ts';
import { FLATTENING, NARROW, type PrivateModel, sum, typicalCurvature, weightOfLength } from './privateModel.ts';

/** Whitened rows have the same curvature in every direction. */
const MOST_WHITENED_STEPS = 60;
const MOST_STEPS_OF_RATES = 120;

/** Classes and counts. */
const isOfRates = ({ loss }: Approach): boolean => loss.targets.least === 0;

function mostSteps(approach: Approach): number {
  if (!approach.isWhitened) return MOST_PRIVATE_STEPS;
  return isOfRates(approach) ? MOST_STEPS_OF_RATES : MOST_WHITENED_STEPS;
}
/** How many times wider than what they hold bounds are: in the middle of 1 and 10 where factors count. */
export const USUAL_WIDTH = 3;
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
  /** Where bounds are three times as wide as what they hold; null for rules that the model does not describe. */
  readonly predicted: PredictedError | null;
  /** Its part that a plan can do something about; 1 where nothing is predicted. */
  readonly expected: number;
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
  readonly cases: readonly Terrain[];
}

function settingOf(checked: Approach, shape: Shape, steps: number, schedule: Schedule | null): Setting {
  const noise = noiseOf(checked, shape, steps, schedule);
  const model = modelAtFill(checked, noise, 1 / USUAL_WIDTH);
  const { rows } = checked;
  const cases = BENDS.map(bend => terrainAt(checked, model, { rows, width: USUAL_WIDTH, bend }));
  return { noise, model, cases };
}

/**
 * The rows where bounds are wider than what they hold, by a factor: features fill as much less of theirs, and so do
 * targets that are scaled, so that residuals and effects are as much smaller. Of classes and counts only the features are
 * narrower. Effects are those of coefficients, whatever the units of the coordinates.
 *
 * Along a direction that noise hides in part, whitened rows vary by less than 1. So they are shorter, have larger weights,
 * and gradients that vary less.
 */
function terrainAt(
  { isWhitened, loss }: Approach,
  model: PrivateModel,
  { rows, width, bend }: { readonly rows: number; readonly width: number; readonly bend: number },
): Terrain {
  const { curvatures, units } = terrainOf(model, 1 / width);
  const seen = curvatures.map(curvature => (isWhitened ? curvature / typicalCurvature(model) : 1));
  const heavier = isWhitened ? weightOfLength(model, Math.sqrt(sum(seen))) : 1;
  return {
    curvatures: curvatures.map(curvature => bend * heavier * curvature),
    units,
    penalty: loss.penalty,
    distances: units.map(unit => model.distance / unit),
    sharedVariances: seen.map(share => (model.variance / rows) * heavier ** 2 * share),
  };
}

/** The error at the typical curvature, with the longest distance left at any curvature. */
function worstOf(errors: readonly PredictedError[]): PredictedError {
  const own = errors[BENDS.indexOf(1)]!;
  const distance = Math.max(...errors.map(error => error.distance));
  const total = Math.sqrt(own.total ** 2 - own.distance ** 2 + distance ** 2);
  return { ...own, distance, total: Number.isNaN(total) ? Infinity : total };
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
      const predicted = path && worstOf(errors.map(found => found![k]!));
      return { ...common, tail, predicted, expected: predicted === null ? 1 : descentError(predicted) };
    });
  });
}

/**
 * Multiples of the typical curvature: steps should not be tuned to one, where an oscillating error happens to cross 0.
 */
const BENDS = [2, 1, 1 / 2];

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

/** Where bounds are wider than what they hold, by a factor; see `terrainAt`. */
export function errorAtWidth(candidate: Candidate, width: number): PredictedError {
  const { approach, noise, steps, schedule, tail } = candidate;
  const model = modelAtFill(approach, noise, 1 / width);
  const variances = variancesOf({ ...approach, model }, steps, schedule, noise);
  const path = descentModel(candidate, model, variances)!;
  const terrains = BENDS.map(bend => terrainAt(approach, model, { rows: approach.rows, width, bend }));
  return worstOf(terrains.map(terrain => errorsAlong(path, terrain, [tail])[0]!));
}

/** The error from noise alone. */
export function privacyNoise(candidate: Candidate): number {
  const { approach, noise, steps, schedule, tail } = candidate;
  const model = { ...modelAtFill(approach, noise, 1 / USUAL_WIDTH), variance: 0 };
  const variances = variancesOf({ ...approach, model }, steps, schedule, noise);
  const terrain = terrainAt(approach, model, { rows: approach.rows, width: USUAL_WIDTH, bend: 1 });
  return errorsAlong(descentModel(candidate, model, variances)!, terrain, [tail])[0]!.noise;
}

/** A step displaced further than this by noise ends where the loss is flat and the model does not apply. */
const LONGEST_THROW = 1 / 4;

const isThrown = ({ blur, approach: { stepSize } }: Candidate): boolean => stepSize * blur > LONGEST_THROW;

/**
 * The plan with the smallest predicted error, of those that are not thrown about by noise if there are any; of equal ones
 * that with the fewest steps. So more rows, a larger epsilon and tighter bounds, which leave every plan open and make it
 * better, never predict worse.
 */
export function bestOf(weighed: readonly Candidate[]): Candidate {
  const calm = weighed.filter(candidate => !isThrown(candidate));
  return (calm.length > 0 ? calm : weighed).reduce((a, b) =>
    (b.expected - a.expected || b.steps - a.steps) < 0 ? b : a,
  );
}
