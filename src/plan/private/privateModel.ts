import { requirePositive } from '../../errors.ts';
import { type Domain, domain } from '../../method/loss/domain.ts';
import { type Loss, slopeOfSlope } from '../../method/loss/loss.ts';
import { levelCounts, type Scaling, scaledNorm, scaledTarget } from '../../sample/transform/scaling.ts';
import { momentFloor } from '../../sample/transform/whitening.ts';
import { isPoissonWithin, isSquaredWithin } from './boundedLoss.ts';

/**
 * What a private plan assumes, since it may not look at the data: rows scaled to [-1, 1] by their declared bounds,
 * features spread evenly over a part of them and not strongly correlated, and coefficients of norm about 1/2, since
 * longer ones would take targets out of their bounds; or 3 where the target is not scaled: log-odds from -3 to 3 are
 * typical of classes worth distinguishing. Where the assumptions are wrong a fit is less accurate than predicted, never
 * less private.
 *
 *   second moments: s^2/3 for an even spread over [-s, s]; 1/p of it for each of p features held to a norm of 1; 1/k
 *   for each of k levels; 1 for the intercept
 *
 * Nothing is assumed about the largest curvature, from which step sizes follow: a step that is too long for the data
 * would not converge. Features that lean to one end of their bounds make it about p times what it is for an even
 * spread. In a full batch shorter steps cost no accuracy, since more of them have the same noise in total.
 *
 * Nor about the length of rows: those longer than rows of narrow features would be are down-weighted (`rowLength` in
 * scaling.ts). Noise is proportional to the norm of the longest row, so a bound that no row comes near would be paid
 * for in noise. Down-weighting never does harm: with weights w = min(1, R/||x||) noise is proportional to R and the
 * information in the rows to E[w x x'], and for all rows E[w x x']/R is at least E[x x']/max ||x||.
 */
export interface PrivateModel {
  /** Bounds that hold for every row, whatever the model assumes. */
  readonly domain: Domain;
  /** Second moments of scaled rows, the intercept's 1 last, where features fill a given share of their bounds. */
  moments(spread: number): readonly number[];
  /** Rows of larger norm are down-weighted. */
  readonly rowLength: number;
  /** The loss's largest curvature and steepest slope in the score; then those of typical rows at the minimum. */
  readonly bend: number;
  readonly steepest: number;
  readonly usualBend: number;
  readonly slope: number;
  /** Bounds on one row's gradient and on the curvature, whatever the model assumes. */
  readonly lipschitz: number;
  readonly largestCurvature: number;
  /** At the minimum, where features fill a given share of their bounds. */
  curvatures(spread: number): readonly number[];
  /** How much of a coefficient one unit of each coordinate is: 1, unless the descent has its own coordinates. */
  units(spread: number): readonly number[];
  /** Variance of one row's gradient, per coordinate. */
  readonly variance: number;
  /** Norm of all coefficients. */
  readonly length: number;
  /** Distance to the minimum, per coordinate. */
  readonly distance: number;
}

/** Features fill all of their bounds, or half; or bounds were declared cautiously and are five times too wide. */
export const EVEN = 1;
export const NARROW = 1 / 5;
export const SPREADS: readonly number[] = [EVEN, 1 / 2, NARROW];
/**
 * The curvature at the minimum, relative to the largest: residuals of the size of the loss's transition, probabilities
 * not all 1/2.
 */
const TYPICAL_BEND = 1 / 2;
/** For `weightedLogistic`, which is linear for one of the two classes. */
const TYPICAL_BEND_OF_ONE = 1 / 4;
/** For counts, whose mean is mostly far below the largest declared. */
const TYPICAL_BEND_OF_COUNTS = 1 / 8;
/** The slope there, relative to the steepest: pseudo-Huber at the residual where its curvature is half of that at 0. */
const TYPICAL_SLOPE = 0.6;
/** Losses have less curvature away from their minimum than at it. */
export const FLATTENING = 1 / 2;
/**
 * The size of a typical residual under the squared loss, whose slopes are unbounded or have a bound that is out of
 * reach.
 */
const TYPICAL_RESIDUAL = 0.3;
/** For classes: the variance of a 0 or 1 is at most 1/4. */
const LARGEST_DEVIATION = 1 / 2;
const LENGTH = 1 / 2;
const LENGTH_OF_LOG_ODDS = 3;

