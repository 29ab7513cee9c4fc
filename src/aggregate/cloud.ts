/** Points in WebAssembly memory, and places among them. The arithmetic is in wasm/assembly/cloud.ts. */
import { Instance, Memory, Module, type SharedMemory } from '../sample/webAssembly.ts';
import { cloudBinary } from './wasm/cloudBinary.ts';

/** Somewhere among the points of a cloud, and how they pull from there. */
export interface Place {
  readonly address: number;
  readonly y: Float64Array;
  /** R: the sum of unit vectors from y to the points away from it. */
  readonly pull: Float64Array;
  readonly distances: Float64Array;
  /** Three numbers, at the places below. */
  readonly summary: Float64Array;
}

/** ||R|| */
export const STRENGTH = 0;
/** The sum of 1/d_i over the points away from y. */
export const INVERSES = 1;
/** How many points lie at y. */
export const AT_POINT = 2;

export interface Cloud {
  readonly count: number;
  readonly size: number;
  /** Where the caller writes the coordinates of the points, one point after the other. */
  readonly input: Float64Array;
  readonly places: readonly [Place, Place, Place, Place];
  /** For the caller's use: one mark per point. */
  readonly marks: Uint8Array;
  readonly coordinate: (point: number, j: number) => number;
  /** The size of the largest coordinate in `input`; NaN where one is not finite. */
  readonly largest: () => number;
  /** Makes input * scale the points. */
  readonly take: (scale: number) => void;
  /** Moves a place to the coordinates' medians, which no single far point can carry away. */
  readonly standInMiddle: (place: Place) => void;
  readonly standAt: (place: Place, index: number) => void;
  readonly nearest: (place: Place) => number;
  /** Brings a place up to date with its y. */
  readonly weigh: (place: Place) => void;
  /** How much the sum of distances rises from one place to another. */
  readonly rise: (from: Place, to: Place) => number;
  /**
   * Moves `once` and `twice` by Weiszfeld steps from `here`, and `leap` to where they point; true if that is as low.
   */
  readonly extrapolate: (here: Place, once: Place, twice: Place, leap: Place) => boolean;
}

let kept: Cloud | undefined;

/**
 * Room for `count` points of R^size, used again by whoever calls next: a descent asks for the same size step after
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

/** Memory of so many bytes or more, and what works in it. */
function roomOf(bytes: number): NonNullable<typeof room> {
  if (room === undefined || room.memory.buffer.byteLength < bytes) {
    const pages = Math.ceil(bytes / 2 ** 16);
    const memory = new Memory({ initial: pages, maximum: pages, shared: true });
    const module = new Module(Buffer.from(cloudBinary, 'base64'));
    room = { memory, arithmetic: new Instance(module, { env: { memory } }).exports as Arithmetic };
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
