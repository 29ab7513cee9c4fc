import { type Bits, bitsOf, unpack } from './bits.ts';

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
