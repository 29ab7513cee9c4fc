import { type Bits, bitsOf, unpack } from './bits.ts';

/**
 * DELTA_BINARY_PACKED: a first number, then blocks of differences; a block states its least difference and holds the excess of each over
 * it, packed into as many bits as the largest excess of a miniblock needs. Sums wrap around at 64 bits, and so at 32 in their lower halves.
 */
export interface DeltaIntegers {
  /** How many numbers there are. */
  readonly count: number;
  /** Reads the next numbers as pairs of halves, the lower first. */
  read(pairs: Int32Array, count: number): void;
  /** Reads what is left, and returns the offset of the first byte behind the numbers. */
  end(): number;
}

/** How many differences are unpacked at once. */
const slice = 256;

export function deltaIntegers(bytes: Uint8Array): DeltaIntegers {
  const bits = bitsOf(bytes);
  const blockLength = Number(varint(bits));
  const miniblocks = Number(varint(bits));
  const count = Number(varint(bits));
  const length = blockLength / miniblocks;
  if (length === 0 || !Number.isInteger(length / 8)) {
    throw new Error(`blocks of ${blockLength} differences in ${miniblocks} parts are beyond the format`);
  }
  let [low, high] = halves(zigzag(bits));
  let [leastLow, leastHigh] = [0, 0];
  let done = 0;
  /** Of the block: its widths begin here, and this many miniblocks are begun. */
  let widths = 0;
  let begun = miniblocks;
  /** Of the miniblock: bits of a difference, differences left, first byte behind it. */
  let width = 0;
  let left = 0;
  let behind = bits.byte;
  const lows = new Uint32Array(slice);
  const highs = new Uint32Array(slice);

  const nextMiniblock = (): void => {
    if (begun === miniblocks) {
      [leastLow, leastHigh] = halves(zigzag(bits));
      widths = bits.byte;
      bits.byte += miniblocks;
      begun = 0;
    }
    width = bits.view.getUint8(widths + begun++);
    if (width > 64) throw new Error(`differences of ${width} bits are beyond the format`);
    left = length;
    behind = bits.byte + (length / 8) * width;
  };

  const read = (pairs: Int32Array, asked: number): void => {
    if (asked > count - done) throw new Error(`there are ${count} numbers, ${done + asked} are needed`);
    let i = 0;
    if (done === 0 && asked > 0) {
      pairs[0] = low;
      pairs[1] = high;
      i = 1;
    }
    while (i < asked) {
      if (left === 0) nextMiniblock();
      const taken = Math.min(left, asked - i, slice);
      unpackLong(bits, width, lows, highs, taken);
      for (let k = 0; k < taken; k++, i++) {
        const sum = (low >>> 0) + (leastLow >>> 0) + lows[k]!;
        low = sum | 0;
        high = (high + leastHigh + highs[k]! + Math.floor(sum / 2 ** 32)) | 0;
        pairs[2 * i] = low;
        pairs[2 * i + 1] = high;
      }
      left -= taken;
    }
    done += asked;
  };

  return {
    count,
    read,
    end: () => {
      const pairs = new Int32Array(2 * slice);
      while (done < count) read(pairs, Math.min(slice, count - done));
      return behind;
    },
  };
}

function unpackLong(bits: Bits, width: number, lows: Uint32Array, highs: Uint32Array, count: number): void {
  if (width <= 32) {
    unpack(bits, width, lows, 0, count);
    highs.fill(0);
    return;
  }
  for (let i = 0; i < count; i++) {
    unpack(bits, 32, lows, i, i + 1);
    unpack(bits, width - 32, highs, i, i + 1);
  }
}

function varint(bits: Bits): bigint {
  let value = 0n;
  for (let shift = 0n; shift < 70n; shift += 7n) {
    const byte = bits.view.getUint8(bits.byte++);
    value |= BigInt(byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
  throw new Error('a number does not end');
}

const zigzag = (bits: Bits): bigint => {
  const value = varint(bits);
  return (value >> 1n) ^ -(value & 1n);
};

const halves = (value: bigint): [low: number, high: number] => [
  Number(BigInt.asIntN(32, value)),
  Number(BigInt.asIntN(32, value >> 32n)),
];
