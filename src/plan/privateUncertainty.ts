/**
 * How far the coefficients of a private run may be off, from what its plan declares and a stated model (privateModel.ts); nothing is read off the data, so nothing is released.
 *
 *   error_j = t e_j / s_j,   error of the intercept = sqrt((t e_p)^2 + sum of (c_j error_j)^2)
 *
 *   e -> the predicted error of scaled coefficients, t -> the target's scale, s and c -> scale and centre of a feature
 *
 * The model: features spread evenly over their declared bounds and are not much alike. Noise is known, and so is how it adds up; how much the rows would resist it is not.
 * Features that fill less of their bounds resist less, so the same is also given for a fifth of them.
 */
import { normalQuantile } from '../math/normalQuantile.ts';
import type { Vector } from '../math/vector.ts';
import type { Scaling } from '../sample/scaling.ts';
import type { PrivatePlan } from './planPrivate.ts';

export interface PrivateUncertainty {
  readonly level: number;
  readonly errors: Vector;
  /** Standard errors of each interval, and of all at once (Bonferroni). */
  readonly reach: number;
  readonly radius: number;
  /** How many times as far off where features fill a fifth of their bounds. */
  readonly ifNarrow: number;
}

const LEVEL = 0.95;

/** Null for rules that the model does not describe. */
export function privateUncertainty({
  predicted,
  predictedIfNarrow,
  scaling,
}: Pick<PrivatePlan, 'predicted' | 'predictedIfNarrow' | 'scaling'>): PrivateUncertainty | null {
  if (predicted === null || predictedIfNarrow === null) return null;
  const errors = unscaledErrors(predicted.each, scaling);
  const quantile = (sides: number): number => normalQuantile(1 - (1 - LEVEL) / sides);
  return Object.freeze({
    level: LEVEL,
    errors,
    reach: quantile(2),
    radius: quantile(2 * errors.length),
    ifNarrow: predictedIfNarrow.total / predicted.total,
  });
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
