import { isExact } from '../table/doubles.ts';
import { type NumberLayout, notExact, type Widen } from './layout.ts';

const numbers = (width: number, widen: Widen): NumberLayout => ({ of: 'numbers', width, widen });

const viewOf = (bytes: Uint8Array, from: number): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset + from, bytes.byteLength - from);

export const float64 = numbers(8, (bytes, from, out, at, count) => {
  for (let done = 0; done < count; done += whole.length) {
    const taken = Math.min(whole.length, count - done);
    wholeBytes.set(bytes.subarray(from + 8 * done, from + 8 * (done + taken)));
    out.set(taken < whole.length ? whole.subarray(0, taken) : whole, at + done);
  }
});

/**
 * An aligned intermediate buffer: the levels before them shift the values of a page, and copies to shared memory
 * between different alignments go byte by byte, at a tenth of the speed.
 */
const whole = new Float64Array(2048);
const wholeBytes = new Uint8Array(whole.buffer);

export const float32 = numbers(4, (bytes, from, out, at, count) => {
  const view = viewOf(bytes, from);
  for (let i = 0; i < count; i++) out[at + i] = view.getFloat32(4 * i, true);
});

export const int32 = numbers(4, (bytes, from, out, at, count) => {
  const view = viewOf(bytes, from);
  for (let i = 0; i < count; i++) out[at + i] = view.getInt32(4 * i, true);
});

export const uint32 = numbers(4, (bytes, from, out, at, count) => {
  const view = viewOf(bytes, from);
  for (let i = 0; i < count; i++) out[at + i] = view.getUint32(4 * i, true);
});

/** From -2^53 to 2^53, assembled from halves: BigInt takes 11 times as long. */
export const int64 = numbers(8, (bytes, from, out, at, count) => {
  const view = viewOf(bytes, from);
  for (let i = 0; i < count; i++) {
    out[at + i] = exactly(view.getUint32(8 * i, true), view.getInt32(8 * i + 4, true));
  }
});

export const uint64 = numbers(8, (bytes, from, out, at, count) => {
  const view = viewOf(bytes, from);
  for (let i = 0; i < count; i++) {
    out[at + i] = exactly(view.getUint32(8 * i, true), view.getUint32(8 * i + 4, true));
  }
});

/** 64 bits as the nearest double: counts of nanoseconds. */
export const roundedInt64 = numbers(8, (bytes, from, out, at, count) => {
  const view = viewOf(bytes, from);
  for (let i = 0; i < count; i++) {
    out[at + i] = view.getInt32(8 * i + 4, true) * 2 ** 32 + view.getUint32(8 * i, true);
  }
});

/** The old timestamps of Impala and Spark in seconds since 1970: nanoseconds of the day, then the Julian day. */
export const int96 = numbers(12, (bytes, from, out, at, count) => {
  const view = viewOf(bytes, from);
  for (let i = 0; i < count; i++) {
    const nanos = view.getInt32(12 * i + 4, true) * 2 ** 32 + view.getUint32(12 * i, true);
    out[at + i] = (view.getInt32(12 * i + 8, true) - 2440588) * 86400 + nanos / 1e9;
  }
});

/** The values of another layout, transformed by a function. */
export const mapped = (layout: NumberLayout, change: (value: number) => number): NumberLayout =>
  numbers(layout.width, (bytes, from, out, at, count) => {
    layout.widen(bytes, from, out, at, count);
    for (let i = at; i < at + count; i++) out[i] = change(out[i]!);
  });

/** high 2^32 + low, or `notExact` outside -2^53 to 2^53. */
export const exactly = (low: number, high: number): number => (isExact(low, high) ? high * 2 ** 32 + low : notExact);
