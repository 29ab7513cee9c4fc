import type { Vector } from '../../math/vector.ts';
import { riskTileBinary } from '../../math/wasm/binaries.ts';
import { arithmeticIn, type SharedMemory, sharedMemory } from '../../math/wasm/webAssembly.ts';
import type { LossKernel } from '../../method/loss/loss.ts';
import { alignUp, linePlaces } from '../../sample/kernelRegion.ts';

export const TILE_ROWS = 1024;

export interface RiskTile {
  /** Of features. */
  readonly columns: readonly Float64Array[];
  readonly targets: Float64Array;
  readonly weights: Float64Array;
  readonly slopes: Float64Array;
  readonly bends: Float64Array;
  /** The columns times theta, after `score`. */
  readonly scores: Float64Array;
  /**
   * Of `rows` rows from `start` on. The last coefficient is the intercept's where there is one more of them than
   * columns.
   */
  score(theta: Vector, start: number, rows: number): void;
  /**
   * First and second derivatives, `slopes` and `bends`, of rows that have scores, targets and weights; returns the sum
   * of their losses. `reweighted`: slope/r in place of the second derivative.
   */
  derive(loss: CompiledLoss, reweighted: boolean, rows: number): number;
  /** Adds to the sums, over rows that have slopes and bends; `clear` starts them anew. */
  addDerivatives(start: number, rows: number): void;
  /** Two more numbers per row, overwritten by `addDerivatives`. */
  readonly spare: readonly [Float64Array, Float64Array];
  /**
   * Adds to the sums, over rows that have slopes, bends and the two numbers d^2 and s: slope * x_j to `sumOf`; bend *
   * d^2, slope^2 d^2 and slope * s * d^2 to `totals`.
   */
  addInfluences(size: number, start: number, rows: number): void;
  readonly totals: Float64Array;
  /** Adds the scores' squares to the slopes. */
  addSquares(rows: number): void;
  clear(): void;
  /** Sum of slope * x_j. */
  sumOf(j: number): number;
  /** Sum of bend * x_j x_k, for k <= j. */
  momentOf(j: number, k: number): number;
}

interface CompiledLoss {
  readonly code: number;
  readonly q: number;
}

/** The code of a loss in assembly/riskTile.ts; undefined if it has none. */
export function compiledLoss(kernel: LossKernel | undefined): CompiledLoss | undefined {
  const code = ['squared', 'pseudo-huber', 'geman-mcclure', 'tukey'].indexOf(kernel?.kind ?? '');
  return code < 0 ? undefined : { code, q: kernel!.parameter || 1 };
}

/**
 * Bytes of one number per row of a tile, as in assembly/riskTile.ts: equal offsets in a page would compete for the same
 * cache lines.
 */
const ROOM_BYTES = 8 * TILE_ROWS + 64;
const PAGE_BYTES = 4096;

/** The largest memory that there can be. */
const MOST_BYTES = 2 ** 32;

export interface Arithmetic {
  readonly score: (job: number, start: number, rows: number) => void;
  readonly derive: (job: number, loss: number, q: number, reweighted: boolean, rows: number) => number;
  readonly addDerivatives: (job: number, start: number, rows: number) => void;
  readonly addInfluences: (job: number, start: number, rows: number) => void;
  readonly addSquares: (job: number, rows: number) => void;
  readonly countBelow: (values: number, rows: number, bound: number) => number;
  readonly gather: (values: number, rows: number, low: number, high: number) => number;
}

/** The compiled code over a memory; arrays are given by their byte offsets. */
export const riskArithmetic = (memory: SharedMemory): Arithmetic => arithmeticIn(riskTileBinary, memory);

const tiles = new WeakMap<ArrayBufferLike, RiskTile>();

/** The tile whose columns these are, or the same rows of each, and the first of those rows. */
function residentTile(
  columns: readonly Float64Array[],
): { readonly tile: RiskTile; readonly first: number } | undefined {
  const tile = columns[0] && tiles.get(columns[0].buffer);
  if (tile?.columns.length !== columns.length) return undefined;
  const first = (columns[0]!.byteOffset - tile.columns[0]!.byteOffset) / 8;
  const isOwn = columns.every(
    ({ buffer, byteOffset }, j) => tiles.get(buffer) === tile && byteOffset === tile.columns[j]!.byteOffset + 8 * first,
  );
  return isOwn ? { tile, first } : undefined;
}

/** Whether columns of that many rows fit one memory. */
export const fitsTile = (features: number, rows: number): boolean =>
  (features + 1) * (8 * rows + 2 * PAGE_BYTES + 16 * features) < MOST_BYTES / 2;

