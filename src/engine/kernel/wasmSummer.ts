import { ArgumentError, refuse, requireInteger, requireVector } from '../../errors.ts';
import type { Vector } from '../../math/vector.ts';
import type { LossKernel } from '../../method/loss/loss.ts';
import { arenaOf, columnArena } from '../../sample/arena.ts';
import { CONTROL, ROUND_TILES, SCRATCH_ROWS, SCRATCH_STRIDE } from '../../sample/kernelRegion.ts';
import { requireBatch, type SampleBatch } from '../../sample/sampleBatch.ts';
import { type BlockRequest, type BlockSummer, blockSummer } from './blockSummer.ts';
import { type IntegerRequest, integerSummer, type Quantization, requireExact } from './integerSummer.ts';
import { TILE_ROWS } from './tiles.ts';
import { JOB, settle, type WasmKernel, wasmKernel } from './wasmKernel.ts';

/** Runs the job written in the kernel's region; `values` is its size. */
export type Run = (kernel: WasmKernel, values: number) => void;

/** Waits for other threads too, because an engine's threads in the same arena may have joined in. */
export const runAlone: Run = kernel => {
  kernel.work();
  settle(kernel);
};

/**
 * Block sums by the compiled kernel: bit-identical for any batching and any number of threads, and within 1e-12 of the
 * sum of absolute terms from the reference kernel; integer sums equal those of their reference. Batches in an arena are
 * read in place; others are copied, some rows at a time.
 */
export function wasmSummer(request: BlockRequest | IntegerRequest, run: Run = runAlone): BlockSummer {
  const { loss, at, blocks, rowsPerBlock, intercept = false } = request;
  const slope = loss.kernel ?? refuse('loss', 'have a kernel', loss.name, 'use blockSummer');
  const size = requireVector('at', at).length;
  const features = intercept ? size - 1 : size;
  requireInteger('blocks', blocks, 1);
  requireInteger('rowsPerBlock', rowsPerBlock, 1);
  const integers = 'grid' in request ? requireExact(request) : undefined;
  const sums = new Float64Array(blocks * size);
  const state: State = { run, slope, at, features, rowsPerBlock, integers, sums, seen: 0, begun: undefined };
  const rows = blocks * rowsPerBlock;
  return {
    add(batch) {
      requireBatch(batch, features);
      const used = Math.min(batch.rows, rows - state.seen);
      addRows(state, batch, used);
      return used;
    },
    finish() {
      const { seen } = state;
      if (seen < rows)
        throw new ArgumentError(
          `${blocks} blocks of ${rowsPerBlock} rows need ${rows} rows, got ${seen}`,
          'ERR_TOO_FEW_ROWS',
          { rows: seen, needed: rows },
        );
      const held = integers && { grid: integers.grid, squaredNorm: integers.squaredNorm };
      return { sums, blocks, rowsPerBlock, privacy: 'raw', ...held };
    },
  };
}

/** A record that is passed around instead of closures, because simulations create a summer for every thousand rows. */
interface State {
  readonly run: Run;
  readonly slope: LossKernel;
  readonly at: Vector;
  /** One less than the length of `at` if that ends in an intercept. */
  readonly features: number;
  readonly rowsPerBlock: number;
  /** Set for integer sums. */
  readonly integers: Quantization | undefined;
  readonly sums: Float64Array;
  seen: number;
  /** The lanes of a tile that a batch began but did not complete. */
  begun: Float64Array | undefined;
}

function addRows(state: State, batch: SampleBatch, rows: number): void {
  const arena = arenaOf(batch.target);
  const home = arena !== undefined && arena.features >= state.features ? wasmKernel(arena) : undefined;
  if (home !== undefined && pointAt(home, batch)) {
    sumRows(state, home, rows);
    return;
  }
  const kernel = scratchKernel(state.features);
  for (let start = 0; start < rows; start += SCRATCH_ROWS) {
    const count = Math.min(SCRATCH_ROWS, rows - start);
    copyRows(kernel, batch, start, count);
    sumRows(state, kernel, count);
  }
}

/** Sums the first `rows` rows of the columns that the kernel points at. */
function sumRows(state: State, kernel: WasmKernel, rows: number): void {
  const { words, numbers } = kernel;
  const { starts, sums } = kernel.arena.region;
  const size = state.at.length;
  for (let start = 0; start < rows; ) {
    const tiles = cutTiles(state, kernel, start, rows);
    const end = words[starts / 4 + tiles]!;
    writeJob(state, kernel, tiles);
    state.run(kernel, (end - start) * size);
    state.begun = undefined;
    for (let t = 0; t < tiles; t++) {
      fold(state, numbers, sums / 8 + 2 * size * t, words[starts / 4 + t + 1]! - words[starts / 4 + t]!);
    }
    start = end;
  }
}

/**
 * Writes the starts of the tiles of the rows from `start` up to `end`, and returns the number of tiles in this round.
 */
function cutTiles({ seen, rowsPerBlock }: State, { words, arena }: WasmKernel, start: number, end: number): number {
  const starts = arena.region.starts / 4;
  let tiles = 0;
  words[starts] = start;
  for (let inBlock = seen % rowsPerBlock; start < end && tiles < ROUND_TILES; inBlock %= rowsPerBlock) {
    const tileEnd = Math.min(rowsPerBlock, inBlock - (inBlock % TILE_ROWS) + TILE_ROWS);
    const count = Math.min(end - start, tileEnd - inBlock);
    inBlock += count;
    start += count;
    words[starts + ++tiles] = start;
  }
  return tiles;
}

