import { dot, type Vector } from './vector.ts';

/** The product A v, with A row-major. */
export const times = (A: Float64Array, v: Vector): Vector =>
  v.map((_, i) => dot(A.subarray(i * v.length, (i + 1) * v.length), v));
