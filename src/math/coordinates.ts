/**
 * A linear change of variables, theta = P phi, as the two maps that algorithms need of it. P may have fewer columns
 * than rows.
 */
import type { Vector } from './vector.ts';

export interface Coordinates {
  /** Of theta. */
  readonly size: number;
  /** Of phi. */
  readonly rank: number;
  /** P phi */
  toTheta(phi: Vector): Vector;
  /** P' g: the gradient in phi of what has the gradient g in theta. */
  ofGradient(gradient: Vector): Vector;
}
