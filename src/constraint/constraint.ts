import type { Vector } from '../math/vector.ts';

/** A closed convex set of parameters. */
export interface Constraint {
  readonly name: string;
  /** sup ||a - b||_2 over the set (the paper's ||C||_2). */
  readonly diameter: number;
  /** alpha_C of the paper's strongly convex sets: 1/D for the l2 ball, 0 where the set is not. */
  readonly strongConvexity: number;
  /** Up to a tolerance relative to the size of the set, `rounding` unless told. */
  contains(point: Vector, tolerance?: number): boolean;
  /** The nearest point of the set. */
  project(point: Vector): Vector;
  /**
   * The nearest point in the norm of a positive definite matrix, row-major, for a point outside; undefined where it
   * does not find one. `nearestIn` asks for it.
   */
  projectIn?(metric: Float64Array, point: Vector): Vector | undefined;
  /** A point of the set with the least inner product with `gradient`; the centre where the gradient is 0. */
  minimizeLinear(gradient: Vector): Vector;
}

/** Covers what a few thousand additions can round, and no mistake anybody would care about. */
export const rounding = 1e-12;