function writeJob(state: State, { words, numbers, control, arena }: WasmKernel, tiles: number): void {
  const { slope, at, features, rowsPerBlock, integers, seen, begun } = state;
  const { job, theta, starts, sums } = arena.region;
  const size = at.length;
  const field = job / 4;
  const shareTiles = Math.ceil(tiles / MOST_SHARES);
  const shares = Math.ceil(tiles / shareTiles);
  numbers.fill(0, sums / 8, sums / 8 + 2 * size * tiles);
  if (begun !== undefined) numbers.set(begun, sums / 8);
  numbers.set(at, theta / 8);
  numbers[(field + JOB.parameter) / 2] = slope.parameter;
  numbers[(field + JOB.grid) / 2] = integers?.grid ?? 0;
  if (integers !== undefined) {
    numbers[(field + JOB.squaredNorm) / 2] = integers.squaredNorm;
    numbers[(field + JOB.clip) / 2] = integers.clip ?? Infinity;
    numbers[(field + JOB.place) / 2] = seen - words[starts / 4]!;
  }
  words[field + JOB.kind] = KINDS[slope.kind];
  words[field + JOB.features] = features;
  words[field + JOB.intercept] = size - features;
  words[field + JOB.tiles] = tiles;
  words[field + JOB.shares] = shares;
  words[field + JOB.shareTiles] = shareTiles;
  words[field + JOB.odd] = (seen % rowsPerBlock) % 2;
  // Written last, because it lets other threads begin.
  Atomics.store(control, CONTROL.left, shares);
}

const KINDS = /* @__PURE__ */ Object.freeze({
  squared: 0,
  logistic: 1,
  'pseudo-huber': 2,
  'geman-mcclure': 3,
  tukey: 4,
  'weighted-logistic': 5,
});

/** With 32 shares, threads finish at about the same time; finer shares would cost more to take. */
const MOST_SHARES = 32;

/**
 * Adds the sums of the next `count` rows, whose lanes begin at `first`, to their block, or keeps them if their tile is
 * not complete.
 */
function fold(state: State, numbers: Float64Array, first: number, count: number): void {
  const { at, rowsPerBlock, sums } = state;
  const size = at.length;
  const block = Math.floor(state.seen / rowsPerBlock);
  state.seen += count;
  const inBlock = state.seen - block * rowsPerBlock;
  if (inBlock < rowsPerBlock && inBlock % TILE_ROWS !== 0) {
    state.begun = numbers.slice(first, first + 2 * size);
    return;
  }
  for (let j = 0; j < size; j++) {
    sums[block * size + j]! += numbers[first + 2 * j]! + numbers[first + 2 * j + 1]!;
  }
}

/** Writes the addresses of the batch's columns; false if one of them is in other memory. */
function pointAt({ arena, words }: WasmKernel, { columns, target, weights }: SampleBatch): boolean {
  const { buffer } = target;
  const { job, columns: addresses } = arena.region;
  if (weights !== undefined && weights.buffer !== buffer) return false;
  for (let j = 0; j < columns.length; j++) {
    const column = columns[j]!;
    if (column.buffer !== buffer) return false;
    words[addresses / 4 + j] = column.byteOffset;
  }
  words[job / 4 + JOB.target] = target.byteOffset;
  words[job / 4 + JOB.weights] = weights === undefined ? 0 : weights.byteOffset;
  return true;
}

/** Copies `count` rows of the batch from `start` on into the kernel's scratch columns, and writes their addresses. */
function copyRows(
  { arena, words, numbers }: WasmKernel,
  { columns, target, weights }: SampleBatch,
  start: number,
  count: number,
): void {
  const { job, columns: addresses, scratch } = arena.region;
  const copy = (column: Float64Array, place: number): number => {
    const address = scratch + place * SCRATCH_STRIDE;
    numbers.set(column.subarray(start, start + count), address / 8);
    return address;
  };
  columns.forEach((column, j) => {
    words[addresses / 4 + j] = copy(column, j);
  });
  words[job / 4 + JOB.target] = copy(target, columns.length);
  words[job / 4 + JOB.weights] = weights === undefined ? 0 : copy(weights, columns.length + 1);
}

let spare: WasmKernel | undefined;

/** A kernel for rows outside any arena; one serves all summers, since each sum runs to completion. */
function scratchKernel(features: number): WasmKernel {
  if (spare === undefined || spare.arena.features < features) {
    spare = wasmKernel(columnArena({ features: Math.max(1, features), capacity: 1, slots: 1 }));
  }
  return spare;
}

/** The compiled kernel if the loss has one, otherwise the reference kernel. */
export const fastSummer = (request: BlockRequest): BlockSummer =>
  request.loss.kernel === undefined ? blockSummer(request) : wasmSummer(request);

/** The compiled kernel if the loss has one, otherwise the reference kernel; both give the same sums. */
export const fastIntegerSummer = (request: IntegerRequest): BlockSummer =>
  request.loss.kernel === undefined ? integerSummer(request) : wasmSummer(request);
