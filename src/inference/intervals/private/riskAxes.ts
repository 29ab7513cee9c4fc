import { symmetricEigen } from '../../../math/symmetricEigen.ts';
import { dot, times, type Vector } from '../../../math/vector.ts';
import { type Loss, slopeOfSlope } from '../../../method/loss/loss.ts';
import type { CurvaturePlan } from '../../../plan/private/privateApproach.ts';
import { curvaturePlaces } from '../../../sample/curvaturePlaces.ts';

/** The release after the last step. */
export interface ReleasedCurvature {
  /** Noised means over all rows, as `curvatureSummer` lays them out. */
  readonly values: Vector;
  readonly sigma: number;
  /** u. */
  readonly along: Vector;
  /** The expected curvature of the loss along u, at such slopes. */
  readonly expected: Bend;
}

/** A direction, and what the risk and the gradients are like along it. */
export interface RiskAxis {
  /** Of norm 1, in the coordinates of the steps. */
  readonly direction: Vector;
  readonly curvature: number;
  /** Variance of one row's gradient. */
  readonly variance: number;
}

const ERRORS = 2;

/** Relative to the largest: a smaller curvature could not be detected. */
const LEAST_CURVATURE = 1e-4;

/** Relative to the curvatures: negligible where they differ. */
const TILT = 0.01;

/** Above this, u is almost a coordinate and adds no information. */
const ONE_COORDINATE = 0.9;

/**
 * The axes of the risk around an estimate, each with its curvature and the variance of row gradients along it, from a
 * private release (`engine/kernel/wholeSummer.ts`):
 *
 *   H_kk = d_k,   H_kl = beta u_k u_l,   H_kp = m u_k,   beta = (h - sum of u_k^2 d_k) / (1 - sum of u_k^4)
 *
 *   d_k -> curvature along coordinate k, h -> along u, m -> between u and the intercept p
 *
 * In whitened coordinates, which are close to features, the curvature of a row depends on its features one by one, as
 * where the spread of residuals varies with one of them, or through its score: so u, the direction of the slopes, is
 * the only one whose curvature does not follow from the coordinates. The variance of gradients along an axis is taken
 * proportional to its curvature, as it is for every model whose loss is its likelihood, with the released total; but it
 * stays within two errors of what its coordinates show by themselves.
 *
 * Rows of equal variance should have equal curvature across u, and along it as much less as the loss implies
 * (`bendOfClasses`). So d_k is the common estimate of all coordinates, less two errors, times the share of the
 * variation along k that is not noise; but it stays within two errors of the estimate of k by itself, and h and m
 * likewise. Noise that hides curvatures makes intervals wide, never narrow.
 */
export function riskAxes(
  { values, sigma, along, expected }: ReleasedCurvature,
  seen: Vector,
  { bend, lipschitz }: Pick<CurvaturePlan, 'bend' | 'lipschitz'>,
): readonly RiskAxis[] {
  const size = seen.length;
  const error = ERRORS * sigma * bend;
  const places = curvaturePlaces(size);
  const gradients = values.subarray(places.gradients).map(value => lipschitz ** 2 * value);
  const gradientError = ERRORS * sigma * lipschitz ** 2;
  const shares = seen.map((share, k) => share * (1 + (expected.along - 1) * (along[k] ?? 0) ** 2));
  const across = (bend * total(values.subarray(0, size)) - error * Math.sqrt(size)) / total(shares);
  const own = shares.map((share, k) => within(across * share, bend * values[k]!, error));
  const level = across * total(along.map((u, k) => u ** 2 * seen[k]!));
  const alongSlopes = within(expected.along * level, bend * values[places.along]!, error);
  const between = within(expected.between * level, bend * values[places.between]!, error);
  const concentration = total(along.map(u => u ** 4));
  const beta =
    concentration > ONE_COORDINATE
      ? 0
      : (alongSlopes - total(along.map((u, k) => u ** 2 * own[k]!))) / (1 - concentration);
  const features = along.length;
  const matrix = new Float64Array(size * size);
  for (let a = 0; a < features; a++) {
    for (let b = 0; b < features; b++) matrix[a * size + b] = beta * along[a]! * along[b]!;
    if (size === features) continue;
    matrix[a * size + features] = between * along[a]!;
    matrix[features * size + a] = between * along[a]!;
  }
  for (let k = 0; k < size; k++) matrix[k * (size + 1)] = own[k]!;
  const variation = Math.max(0, total(gradients));
  // Where the risk has equal curvature in several directions, prefer those along which gradients vary differently.
  const tilted = matrix.slice();
  const tilt = variation > 0 ? (TILT * total(own)) / variation : 0;
  for (let k = 0; k < size; k++) tilted[k * (size + 1)]! += tilt * gradients[k]!;
  const axes = symmetricEigen(tilted, size).map(({ vector }) => ({
    direction: vector,
    curvature: Math.max(dot(vector, times(matrix, vector)), LEAST_CURVATURE * bend),
  }));
  const all = total(axes.map(({ curvature }) => curvature));
  const share = (variation + gradientError * Math.sqrt(size)) / all;
  return axes.map(axis => {
    const own = total(axis.direction.map((value, k) => value ** 2 * gradients[k]!));
    return { ...axis, variance: within(share * axis.curvature, Math.max(0, own), gradientError) };
  });
}

/** The number nearest to `value` within `error` of `middle`. */
const within = (value: number, middle: number, error: number): number =>
  Math.min(middle + error, Math.max(middle - error, value));

function total(values: ArrayLike<number>): number {
  let sum = 0;
  for (let k = 0; k < values.length; k++) sum += values[k]!;
  return sum;
}

/** The expected curvature of a loss along a direction of slopes. */
export interface Bend {
  readonly along: number;
  /** Between the intercept and the slopes. */
  readonly between: number;
}

/** For other losses, whose curvature depends on residuals: the same everywhere. */
const EVEN: Bend = /* @__PURE__ */ Object.freeze({ along: 1, between: 0 });

const REACH = 6;
const NODES = 1200;

/**
 * The expected curvature of a risk of classes along the slopes, relative to that across them. Only a class in doubt
 * adds curvature. Its score is near 0, and so is its position along the slopes: steep classes have little curvature
 * along them.
 *
 *   along = E[b t^2] / E[b],   between = E[b t] / E[b],   b = E[bend(s, y)],   s = c + l t
 *
 *   t -> the position along the slopes, standard normal as whitened features roughly are, l -> length of the slopes,
 *   c -> intercept, y -> 1 with the probability that s gives
 */
export function bendOfClasses(loss: Loss, length: number, intercept: number): Bend {
  if (loss.targets.most !== 1) return EVEN;
  let [all, place, square] = [0, 0, 0];
  for (let k = 0; k <= NODES; k++) {
    const t = REACH * ((2 * k) / NODES - 1);
    const score = intercept + length * t;
    const chance = 1 / (1 + Math.exp(-score));
    const bend =
      Math.exp(-(t ** 2) / 2) * (chance * slopeOfSlope(loss, score, 1) + (1 - chance) * slopeOfSlope(loss, score, 0));
    all += bend;
    place += bend * t;
    square += bend * t ** 2;
  }
  return all > 0 ? { along: square / all, between: place / all } : EVEN;
}
