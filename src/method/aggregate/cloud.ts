import { cloudBinary } from '../../math/wasm/binaries.ts';
import { arithmeticIn, type SharedMemory, sharedMemory } from '../../math/wasm/webAssembly.ts';

/** A position y among the points of a cloud, with the pull of the points on it. */
export interface Place {
  readonly address: number;
  readonly y: Float64Array;
  /** R: the sum of unit vectors from y to the points that differ from it. */
  readonly pull: Float64Array;
  readonly distances: Float64Array;
  /** Three numbers, at the indices below. */
  readonly summary: Float64Array;
}

/** ||R|| */
export const STRENGTH = 0;
/** The sum of 1/d_i over the points that differ from y. */
export const INVERSES = 1;
/** The number of points equal to y. */
export const AT_POINT = 2;

/** Points in WebAssembly memory, and positions among them. The arithmetic is in wasm/assembly/cloud.ts. */
export interface Cloud {
  readonly count: number;
  readonly size: number;
  /** The caller writes the coordinates of the points here, one point after another. */
  readonly input: Float64Array;
  readonly places: readonly [Place, Place, Place, Place];
  /** Scratch for the caller: one mark per point. */
  readonly marks: Uint8Array;
  readonly coordinate: (point: number, j: number) => number;
  /** The largest absolute coordinate in `input`; NaN if one is not finite. */
  readonly largest: () => number;
  /** Sets the points to input * scale. */
  readonly take: (scale: number) => void;
  /** Moves a place to the coordinate-wise median, which no single outlier can drag far. */
  readonly standInMiddle: (place: Place) => void;
  readonly standAt: (place: Place, index: number) => void;
  readonly nearest: (place: Place) => number;
  /** Recomputes everything else about a place from its y. */
  readonly weigh: (place: Place) => void;
  /** The increase of the sum of distances from one place to another. */
  readonly rise: (from: Place, to: Place) => number;
  /**
   * Moves `once` and `twice` by Weiszfeld steps from `here`, and `leap` to their extrapolation; true if that is no
   * higher.
   */
  readonly extrapolate: (here: Place, once: Place, twice: Place, leap: Place) => boolean;
}

let kept: Cloud | undefined;

/**
 * Memory for `count` points of R^size, reused by the next call, because a descent asks for the same size step after
 * step.
 */
export function cloudOf(count: number, size: number): Cloud {
  if (kept?.count !== count || kept.size !== size) kept = makeCloud(count, size);
  return kept;
}

interface Arithmetic {
  readonly largest: (cloud: number, rows: number) => number;
  readonly take: (cloud: number, rows: number, scale: number) => void;
  readonly standInMiddle: (cloud: number, place: number) => void;
  readonly standAt: (cloud: number, place: number, index: number) => void;
  readonly nearest: (cloud: number, place: number) => number;
  readonly weigh: (cloud: number, place: number) => void;
  readonly rise: (cloud: number, from: number, to: number) => number;
  readonly extrapolate: (cloud: number, here: number, once: number, twice: number, leap: number) => number;
}

let room: { readonly memory: SharedMemory; readonly arithmetic: Arithmetic } | undefined;

/** A memory of at least this many bytes, with the module instance that works in it. */
function roomOf(bytes: number): NonNullable<typeof room> {
  if (room === undefined || room.memory.buffer.byteLength < bytes) {
    const pages = Math.ceil(bytes / 2 ** 16);
    const memory = sharedMemory(pages);
    room = { memory, arithmetic: arithmeticIn(cloudBinary, memory) };
  }
  return room;
}

function makeCloud(count: number, size: number): Cloud {
  const pairs = count + (count % 2);
  const inPlace = 5 + 2 * size + pairs;
  const { memory, arithmetic } = roomOf(8 * (4 + size * count + (size + 2) * pairs + 2 * size + 4 * inPlace));
  let end = 0;
  const take = (numbers: number): Float64Array => {
    const taken = new Float64Array(memory.buffer, end, numbers);
    end += taken.byteLength;
    return taken;
  };
  const write = (record: Float64Array, words: readonly (number | Float64Array)[]): void => {
    const numbers = words.map(word => (typeof word === 'number' ? word : word.byteOffset));
    new Uint32Array(memory.buffer, record.byteOffset).set(numbers);
  };
  const takePlace = (): Place => {
    const [summary, record] = [take(3), take(2)];
    const [y, pull, distances] = [take(size), take(size), take(pairs)];
    write(record, [y, pull, distances]);
    return { address: summary.byteOffset, summary, y, pull, distances };
  };
  const record = take(4);
  const address = record.byteOffset;
  const input = take(count * size);
  const points = take(pairs * size);
  write(record, [count, size, 8 * pairs, points, take(pairs), take(pairs), take(size), take(size)]);
  return Object.freeze<Cloud>({
    count,
    size,
    input,
    places: [takePlace(), takePlace(), takePlace(), takePlace()],
    marks: new Uint8Array(count),
    coordinate: (point, j) => points[j * pairs + point]!,
    largest: () => arithmetic.largest(address, input.byteOffset),
    take: scale => arithmetic.take(address, input.byteOffset, scale),
    standInMiddle: place => arithmetic.standInMiddle(address, place.address),
    standAt: (place, index) => arithmetic.standAt(address, place.address, index),
    nearest: place => arithmetic.nearest(address, place.address),
    weigh: place => arithmetic.weigh(address, place.address),
    rise: (from, to) => arithmetic.rise(address, from.address, to.address),
    extrapolate: (here, once, twice, leap) =>
      arithmetic.extrapolate(address, here.address, once.address, twice.address, leap.address) !== 0,
  });
}