export function privateModel(
  loss: Loss,
  scaling: Scaling,
  { radius, rowLength: given }: { readonly radius: number; readonly rowLength?: number },
): PrivateModel {
  const { intercept, features } = scaling;
  const size = features.length + (intercept ? 1 : 0);
  const norm = scaledNorm(scaling);
  const bounds = domain({ features: size, norm, target: scaledTarget(scaling), radius });
  const lengthOf = (spread: number): number => Math.sqrt(sum(momentsOf(scaling, spread)));
  if (given !== undefined && given !== Infinity) requirePositive('rowLength', given);
  const rowLength = Math.min(norm, given ?? lengthOf(NARROW));
  const bend = (loss.smoothness(bounds) - loss.penalty) / norm ** 2;
  const usualBend = bend * typicalBend(loss, scaling);
  const steepest = loss.lipschitz(bounds) / norm;
  const isScaled = loss.targets.least === -Infinity;
  const length = isScaled ? LENGTH : LENGTH_OF_LOG_ODDS;
  const weightOf = (spread: number): number => Math.min(1, rowLength / lengthOf(spread));
  const even = momentsOf(scaling, EVEN).slice(0, features.length);
  const slope = slopeOf(loss, scaling, { usualBend, steepest });
  return {
    domain: bounds,
    moments: spread => momentsOf(scaling, spread),
    rowLength,
    bend,
    steepest,
    usualBend,
    slope,
    lipschitz: steepest * rowLength,
    // w ||x||^2 = min(||x||^2, R ||x||)
    largestCurvature: bend * rowLength * norm + loss.penalty,
    curvatures: spread =>
      momentsOf(scaling, spread).map(moment => usualBend * weightOf(spread) * moment + loss.penalty),
    units: () => Array.from({ length: size }, () => 1),
    variance: ((slope * weightOf(EVEN)) ** 2 * sum(even)) / even.length,
    length,
    distance: length / Math.sqrt(size),
  };
}

/** The model with the slopes and curvature of a loss at normal residuals of a typical size, where targets fill a share. */
export function atResiduals(
  model: PrivateModel,
  { loss, scaling, fill }: { readonly loss: Loss; readonly scaling: Scaling; readonly fill: number },
): PrivateModel {
  const { bend, rowLength } = model;
  const size = Math.min(TYPICAL_RESIDUAL * fill, TRANSITIONS * transitionOf(loss));
  let [weight, slopes, bends] = [0, 0, 0];
  for (let k = -NODES; k <= NODES; k++) {
    const z = (REACH * k) / NODES;
    const density = Math.exp(-(z ** 2) / 2);
    weight += density;
    slopes += density * loss.slope(0, size * z) ** 2;
    bends += density * slopeOfSlope(loss, 0, size * z);
  }
  const [slope, usualBend] = [Math.sqrt(slopes / weight), Math.min(bend, bends / weight)];
  const lengthOf = (spread: number): number => Math.sqrt(sum(momentsOf(scaling, spread)));
  const weightOf = (spread: number): number => Math.min(1, rowLength / lengthOf(spread));
  const own = momentsOf(scaling, fill).slice(0, scaling.features.length);
  return {
    ...model,
    usualBend,
    slope,
    curvatures: spread =>
      momentsOf(scaling, spread).map(moment => usualBend * weightOf(spread) * moment + loss.penalty),
    variance: ((slope * weightOf(fill)) ** 2 * sum(own)) / own.length,
  };
}

/** Who chooses a loss chooses its transition by the residuals to expect: they are hardly larger than this many of it. */
const TRANSITIONS = 2;

/** The residual at which a loss has half of its curvature; the largest between scaled targets where it has more there. */
function transitionOf(loss: Loss): number {
  const half = slopeOfSlope(loss, 0, 0) / 2;
  let [near, far] = [0, LARGEST_RESIDUAL];
  if (slopeOfSlope(loss, 0, far) >= half) return far;
  for (let halving = 0; halving < 50; halving++) {
    const middle = (near + far) / 2;
    if (slopeOfSlope(loss, 0, middle) >= half) near = middle;
    else far = middle;
  }
  return far;
}

const LARGEST_RESIDUAL = 2;

/** Of a sum over normal residuals. */
const NODES = 100;
const REACH = 6;

function typicalBend(loss: Loss, scaling: Scaling): number {
  if (loss.kernel?.kind === 'weighted-logistic') return TYPICAL_BEND_OF_ONE;
  return isPoissonWithin(loss, scaling) ? TYPICAL_BEND_OF_COUNTS : TYPICAL_BEND;
}

