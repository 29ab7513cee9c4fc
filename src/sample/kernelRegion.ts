import { requireInteger } from '../math/check.ts';
import { linePlaces } from './linePlaces.ts';

/**
 * Where a compiled kernel keeps what is not rows: byte offsets into the low end of an arena, because a kernel can reach
 * one memory only. Everything starts on a cache line of its own.
 */
export interface KernelRegion {
  /** What threads tell each other: 32-bit words at the places of `CONTROL`. */
  readonly control: number;
  /** What to sum. */
  readonly job: number;
  /** One coefficient per feature, then the intercept. */
  readonly theta: number;
  /** One address per feature. */
  readonly columns: number;
  /** The first row of every tile, and the end of the last. */
  readonly starts: number;
  /** Two lanes per coordinate, of `ROUND_TILES` tiles. */
  readonly sums: number;
  /** Per thread, the slopes of one piece of rows and the scores of the next. */
  readonly slopes: number;
  /** Per thread, two lanes per coordinate: sums of whole numbers that may not stand. */
  readonly partials: number;
  /** Columns of `SCRATCH_ROWS` rows for features, target and weights that lie in other memory. */
  readonly scratch: number;
  readonly bytes: number;
}

/** Words of `control`, each on a cache line of its own. */
export const CONTROL = Object.freeze({
  /** How many shares of the job nobody has taken. */
  left: 0,
  /** How many threads besides the caller may be holding a share. */
  active: 16,
  /** 1 once a thread has failed. */
  failed: 32,
  length: 48,
});
/** How many tiles one call of the kernel can sum. */
export const ROUND_TILES = 256;
/** How many rows in other memory are copied at a time. */
export const SCRATCH_ROWS = 1024;
/** Bytes from one scratch column to the next. */
export const SCRATCH_STRIDE = 8 * SCRATCH_ROWS + 64;
/** How many threads can share an arena. */
export const MOST_THREADS = 64;
const SLOPE_BYTES = 2 * 4096;
/** The kernel's constants lie below. */
const STATIC_BYTES = 4096;

export function kernelRegion(features: number): KernelRegion {
  requireInteger('features', features, 1);
  const { take, end } = linePlaces(STATIC_BYTES);
  return Object.freeze({
    control: take(4 * CONTROL.length),
    job: take(128),
    theta: take(8 * (features + 1)),
    columns: take(4 * features),
    starts: take(4 * (ROUND_TILES + 1)),
    sums: take(16 * (features + 1) * ROUND_TILES),
    slopes: take(SLOPE_BYTES * MOST_THREADS),
    partials: take(16 * (features + 1) * MOST_THREADS),
    scratch: take(SCRATCH_STRIDE * (features + 2)),
    bytes: end(),
  });
}
