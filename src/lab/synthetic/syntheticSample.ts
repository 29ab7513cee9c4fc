import { requireInteger, requireVector } from '../../errors.ts';
import type { Random } from '../../math/random/random.ts';
import type { Vector } from '../../math/vector.ts';
import { type Arena, columnArena } from '../../sample/arena.ts';
import { type SampleBatch, sampleBatch } from '../../sample/sampleBatch.ts';
import { columnDraws } from './columnDraws.ts';
import type { Covariates, Response } from './covariates.ts';

/** Rows drawn from a known model, and the parameter theta* they were drawn with. */
export interface SyntheticSample {
  readonly batch: SampleBatch;
  readonly truth: Vector;
}

/**
 * Independent rows (x, y): x by `covariates`, then y by `response` to the score x.theta*. Every stream serves one
 * column or rows in order, so the first k of many rows are the rows of a sample of k. The rows are in an arena, where
 * kernels read them in place.
 */
export function syntheticSample({
  rows,
  truth,
  covariates,
  response,
  random,
  arena: make = (features, capacity) => columnArena({ features, capacity, slots: 1 }),
}: {
  rows: number;
  truth: Vector;
  covariates: Covariates;
  response: Response;
  random: Random;
  /**
   * Provides the memory for the rows: an arena with a slot of that many features and at least that many rows; a new one
   * by default.
   */
  arena?: ((features: number, rows: number) => Arena) | undefined;
}): SyntheticSample {
  requireInteger('rows', rows, 1);
  const features = requireVector('truth', truth).length;
  const arena = make(features, rows);
  const slot = arena.slots[0]!;
  const columns = slot.columns.map(column => column.subarray(0, rows));
  const target = slot.target.subarray(0, rows).fill(0);
  const draws = columnDraws(arena);
  covariates(() => draws.begin(random), columns);
  // In pieces, whose scores stay in cache while the columns are added.
  for (let start = 0; start < rows; start += PIECE_ROWS) {
    const scores = target.subarray(start, start + PIECE_ROWS);
    columns.forEach((column, j) => {
      draws.addScaled(scores, column.subarray(start, start + PIECE_ROWS), truth[j]!);
    });
  }
  response(draws.begin(random), target);
  return { batch: sampleBatch(columns, target), truth };
}

const PIECE_ROWS = 1024;
