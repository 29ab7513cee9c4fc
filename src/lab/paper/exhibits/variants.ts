import type { Estimator, Prescription } from '../../../plan/theorem/prescription.ts';
import { composedNoise } from '../../../privacy/paperNoise.ts';

/** A theorem's prescription with deliberate changes: the readings and controls besides the paper's run. */

/** Every gradient from all rows. */
export const inFull = (given: Prescription, rows: number): Prescription => ({
  ...given,
  mode: 'full',
  chunkRows: rows,
});

/** Step t from chunk t of T disjoint ones. */
export const inChunks = (given: Prescription, rows: number): Prescription => ({
  ...given,
  mode: 'fresh',
  chunkRows: Math.floor(rows / given.steps),
});

/** Chunks for the median of means, with as many blocks of two rows as fit where the theorem's b is larger. */
export function inSmallChunks(given: Prescription, rows: number): Prescription {
  const split = inChunks(given, rows);
  const { estimator } = given as { estimator: Extract<Estimator, { kind: 'median-of-means' }> };
  const blocks = Math.max(1, Math.min(estimator.blocks, Math.floor(split.chunkRows / 2)));
  return { ...split, estimator: { ...estimator, blocks } };
}

/** Another T, with alg:PrivFWERM's noise for it. */
export function withComposedNoise(given: Prescription, steps = given.steps): Prescription {
  const { privacy, chunkRows: rows } = given;
  if (privacy === null) return { ...given, steps };
  return { ...given, steps, privacy: { ...privacy, sigma: composedNoise({ ...privacy, rows, steps }) } };
}

/** from, from + step, ..., up to `to`. */
export const grid = (from: number, to: number, step: number): number[] =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, k) => from + k * step);
