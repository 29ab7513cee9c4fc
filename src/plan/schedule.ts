import { refuse, requireInteger } from '../errors.ts';

/**
 * How n rows are cut into T disjoint chunks, in order; rows that no chunk takes are reported as left over.
 *
 *   uniform    floor(n/T) rows each (alg:RobPGDNFW)
 *   geometric  sizes proportional to q^(T-1-t): late steps, whose errors no later step contracts, get more rows.
 *              With a contraction k < sqrt(q) < 1 per step the error is sqrt(p/n), without the sqrt(T) of equal chunks.
 *
 *   n -> rows, T -> steps, q -> ratio
 */
export interface Schedule {
  /** Rows of each step's chunk. */
  readonly chunks: readonly number[];
  readonly leftOver: number;
}

/** Chunks of floor(rows/steps) rows each. */
export function uniformChunks({ rows, steps }: { readonly rows: number; readonly steps: number }): Schedule {
  requireRoom(rows, steps, 1);
  const size = Math.floor(rows / steps);
  return schedule(
    rows,
    Array.from({ length: steps }, () => size),
  );
}

/**
 * Chunks that grow by 1/ratio from step to step, each with at least `least` rows.
 *
 * @example
 * geometricChunks({ rows: 70, steps: 3, ratio: 0.5 }).chunks; // [10, 20, 40]
 */
export function geometricChunks({
  rows,
  steps,
  ratio,
  least = 1,
}: {
  readonly rows: number;
  readonly steps: number;
  readonly ratio: number;
  readonly least?: number;
}): Schedule {
  if (!(ratio > 0 && ratio <= 1)) refuse('ratio', 'be in (0, 1]', ratio);
  requireInteger('least', least, 1);
  requireRoom(rows, steps, least);
  // The first `short` chunks, whose share would be below `least`, get exactly that; the others share what remains.
  const weights = Array.from({ length: steps }, (_, t) => ratio ** (steps - 1 - t));
  let weight = weights.reduce((sum, w) => sum + w, 0);
  let free = rows;
  let short = 0;
  while (short < steps - 1 && (free * weights[short]!) / weight < least) {
    weight -= weights[short]!;
    free -= least;
    short++;
  }
  const whole = weights.map((w, t) => (t < short ? least : Math.max(least, Math.floor((free * w) / weight))));
  // Rounding down leaves less than one row per chunk; the last chunks take one each, so every size is within a row of
  // its share.
  const spared = rows - whole.reduce((sum, size) => sum + size, 0);
  return schedule(
    rows,
    whole.map((size, t) => (t < steps - spared ? size : size + 1)),
  );
}

function requireRoom(rows: number, steps: number, least: number): void {
  requireInteger('rows', rows, 1);
  requireInteger('steps', steps, 1);
  if (steps * least > rows) {
    refuse('rows', `be at least steps x ${least} = ${steps * least}`, rows, 'use more rows or fewer steps');
  }
}

function schedule(rows: number, chunks: readonly number[]): Schedule {
  const used = chunks.reduce((sum, size) => sum + size, 0);
  return Object.freeze({ chunks: Object.freeze(chunks), leftOver: rows - used });
}
