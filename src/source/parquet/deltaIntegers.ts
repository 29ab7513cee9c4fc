import { type Bits, bitsOf, unpack } from './bits.ts';
import type { ByteLayout } from './columnLayout.ts';
import { bufferOf } from './guarded.ts';
import type { Values } from './pageValues.ts';

/** A 64-bit number as two of 32 bits, with the sign in the higher one. */
interface Halves {
  readonly low: number;
  readonly high: number;
}

/** How many differences are unpacked at once. */
const slice = 256;

/**
 * DELTA_BINARY_PACKED: a first number, then blocks of differences. A block states its smallest difference and stores
 * the excess of each over it, packed into as many bits as the largest excess of a miniblock needs. Sums wrap around at
 * 64 bits, and so at 32 in their lower halves.
 */
export function deltaIntegers(bytes: Uint8Array) {
  const bits = bitsOf(bytes);
  const blockLength = unsigned(bits);
  const miniblocks = unsigned(bits);
  const count = unsigned(bits);
  const length = blockLength / miniblocks;
  if (length === 0 || !Number.isInteger(length / 8)) {
    throw new Error(`blocks of ${blockLength} differences in ${miniblocks} parts are beyond the format`);
  }
  let latest = zigzag(bits);
  let done = 0;
  /** For the current block: its smallest difference, the offset of its widths, and the number of miniblocks begun. */
  let least: Halves = { low: 0, high: 0 };
  let widths = 0;
  let begun = miniblocks;
  /** For the current miniblock: bits per difference, differences left, and the offset of the first byte after it. */
  let width = 0;
  let left = 0;
  let behind = bits.byte;
  const excess = { low: new Uint32Array(slice), high: new Uint32Array(slice) };

  const nextMiniblock = (): void => {
    if (begun === miniblocks) {
      least = zigzag(bits);
      widths = bits.byte;
      bits.byte += miniblocks;
      begun = 0;
    }
    width = bits.view.getUint8(widths + begun++);
    if (width > 64) throw new Error(`differences of ${width} bits are beyond the format`);
    left = length;
    behind = bits.byte + (length / 8) * width;
  };

  /** Reads the next numbers as pairs of halves, the lower first. */
  const read = (pairs: Int32Array, asked: number): void => {
    if (asked > count - done) throw new Error(`there are ${count} numbers, but ${done + asked} are needed`);
    let i = 0;
    if (done === 0 && asked > 0) {
      pairs[0] = latest.low;
      pairs[1] = latest.high;
      i = 1;
    }
    while (i < asked) {
      if (left === 0) nextMiniblock();
      const taken = Math.min(left, asked - i, slice);
      if (width <= 32) unpack(bits, width, excess.low, 0, taken);
      else unpackLong(bits, width, excess.low, excess.high, taken);
      latest = accumulate(latest, least, excess.low, width > 32 ? excess.high : null, pairs, i, i + taken);
      i += taken;
      left -= taken;
    }
    done += asked;
  };

  return {
    /** How many numbers there are. */
    count,
    read,
    /** Skips the remaining numbers, and returns the offset of the first byte after them. */
    end: (): number => {
      const pairs = new Int32Array(2 * slice);
      while (done < count) read(pairs, Math.min(slice, count - done));
      return behind;
    },
  };
}

function unpackLong(bits: Bits, width: number, lows: Uint32Array, highs: Uint32Array, count: number): void {
  for (let i = 0; i < count; i++) {
    unpack(bits, 32, lows, i, i + 1);
    unpack(bits, width - 32, highs, i, i + 1);
  }
}

/**
 * Computes numbers [from, to) of `pairs`: each is the one before, plus the smallest difference, plus its excess.
 * Returns the last.
 */
function accumulate(
  before: Halves,
  least: Halves,
  lows: Uint32Array,
  highs: Uint32Array | null,
  pairs: Int32Array,
  from: number,
  to: number,
): Halves {
  let { low, high } = before;
  const { low: leastLow, high: leastHigh } = least;
  for (let i = from; i < to; i++) {
    const step = (leastLow + lows[i - from]!) | 0;
    const sum = (low + step) | 0;
    // An unsigned sum that is less than one of its terms has produced a carry.
    const carried = (step >>> 0 < leastLow >>> 0 ? 1 : 0) + (sum >>> 0 < low >>> 0 ? 1 : 0);
    high = (high + leastHigh + carried + (highs === null ? 0 : highs[i - from]!)) | 0;
    low = sum;
    pairs[2 * i] = low;
    pairs[2 * i + 1] = high;
  }
  return { low, high };
}

