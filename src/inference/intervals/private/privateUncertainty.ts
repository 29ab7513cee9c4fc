import { normalQuantile } from '../../../math/normalQuantile.ts';
import { dot, type Vector, zeros } from '../../../math/vector.ts';
import type { PrivatePlan } from '../../../plan/private/planPrivate.ts';
import { descentError, predictError } from '../../../plan/private/predictError.ts';
import { type Scaling, unscale } from '../../../sample/transform/scaling.ts';
import { turnOf, unwhiten, type WhiteAxis, type Whitening } from '../../../sample/transform/whitening.ts';
import { type ReleasedCurvature, type RiskAxis, riskAxes } from './riskAxes.ts';

/**
 * The errors of the coefficients of a private run, from what its plan declares and what the run released; nothing else
 * is computed from the data.
 *
 * Where second moments were released, so was the curvature of the risk and the variance of gradients
 * (riskAxes.ts). Along the axes a_i of the risk, independently:
 *
 *   error_j^2 = sum over i of ((A a_i)_j e_i)^2 + (sum over i of |(A a_i)_j| l_i)^2
 *
 *   A -> from the coordinates of the steps to coefficients, e -> noise and sampling error of the descent at that
 *   curvature, l -> the remaining distance after the last step, which may have the same sign along all axes
 *
 * The remaining distance is what the model of the descent predicts, but not more than the last gradients allow, nor
 * less than they show.
 *
 * Otherwise by a stated model (privateModel.ts), of features that fill a fifth of their declared bounds and are only
 * weakly collinear, and of residuals of typical size:
 *
 *   error_j = t e_j / s_j,   error of the intercept = sqrt((t e_p)^2 + sum of ((|c_j| + 4/5 s_j) error_j)^2)
 *
 *   e -> the predicted error of scaled coefficients, t -> the target's scale, s and c -> scale and centre of a feature, whose
 *   values may lie at one end of its bounds, 4/5 s from c: the intercept then takes what slopes are off there
 *
 * In that case the noise is known, and so is how it adds up; the curvature of the risk is not, nor how far the steps
 * had to go. Features that fill all of their bounds give more curvature, so the errors they would have are given too.
 */
export interface PrivateUncertainty {
  readonly level: number;
  readonly errors: Vector;
  /** Standard errors per interval, for each by itself and for all jointly (Bonferroni). */
  readonly reach: number;
  readonly radii: Vector;
  /** The errors relative to these, if features fill all of their bounds; null where what they fill was released. */
  readonly ifEven: number | null;
  /**
   * Whether the last gradients show a larger remaining distance, along some direction, than the largest assumed effect;
   * the errors do not allow for it.
   */
  readonly isShort: boolean;
}

const LEVEL = 0.95;

/** What a run that released second moments reveals about its rows. */
export interface Released {
  /** The coordinates of its steps. */
  readonly whitening: Whitening;
  readonly curvature: ReleasedCurvature;
  /** The mean of the last gradients, which exceeds its noise where the steps ended before the solution. */
  readonly rest: { readonly mean: Vector; readonly variance: number };
  /** The distance from the start to the estimate. */
  readonly gone: number;
}

/** Null for rules that the model does not describe. */
export function privateUncertainty(
  plan: Pick<PrivatePlan, 'plan' | 'predicted' | 'cautious' | 'scaling' | 'curvatureRelease' | 'descent'>,
  released: Released | null = null,
): PrivateUncertainty | null {
  const { predicted, cautious, scaling } = plan;
  if (predicted === null || cautious === null) return null;
  const { errors, isShort } =
    released === null ? { errors: unscaledErrors(cautious.each, scaling), isShort: false } : errorsBy(released, plan);
  const quantile = (sides: number): number => normalQuantile(1 - (1 - LEVEL) / sides);
  return Object.freeze({
    level: LEVEL,
    errors,
    reach: quantile(2),
    radii: errors.map(() => quantile(2 * errors.length)),
    ifEven: released === null ? descentError(predicted) / cautious.total : null,
    isShort,
  });
}

