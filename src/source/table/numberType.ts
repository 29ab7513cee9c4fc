import { decimalValue, fromHalf, isExact } from './doubles.ts';

/** How fixed-width numbers are stored, and how they become doubles. */
export interface NumberType {
  /** The number of bytes per value. */
  readonly bytes: number;
  /**
   * Converts the values in `source` to doubles in `out`, first to last. The source begins at a multiple of 8 bytes, or is
   * the end of `out` itself (see `tailOf`). A value that a double cannot represent becomes NaN; returns the index of the
   * first such value, or -1. Missing values are not checked.
   */
  widen(source: Uint8Array, out: Float64Array, missing: Uint8Array): number;
}

/**
 * The last `out.length` x `bytes` bytes of `out`: values are read there and widened in place, without extra memory.
 * Value i moves from byte (8 - bytes) n + bytes i to byte 8 i, and so never overwrites a value not yet converted.
 */
export const tailOf = (out: Float64Array, bytes: number): Uint8Array =>
  new Uint8Array(out.buffer, out.byteOffset + (8 - bytes) * out.length, bytes * out.length);

export const float16: NumberType = {
  bytes: 2,
  widen: (source, out) => {
    const halves = viewAs(Uint16Array, source);
    for (let i = 0; i < out.length; i++) out[i] = fromHalf(halves[i]!);
    return -1;
  },
};

interface ViewType<A> {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBufferLike, offset: number, length: number): A;
}

/** The same memory as numbers of another type. */
export const viewAs = <A>(type: ViewType<A>, { buffer, byteOffset, byteLength }: Uint8Array): A =>
  new type(buffer, byteOffset, byteLength / type.BYTES_PER_ELEMENT);

/** The constructor of a typed array whose elements are numbers. */
export type StoredArray = ViewType<ArrayLike<number>>;

/** Numbers as the elements of a typed array. */
export function stored(type: StoredArray): NumberType {
  return {
    bytes: type.BYTES_PER_ELEMENT,
    widen: (source, out) => {
      const isInPlace = type.BYTES_PER_ELEMENT === 8 && source.buffer === out.buffer;
      // Overlap is safe, because `set` works as if it copied the source first. It is several times faster than a loop.
      if (!isInPlace) out.set(viewAs(type, source));
      return -1;
    },
  };
}

/** Integers from -2^53 to 2^53 times 10^-scale, each as the nearest double; larger integers are rejected. */
export function decimalType(bytes: number, scale: number): NumberType {
  const size = bytes / 4;
  const value = decimalValue(scale);
  return {
    bytes,
    widen: (source, out, missing) => {
      const lows = viewAs(Uint32Array, source);
      const highs = viewAs(Int32Array, source);
      let refused = -1;
      for (let i = 0; i < out.length; i++) {
        const first = i * size;
        const low = size === 1 ? highs[first]! : lows[first]!;
        const high = size === 1 ? 0 : highs[first + 1]!;
        let fits = isExact(low, high);
        for (let k = 2; k < size; k++) fits &&= highs[first + k] === high >> 31;
        if (!fits && missing[i] === 0 && refused < 0) refused = i;
        out[i] = fits ? value(high * 2 ** 32 + low) : NaN;
      }
      return refused;
    },
  };
}

/** 64-bit integers from -2^53 to 2^53, joined from their halves: BigInt takes 11 times as long. */
export const longIntegers = (highHalf: typeof Int32Array | typeof Uint32Array): NumberType => ({
  bytes: 8,
  widen: (source, out, missing) => {
    const lows = viewAs(Uint32Array, source);
    const highs = viewAs<Int32Array | Uint32Array>(highHalf, source);
    let refused = -1;
    for (let i = 0; i < out.length; i++) {
      const low = lows[2 * i]!;
      const high = highs[2 * i + 1]!;
      const fits = isExact(low, high);
      if (!fits && missing[i] === 0 && refused < 0) refused = i;
      out[i] = fits ? high * 2 ** 32 + low : NaN;
    }
    return refused;
  },
});

/** Counts of a unit of time, a fraction or a multiple of a second, as the doubles nearest to their value in seconds. */
export const timeType = (bytes: 4 | 8, { perSecond = 1, seconds = 1 }): NumberType => ({
  bytes,
  widen: (source, out) => {
    const lows = viewAs(Uint32Array, source);
    const highs = viewAs(Int32Array, source);
    for (let i = 0; i < out.length; i++) {
      const count = bytes === 4 ? highs[i]! / perSecond : divide(lows[2 * i]!, highs[2 * i + 1]!, perSecond);
      out[i] = count * seconds;
    }
    return -1;
  },
});

/**
 * (high 2^32 + low) / divisor. Current times in nanoseconds exceed 53 bits; if they were rounded before the division,
 * they would not give the same seconds as the microseconds of the same instant. So this is a long division in digits of
 * 16 bits.
 */
function divide(low: number, high: number, divisor: number): number {
  if (isExact(low, high)) return (high * 2 ** 32 + low) / divisor;
  const upper = high * 2 ** 16 + (low >>> 16);
  const first = Math.floor(upper / divisor);
  const lower = (upper - first * divisor) * 2 ** 16 + (low & 0xffff);
  const second = Math.floor(lower / divisor);
  return first * 2 ** 16 + second + (lower - second * divisor) / divisor;
}