/**
 * Columns of rows in WebAssembly memory, with compiled arithmetic (wasm/assembly/riskTile.ts) over one tile of rows at
 * a time, which stays in the cache: scores, and the sums that the derivatives of a risk consist of. Rows go two at a
 * time, so that behind an odd number of them weight, slope and curvature must be 0.
 *
 * Rows that are visited many times are stored in such columns (`riskTile` of all rows, found again by `residentTile`);
 * others are copied to those of a tile.
 */
export function riskTile(features: number, rows = TILE_ROWS): RiskTile {
  const mostPairs = Math.ceil((features + 1) / 2);
  const stride = alignUp(8 * rows, PAGE_BYTES) + 64;
  const { take, end } = linePlaces(64);
  const places = {
    columns: take(features * stride),
    ones: take(ROOM_BYTES),
    zeros: take(ROOM_BYTES),
    theta: take(16 * mostPairs),
    targets: take(ROOM_BYTES),
    weights: take(ROOM_BYTES),
    scores: take(ROOM_BYTES),
    slopes: take(ROOM_BYTES),
    bends: take(ROOM_BYTES),
    scaled: take(2 * ROOM_BYTES),
    sums: take(16 * mostPairs),
    moments: take(16 * mostPairs * (mostPairs + 1)),
  };
  const pages = Math.ceil(end() / 2 ** 16);
  const memory = sharedMemory(pages);
  const view = (place: number, length: number): Float64Array => new Float64Array(memory.buffer, place, length);
  const { score, derive, addDerivatives, addInfluences, addSquares } = riskArithmetic(memory);
  const job = 0;
  const { columns, ones, zeros, ...rooms } = places;
  const words = new Uint32Array(memory.buffer, job);
  words.set([features, stride, columns, zeros, 0, ...Object.values(rooms)]);
  view(ones, TILE_ROWS).fill(1);
  const theta = view(places.theta, 2 * mostPairs);
  const sums = view(places.sums, 2 * mostPairs);
  const moments = view(places.moments, 2 * mostPairs * (mostPairs + 1));
  const room = (place: number): Float64Array => view(place, ROOM_BYTES / 8);
  /** Columns, followed by a column of ones where there is one more coordinate. */
  const pairUp = (size: number): void => {
    words[3] = size > features ? ones : zeros;
    words[4] = Math.ceil(size / 2);
  };
  const tile: RiskTile = {
    columns: Array.from({ length: features }, (_, j) => view(columns + j * stride, rows)),
    targets: room(places.targets),
    weights: room(places.weights),
    slopes: room(places.slopes),
    bends: room(places.bends),
    scores: room(places.scores),
    spare: [room(places.scaled), room(places.scaled + ROOM_BYTES)],
    totals: moments.subarray(0, 3),
    score(coefficients, start, count) {
      const size = coefficients.length;
      pairUp(size);
      theta.set(coefficients);
      theta.fill(0, size);
      score(job, 8 * start, count);
    },
    derive: ({ code, q }, reweighted, count) => derive(job, code, q, reweighted, count),
    addDerivatives: (start, count) => addDerivatives(job, 8 * start, count),
    addInfluences(size, start, count) {
      pairUp(size);
      addInfluences(job, 8 * start, count);
    },
    addSquares: count => addSquares(job, count),
    clear() {
      sums.fill(0);
      moments.fill(0);
    },
    sumOf: j => sums[j]!,
    momentOf(j, k) {
      const pair = j >> 1;
      return moments[2 * pair * (pair + 1) + 4 * (k >> 1) + 2 * (j & 1) + (k & 1)]!;
    },
  };
  tiles.set(memory.buffer, tile);
  return tile;
}

/** Visits rows tile by tile: in place if they are in a tile's memory (riskTile.ts), otherwise as copies. */
export function tiledRows(columns: readonly Float64Array[], rows: number) {
  const resident = residentTile(columns);
  const tile = resident?.tile ?? spareTile(columns.length);
  const firstOf = (start: number, count: number): number => {
    if (resident !== undefined) return resident.first + start;
    columns.forEach((column, j) => {
      tile.columns[j]!.set(column.subarray(start, start + count));
    });
    return 0;
  };
  return {
    tile,
    /** Visits `count` rows from `start` on, which the tile has from its row `first` on. */
    visit(look: (start: number, count: number, first: number) => void): void {
      for (let start = 0; start < rows; start += TILE_ROWS) {
        const count = Math.min(TILE_ROWS, rows - start);
        look(start, count, firstOf(start, count));
      }
    },
  };
}

/** The last one is reused: only its sums outlast a visit, and no other user touches these before they are read. */
function spareTile(features: number): RiskTile {
  if (spare?.columns.length !== features) spare = riskTile(features);
  return spare;
}

let spare: RiskTile | undefined;