/** A number of up to 64 bits, seven per byte, least significant first. */
function varint(bits: Bits): Halves {
  let low = 0;
  let high = 0;
  for (let shift = 0; shift < 70; shift += 7) {
    const byte = bits.view.getUint8(bits.byte++);
    const part = byte & 0x7f;
    if (shift < 32) low |= part << shift;
    if (shift >= 32) high |= part << (shift - 32);
    else if (shift === 28) high |= part >> 4;
    if (byte < 0x80) return { low, high };
  }
  throw new Error('a variable-length number is not terminated');
}

function unsigned(bits: Bits): number {
  const { low, high } = varint(bits);
  return (high >>> 0) * 2 ** 32 + (low >>> 0);
}

function zigzag(bits: Bits): Halves {
  const { low, high } = varint(bits);
  const sign = -(low & 1);
  return { low: ((low >>> 1) | (high << 31)) ^ sign, high: (high >>> 1) ^ sign };
}

/** DELTA_LENGTH_BYTE_ARRAY: all lengths, then all bytes. */
export function deltaLengthTexts(layout: ByteLayout, bytes: Uint8Array, count: number): Values {
  const { next, texts } = suffixes(bytes, count);
  const value = ofWidth(layout);
  let end = 0;
  return each(() => {
    const start = end;
    end += next();
    return value(texts, start, end);
  });
}

/**
 * DELTA_BYTE_ARRAY: the number of bytes each value shares with the one before it, then the remainder of each as
 * DELTA_LENGTH_BYTE_ARRAY.
 */
export function deltaTexts(layout: ByteLayout, bytes: Uint8Array, count: number): Values {
  const prefixes = lengths(bytes, count);
  const { next, texts } = suffixes(bytes.subarray(prefixes.end), count);
  const value = ofWidth(layout);
  // Values are assembled in place. None is longer than the remainders of all values together.
  const current = Buffer.alloc(texts.length);
  let length = 0;
  let from = 0;
  return each(() => {
    const shared = prefixes.next();
    if (shared > length) throw new Error(`a value shares ${shared} bytes with one of ${length} bytes`);
    const start = from;
    from += next();
    length = shared + texts.copy(current, shared, start, from);
    return value(current, 0, length);
  });
}

const each =
  (next: () => number): Values =>
  (out, at, count) => {
    for (let i = at; i < at + count; i++) out[i] = next();
  };

function suffixes(bytes: Uint8Array, count: number): { next: () => number; texts: Buffer } {
  const { next, total, end } = lengths(bytes, count);
  const texts = bufferOf(bytes.subarray(end));
  if (texts.length !== total) throw new Error(`texts of ${total} bytes are stored in ${texts.length} bytes`);
  return { next, texts };
}

/**
 * Lengths are read twice: once for their sum and their end, where the next part begins, and once as they are needed.
 */
function lengths(bytes: Uint8Array, count: number): { next: () => number; total: number; end: number } {
  const pairs = new Int32Array(2 * slice);
  const ahead = deltaIntegers(bytes);
  if (ahead.count !== count) throw new Error(`${count} values have ${ahead.count} lengths`);
  let total = 0;
  for (let done = 0; done < count; done += slice) {
    const taken = Math.min(slice, count - done);
    ahead.read(pairs, taken);
    for (let i = 0; i < taken; i++) {
      if (pairs[2 * i]! < 0) throw new Error(`a value has ${pairs[2 * i]} bytes`);
      total += pairs[2 * i]!;
    }
  }
  const integers = deltaIntegers(bytes);
  let held = 0;
  let i = 0;
  let left = count;
  const next = (): number => {
    if (i === held) {
      held = Math.min(slice, left);
      integers.read(pairs, held);
      left -= held;
      i = 0;
    }
    return pairs[2 * i++]!;
  };
  return { next, total, end: ahead.end() };
}

function ofWidth({ value, width }: ByteLayout): ByteLayout['value'] {
  if (width === null) return value;
  return (bytes, start, end) => {
    if (end - start !== width) throw new Error(`a value of ${width} bytes has ${end - start}`);
    return value(bytes, start, end);
  };
}