function errorsBy(
  { whitening, curvature, rest, gone }: Released,
  {
    plan: { rows },
    curvatureRelease,
    descent,
    scaling,
  }: Pick<PrivatePlan, 'plan' | 'scaling' | 'curvatureRelease' | 'descent'>,
): Pick<PrivateUncertainty, 'errors' | 'isShort'> {
  const axes = riskAxes(curvature, seenOf(whitening), curvatureRelease!);
  // All of the distance may be along one axis, and be more than was expected.
  const distance = Math.max(gone, descent!.distance * Math.sqrt(axes.length));
  const errorsAlong = ({ direction, curvature, variance }: RiskAxis) => {
    const found = predictError({
      ...descent!,
      distance,
      curvatures: [curvature],
      sharedVariance: variance / rows,
    });
    const pull = Math.abs(dot(direction, rest.mean));
    const least = Math.sqrt(Math.max(0, pull ** 2 - rest.variance)) / curvature;
    const most = (pull + Math.sqrt(rest.variance)) / curvature;
    const left = Math.min(distance, most, Math.max(least, found.distance));
    return { noise: found.noise, left, isShort: least > distance };
  };
  const origin = unscale(zeros(axes.length), scaling);
  const [noises, lefts] = [zeros(axes.length), zeros(axes.length)];
  let isShort = false;
  for (const axis of axes) {
    const { noise, left, ...along } = errorsAlong(axis);
    isShort ||= along.isShort;
    const moved = unscale(unwhiten(axis.direction, whitening), scaling);
    for (let j = 0; j < axes.length; j++) {
      const share = Math.abs(moved[j]! - origin[j]!);
      noises[j] = Math.hypot(noises[j]!, share * noise);
      lefts[j]! += share * left;
    }
  }
  return { errors: noises.map((noise, j) => Math.hypot(noise, lefts[j]!)), isShort };
}

const LEAST_SEEN = 1e-3;

/**
 * A lower bound on the share of the variation of whitened rows that is not noise, in every coordinate. Only coordinates
 * with a share near 1 combine several axes.
 */
function seenOf({ axes, intercept }: Whitening): Vector {
  const shares = axes.map(({ moment, floor, spread }) => Math.max(LEAST_SEEN, (moment - HIDDEN * floor) / spread ** 2));
  const seen = turnOf(axes).map(turn => shares.reduce((sum, share, k) => sum + share * turn[k]! ** 2, 0));
  return Float64Array.from([...seen, ...(intercept ? [1] : [])]);
}

function unscaledErrors(each: readonly number[], { features, target, intercept }: Scaling): Vector {
  const errors = Float64Array.from(each, error => error * target.scale);
  let square = 0;
  features.forEach(({ centre, scale }, j) => {
    errors[j]! /= scale;
    square += (errors[j]! * (Math.abs(centre) + FURTHEST * scale)) ** 2;
  });
  if (intercept) errors[features.length] = Math.sqrt(errors[features.length]! ** 2 + square);
  return errors;
}

/** Of half the width of its bounds: where the values of a feature may be that fill a fifth of them. */
const FURTHEST = 4 / 5;

/** Up to twice the noise floor, noise may account for all of the released variation. */
const HIDDEN = 2;

interface HiddenFeature {
  readonly place: number;
  /** How much the feature may vary, in the units of scaled rows. */
  readonly spread: number;
}

/**
 * The features whose released second moments are within the range of noise alone, so that they may not vary at all:
 *
 *   sum over k of v_kj^2 l_k <= 2 (sum over k of v_kj^2 f_k);   spread^2 = sum over k of v_kj^2 s_k^2
 *
 *   v_k -> direction, l_k -> moment, f_k -> floor, s_k -> spread of an axis
 */
export function hiddenFeatures({ centre, axes }: Whitening): readonly HiddenFeature[] {
  const along = (j: number, read: (axis: WhiteAxis) => number): number =>
    axes.reduce((sum, axis) => sum + axis.direction[j]! ** 2 * read(axis), 0);
  return Array.from(centre, (_, j) => j)
    .filter(j => along(j, ({ moment, floor }) => moment - HIDDEN * floor) <= 0)
    .map(place => ({ place, spread: Math.sqrt(along(place, ({ spread }) => spread ** 2)) }));
}