/** The size of a row's slope: a share of the steepest, except for losses about which more is known. */
function slopeOf(
  loss: Loss,
  scaling: Scaling,
  { usualBend, steepest }: Pick<PrivateModel, 'usualBend' | 'steepest'>,
): number {
  if (loss.kernel?.kind.endsWith('logistic')) return LARGEST_DEVIATION;
  // A count varies by the square root of its rate, which is also the curvature of the loss there.
  if (isPoissonWithin(loss, scaling)) return Math.sqrt(usualBend);
  const isSquared = loss.kernel?.kind === 'squared' || isSquaredWithin(loss, scaling);
  return Number.isFinite(steepest) && !isSquared ? TYPICAL_SLOPE * steepest : TYPICAL_RESIDUAL;
}

/** For every coordinate, the intercept last, where numbers fill a given share of their bounds. */
function momentsOf({ features, byNorm, intercept }: Scaling, spread: number): readonly number[] {
  const counts = levelCounts(features);
  const even = spread ** 2 / 3 / (byNorm ? features.length : 1);
  const own = features.map(({ levelOf }) => (levelOf === undefined ? even : 1 / counts.get(levelOf)!));
  return intercept ? [...own, 1] : own;
}

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/**
 * The model of a private plan whose first release is of second moments, and whose steps are taken in coordinates
 * whitened by them (`sample/whitening.ts`): rows vary by about 1 in every direction whatever their bounds, as far as
 * noise does not hide it.
 *
 *   R = sqrt(size) / 2;   weight = R / sqrt(size);   curvature_k = bend weight l_k / (l_k + f);   unit_k = 1 / sqrt(l_k + f)
 *
 *   l_k -> moments, f -> momentFloor, R -> rowLength: hardly any row is shorter, and both noise and the weights
 *   R / ||z|| are proportional to it
 *
 * So noise is shaped like the rows: proportional to sqrt(l_k), whereas noise on gradients of scaled rows is the same in
 * every direction. Coefficients of whitened rows are assumed to be as long as those of scaled rows: the effect of
 * features on a target is bounded by it, whatever their units. No curvature exceeds `bend`: weights are a half, which
 * leaves that margin for moments that noise made too small.
 */

const WEIGHT = 1 / 2;

/** `sigma` is the noise of each second moment. */
export function whitenedModel(model: PrivateModel, features: number, sigma: number): PrivateModel {
  const { bend, steepest, slope } = model;
  const size = model.moments(1).length;
  const rowLength = WEIGHT * Math.sqrt(size);
  const norm = momentNorm(model, features);
  const axes = (spread: number): readonly { readonly seen: number; readonly unit: number }[] => {
    const own = model.moments(spread).slice(0, features);
    const count = Math.min(1, norm / normOf(own));
    const floor = momentFloor(features, sigma / count);
    const found = own.map(moment => ({
      seen: moment / (moment + floor),
      unit: 1 / Math.sqrt(moment + floor),
    }));
    return size > features ? [...found, { seen: 1, unit: 1 }] : found;
  };
  return {
    ...model,
    rowLength,
    lipschitz: steepest * rowLength,
    largestCurvature: bend,
    curvatures: spread => axes(spread).map(({ seen }) => typicalCurvature(model) * seen),
    units: spread => axes(spread).map(({ unit }) => unit),
    variance: (slope * WEIGHT) ** 2,
  };
}

/** The weight of whitened rows of such a length, in units of that of rows that vary by 1 in every direction. */
export const weightOfLength = ({ rowLength }: PrivateModel, length: number): number =>
  Math.min(1, rowLength / length) / WEIGHT;

/** Along a direction in which noise hides nothing. */
export const typicalCurvature = ({ usualBend }: PrivateModel): number => usualBend * WEIGHT;

/**
 * N of `momentSummer`: the norm for a row whose features fill a fifth of their bounds, with a target at the end of its
 * bounds.
 */
export const momentNorm = (model: PrivateModel, features: number): number =>
  normOf(model.moments(NARROW).slice(0, features));

/** A target's mean takes little of a row's norm if it is measured in units of this many times the largest target. */
export const TARGET_UNITS = 2;

const normOf = (moments: readonly number[]): number => Math.hypot(1 + sum(moments), 1 / TARGET_UNITS);
