import { refuse, requireMembers, requireVector } from '../../errors.ts';
import { scaled, type Vector } from '../../math/vector.ts';

/** A closed convex set of parameters. */
export interface Constraint {
  readonly name: string;
  /** sup ||a - b||_2 over the set (the paper's ||C||_2). */
  readonly diameter: number;
  /** alpha_C of the paper's strongly convex sets: 1/D for the l2 ball, 0 if the set is not strongly convex. */
  readonly strongConvexity: number;
  /** Up to a tolerance relative to the size of the set, `rounding` by default. */
  contains(point: Vector, tolerance?: number): boolean;
  /** The nearest point of the set. */
  project(point: Vector): Vector;
  /**
   * The nearest point in the norm of a positive definite row-major matrix, for a point outside the set; undefined if
   * the method does not find one. Called by `nearestIn`.
   */
  projectIn?(metric: Float64Array, point: Vector): Vector | undefined;
  /** A point of the set that minimises the inner product with `gradient`; the centre if the gradient is 0. */
  minimizeLinear(gradient: Vector): Vector;
}

/** No constraint: R^p. */
export const everywhere = (): Constraint =>
  Object.freeze<Constraint>({
    name: 'everywhere',
    diameter: Infinity,
    strongConvexity: 0,
    contains: point => point.every(Number.isFinite),
    project: point => requireVector('point', point).slice(),
    minimizeLinear: () => refuse('constraint', 'be bounded for a linear minimiser', 'everywhere', 'use l2Ball(radius)'),
  });

/** For untyped callers, who may give a radius in place of a set. */
export const requireConstraint = (constraint: Constraint): Constraint =>
  requireMembers('constraint', 'be a set, such as `l2Ball(1)`', constraint, 'name diameter project');

/** Covers the rounding of a few thousand additions, but no error that matters. */
export const rounding = 1e-12;

/**
 * Moves a point that rounding may have left a few ulps outside the ball of `radius` toward 0, until its computed norm
 * is at most the radius. A projection is then feasible, and idempotent to the last bit.
 */
export function shrinkInto(radius: number, norm: (point: Vector) => number, point: Vector): Vector {
  let inside = point;
  // Doubling ends at a slack of 1, so the loop terminates for every radius, even a subnormal one.
  for (let slack = Number.EPSILON; norm(inside) > radius; slack *= 2) inside = scaled(point, 1 - slack);
  return inside;
}
