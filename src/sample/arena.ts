import { refuse, requireInteger } from '../errors.ts';
import { type SharedMemory, sharedMemory } from '../math/wasm/webAssembly.ts';
import { alignUp, type KernelRegion, kernelRegion } from './kernelRegion.ts';

export interface Slot {
  readonly columns: readonly Float64Array[];
  readonly target: Float64Array;
  /** Empty unless the arena was made with weights. */
  readonly weights: Float64Array;
}

/**
 * Memory that readers fill and kernels read in place: one shared WebAssembly memory of a fixed size (growing it would
 * detach every view), with the kernel's region first and then slots of columns.
 *
 * Columns start on a cache line, because reading a file into a buffer at an odd offset within a page is many times
 * slower. Each starts nine lines further into its page than the one before it, because equal offsets compete for the
 * same cache lines.
 */
export interface Arena {
  readonly memory: SharedMemory;
  readonly features: number;
  /** The number of rows per slot. */
  readonly capacity: number;
  readonly slots: readonly Slot[];
  readonly region: KernelRegion;
}

export interface ArenaOptions {
  readonly features: number;
  readonly capacity: number;
  readonly slots?: number;
  readonly weights?: boolean;
}

/** Memory for columns that compiled kernels read in place. */
export function columnArena({ features, capacity, slots = 2, weights = false }: ArenaOptions): Arena {
  const region = kernelRegion(features);
  requireInteger('capacity', capacity, 1);
  requireInteger('slots', slots, 1);
  const stride = alignUp(8 * capacity - STAGGER, PAGE) + STAGGER;
  const width = features + (weights ? 2 : 1);
  // A kernel that reads rows in pairs may read 8 bytes past the last column.
  const pages = Math.ceil((region.bytes + stride * width * slots + 8) / WASM_PAGE);
  if (pages > MOST_PAGES) {
    refuse('capacity', `fit ${slots} slots of ${width} columns into 4 GiB`, capacity);
  }
  const memory = sharedMemory(pages);
  const columnAt = (index: number): Float64Array =>
    new Float64Array(memory.buffer, region.bytes + stride * index, capacity);
  const arena: Arena = Object.freeze({
    memory,
    features,
    capacity,
    region,
    slots: Array.from({ length: slots }, (_, k) =>
      Object.freeze({
        columns: Array.from({ length: features }, (_, j) => columnAt(k * width + j)),
        target: columnAt(k * width + features),
        weights: weights ? columnAt(k * width + features + 1) : new Float64Array(0),
      }),
    ),
  });
  arenas.set(memory.buffer, arena);
  return arena;
}

/** The arena that contains a column, if any. */
export const arenaOf = ({ buffer }: Float64Array): Arena | undefined => arenas.get(buffer);

const arenas = new WeakMap<ArrayBufferLike, Arena>();

const PAGE = 4096;
const STAGGER = 9 * 64;
const WASM_PAGE = 2 ** 16;
const MOST_PAGES = 2 ** 16;

/** A pool of objects that are slow to create or to collect: one pass returns them and the next one takes them. */
export interface Spares<T> {
  take(): T;
  give(thing: T): void;
  /** The objects not in use at the moment. */
  readonly idle: readonly T[];
}

export function spares<T>(make: () => T): Spares<T> {
  const idle: T[] = [];
  return { take: () => idle.pop() ?? make(), give: thing => idle.push(thing), idle };
}
