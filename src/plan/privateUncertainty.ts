/**
 * How far the coefficients of a private run may be off, from what its plan declares, a stated model (privateModel.ts) and what the run released; nothing else is read off the data.
 *
 *   error_j = t e_j / s_j,   error of the intercept = sqrt((t e_p)^2 + sum of (c_j error_j)^2)
 *
 *   e -> the predicted error of scaled coefficients, t -> the target's scale, s and c -> scale and centre of a feature
 *
 * The model: features spread evenly over their declared bounds and are not much alike. Noise is known, and so is how it adds up; how much the rows would resist it is not.
 * Features that fill less of their bounds resist less, so the same is also given for a fifth of them.
 *
 * Where second moments were released, how features vary is known instead, from them or, where their noise hides it, from the path that the steps took; of two lower bounds the larger one counts. Errors e_k are then along the axes v_k of the whitened rows, each by itself:
 *
 *   error_j = t/s_j sqrt(sum over k of (v_kj e_k)^2),   and of the intercept: t sqrt(e_p^2 + sum over k of (v_k'(m + c/s) e_k)^2)
 */
import { normalQuantile } from '../math/normalQuantile.ts';
import type { Vector } from '../math/vector.ts';
import type { Scaling } from '../sample/scaling.ts';
import type { WhiteAxis, Whitening } from '../sample/whitening.ts';
import type { PrivatePlan } from './planPrivate.ts';
import { predictError } from './predictError.ts';

export interface PrivateUncertainty {
  readonly level: number;
  readonly errors: Vector;
  /** Standard errors of each interval, and of all at once (Bonferroni). */
  readonly reach: number;
  readonly radius: number;
  /** How many times as far off where features fill a fifth of their bounds; null where what they fill was released. */
  readonly ifNarrow: number | null;
}

const LEVEL = 0.95;

/** What a run that released second moments tells of its rows. */
export interface Released {
  /** The coordinates of its steps; null where they are those of the scaled rows. */
  readonly whitening: Whitening | null;
  /** Of whitened rows, at least, by the path of the steps (pathCurvature.ts). */
  readonly curvatures: Vector | null;
  /** The mean of the last gradients, which is longer than 0 where steps ended before the answer. */
  readonly rest: Vector;
}

/** Null for rules that the model does not describe. */
export function privateUncertainty(
  plan: Pick<PrivatePlan, 'predicted' | 'predictedIfNarrow' | 'scaling' | 'moments' | 'descent'>,
  released: Released = { whitening: null, curvatures: null, rest: new Float64Array() },
): PrivateUncertainty | null {
  const { predicted, predictedIfNarrow, scaling } = plan;
  const { whitening } = released;
  if (predicted === null || predictedIfNarrow === null) return null;
  const errors =
    whitening === null ? unscaledErrors(predicted.each, scaling) : errorsAlong(whitening, released, plan);
  const quantile = (sides: number): number => normalQuantile(1 - (1 - LEVEL) / sides);
  return Object.freeze({
    level: LEVEL,
    errors,
    reach: quantile(2),
    radius: quantile(2 * errors.length),
    ifNarrow: whitening === null ? predictedIfNarrow.total / predicted.total : null,
  });
}

/** Rows may vary by less than the noise lets see, up to two floors, and then steps along that axis end too early. */
const HIDDEN = 2;
const LEAST_SEEN = 1e-3;

function errorsAlong(
  { axes, centre, intercept }: Whitening,
  { curvatures: byPath, rest }: Released,
  { moments, descent, scaling: { features, target } }: Pick<PrivatePlan, 'scaling' | 'moments' | 'descent'>,
): Vector {
  const curvatureOf = ({ moment, floor, spread }: WhiteAxis, k: number): number => {
    const byMoment = moments!.curvature * Math.max(LEAST_SEEN, (moment - HIDDEN * floor) / spread ** 2);
    return Math.min(moments!.curvature, Math.max(byMoment, byPath?.[k] ?? 0));
  };
  const curvatures = [...axes.map(curvatureOf), ...(intercept ? [moments!.curvature] : [])];
  const units = [...axes.map(({ spread }) => 1 / spread), ...(intercept ? [1] : [])];
  // All of the length may be along one axis.
  const distance = descent!.distance * Math.sqrt(units.length);
  const predicted = predictError({ ...descent!, distance, curvatures, units });
  // As far off as the last gradients say that the minimum is, but no further than the start was.
  const missing = (k: number): number => Math.min(distance, Math.abs(rest[k]!) / curvatures[k]!);
  const each = predicted.each.map((error, k) => Math.hypot(error, units[k]! * missing(k)));
  const length = (parts: readonly number[]): number => target.scale * Math.hypot(...parts);
  const slopes = features.map(
    ({ scale }, j) => length(axes.map(({ direction }, k) => direction[j]! * each[k]!)) / scale,
  );
  if (!intercept) return Float64Array.from(slopes);
  const shift = features.map((axis, j) => centre[j]! + axis.centre / axis.scale);
  const along = (direction: Vector): number =>
    shift.reduce((sum, value, j) => sum + value * direction[j]!, 0);
  const moved = axes.map(({ direction }, k) => along(direction) * each[k]!);
  return Float64Array.from([...slopes, length([each.at(-1)!, ...moved])]);
}

function unscaledErrors(each: readonly number[], { features, target, intercept }: Scaling): Vector {
  const errors = Float64Array.from(each, error => error * target.scale);
  let square = 0;
  features.forEach(({ centre, scale }, j) => {
    errors[j]! /= scale;
    square += (errors[j]! * centre) ** 2;
  });
  if (intercept) errors[features.length] = Math.sqrt(errors[features.length]! ** 2 + square);
  return errors;
}
