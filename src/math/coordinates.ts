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

/**
 * a'M b, for a row-major matrix. Coordinates in which a or b is 0 are skipped, which changes no digit. There are many if
 * a table has more columns than rows, because columns that the rows cannot separate are dropped.
 */
export function form(a: Vector, M: Float64Array, b: Vector): number {
  const size = b.length;
  const places = Uint32Array.from(
    (function* () {
      for (let k = 0; k < size; k++) if (b[k] !== 0) yield k;
    })(),
  );
  let total = 0;
  for (let i = 0; i < size; i++) {
    const factor = a[i]!;
    if (factor === 0) continue;
    let sum = 0;
    for (let at = 0; at < places.length; at++) {
      const k = places[at]!;
      sum += M[i * size + k]! * b[k]!;
    }
    total += factor * sum;
  }
  return total;
}
