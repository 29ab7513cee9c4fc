import { requireInteger } from '../errors.ts';

/**
 * Where a compiled kernel keeps everything but the rows: byte offsets at the low end of an arena, because a kernel can
 * access only one memory. Every item starts on a separate cache line.
 */
export interface KernelRegion {
  /** How threads coordinate: 32-bit words at the indices in `CONTROL`. */
  readonly control: number;
  /** The description of the work. */
  readonly job: number;
  /** One coefficient per feature, then the intercept. */
  readonly theta: number;
  /** One address per feature. */
  readonly columns: number;
  /** The first row of every tile, and the end of the last tile. */
  readonly starts: number;
  /** Two lanes per coordinate, for `ROUND_TILES` tiles. */
  readonly sums: number;
  /** Per thread, the slopes of one piece of rows and the scores of the next. */
  readonly slopes: number;
  /** Per thread, two lanes per coordinate: tentative integer sums. */
  readonly partials: number;
  /** Columns of `SCRATCH_ROWS` rows for features, target and weights from other memory. */
  readonly scratch: number;
  readonly bytes: number;
}

/** Indices of the words of `control`, each on a separate cache line. */
export const CONTROL = /* @__PURE__ */ Object.freeze({
  /** The number of shares of the job that have not been taken. */
  left: 0,
  /** The number of threads, apart from the caller, that may hold a share. */
  active: 16,
  /** 1 once any thread has failed. */
  failed: 32,
  length: 48,
});
/** The number of tiles that one kernel call can sum. */
export const ROUND_TILES = 256;
/** The number of rows copied at a time from other memory. */
export const SCRATCH_ROWS = 1024;
/** Bytes from one scratch column to the next. */
export const SCRATCH_STRIDE = 8 * SCRATCH_ROWS + 64;
/** The number of threads that can share an arena. */
export const MOST_THREADS = 64;
const SLOPE_BYTES = 2 * 4096;
/** Reserved below the region for the kernel's constants. */
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

const LINE_BYTES = 64;

export const alignUp = (bytes: number, step: number): number => Math.ceil(bytes / step) * step;

/** Allocates consecutive areas of a memory, each starting on a cache line. */
export function linePlaces(first: number) {
  let end = first;
  return {
    take(bytes: number): number {
      const place = end;
      end = alignUp(place + bytes, LINE_BYTES);
      return place;
    },
    /** The end of the memory allocated so far. */
    end: (): number => end,
  };
}
