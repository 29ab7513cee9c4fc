import type { Vector } from './vector.ts';

/**
 * A linear change of variables, theta = P phi, as the two maps that algorithms need. P may have fewer columns than
 * rows.
 */
export interface Coordinates {
  /** The length of theta. */
  readonly size: number;
  /** The length of phi. */
  readonly rank: number;
  /** P phi */
  toTheta(phi: Vector): Vector;
  /** P' g: the gradient with respect to phi of a function whose gradient with respect to theta is g. */
  ofGradient(gradient: Vector): Vector;
}
