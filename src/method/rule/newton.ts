import {
  ArgumentError,
  refuse,
  requireKnown,
  requireNonNegative,
  requireSymmetric,
  requireVector,
} from '../../errors.ts';
import { cholesky } from '../../math/cholesky.ts';
import { addScaled, dot, subtract, times, type Vector } from '../../math/vector.ts';
import type { Gradient } from '../../sample/gradientSums.ts';
import type { Constraint } from '../constraint/constraint.ts';
import { nearestIn } from '../constraint/nearestIn.ts';
import type { UpdateRule } from './updateRule.ts';

/** Where Newton's method stands: its point, the curvature it divides by, and the best point so far. */
export interface NewtonState {
  readonly theta: Vector;
  readonly curvature: Float64Array;
  /** Where the shortest step so far began. */
  readonly best: { readonly theta: Vector; readonly gradient: Vector; readonly length: number } | null;
}

/** Noise makes step lengths vary, but an overshoot grows from step to step; this factor separates the two. */
const GROWTH = 4;

/**
 * Newton's method with a curvature measured beforehand, over a set C:
 *
 *   theta <- argmin over v in C of  g.(v - theta) + (v - theta)'A(v - theta)/2
 *
 * which is theta - A^-1 g over R^p, and the nearest point to that in the norm of A over a set.
 *
 * A is estimated from few rows and may be too small in directions in which few of them vary; steps would then grow from
 * one to the next. So if a step, measured in the A-norm, is more than four times as long both as the shortest step
 * before it and as the step that noise alone makes, the run returns to where that shortest step began. A is then
 * increased along the direction d taken from there, to the curvature c = d.(g - g_back) observed along it:
 *
 *   A <- A + (c - d'Ad) (Ad)(Ad)' / (d'Ad)^2
 *
 *   g -> gradient, A -> curvature, C -> constraint
 */
export function newton(options: {
  /** Row-major, positive definite. */
  readonly curvature: Float64Array;
  /** All of R^p by default. */
  readonly constraint?: Constraint;
  /**
   * The length of a step due to noise alone, if steps see different rows: a step may be short by chance. 0 by default.
   */
  readonly noise?: number;
}): UpdateRule<NewtonState> {
  requireKnown(options, 'constraint curvature noise');
  const { curvature, constraint, noise = 0 } = options;
  requireVector('curvature', curvature);
  const size = Math.sqrt(curvature.length);
  if (!Number.isInteger(size)) refuse('the length of curvature', 'be a square', curvature.length);
  requireNonNegative('noise', noise);
  const measured = requireSymmetric('curvature', curvature, size).slice();

  const minimize = ({ theta, curvature: A }: NewtonState, gradient: Vector): Vector => {
    const factor = cholesky(A, size);
    if (factor === undefined)
      throw new ArgumentError('curvature must be positive definite', 'ERR_ARGUMENT', { argument: 'curvature' });
    const free = addScaled(theta, -1, factor.solve(gradient));
    return constraint === undefined ? free : nearestIn(constraint, A, free);
  };

  return Object.freeze({
    name: 'newton',
    init: (start: Vector): NewtonState => {
      const given = requireVector('start', start, size);
      // The nearest point in the norm of the curvature is the constrained optimum, if the start was the unconstrained
      // one.
      const theta = constraint === undefined ? given.slice() : nearestIn(constraint, measured, given);
      return { theta, curvature: measured, best: null };
    },
    query: ({ theta }: NewtonState) => theta,
    step: (state: NewtonState, { values }: Gradient): NewtonState => {
      const gradient = requireVector('gradient', values, size).slice();
      const { theta, curvature: A, best } = state;
      const next = minimize(state, gradient);
      const length = lengthIn(A, subtract(next, theta));
      if (best === null || length <= GROWTH * Math.max(best.length, noise)) {
        const shortest = best === null || length < best.length ? { theta, gradient, length } : best;
        return { theta: next, curvature: A, best: shortest };
      }
      const back = {
        ...state,
        theta: best.theta,
        curvature: grown(A, subtract(theta, best.theta), subtract(gradient, best.gradient)),
      };
      const retry = minimize(back, best.gradient);
      const shorter = { ...best, length: lengthIn(back.curvature, subtract(retry, best.theta)) };
      return { theta: retry, curvature: back.curvature, best: shorter };
    },
    iterate: ({ theta }: NewtonState) => theta,
  });
}

/** The norm of v in a metric A, row-major. */
export const lengthIn = (A: Float64Array, v: Vector): number => Math.sqrt(Math.max(0, dot(v, times(A, v))));

/** At least doubles the curvature along the direction: it was too small, however noisy the measurement was. */
function grown(A: Float64Array, way: Vector, change: Vector): Float64Array {
  const bent = times(A, way);
  const before = dot(way, bent);
  if (!(before > 0)) return A;
  const growth = Math.max(dot(way, change), 2 * before) - before;
  const size = way.length;
  const along = A.map((value, at) => {
    const [i, j] = [Math.floor(at / size), at % size];
    return value + growth * (bent[i]! / before) * (bent[j]! / before);
  });
  // If the rank-one update is not representable in doubles, increase all directions equally.
  const isSound = along.every(Number.isFinite) && cholesky(along, size) !== undefined;
  return isSound ? along : A.map(value => GROWTH * value);
}
