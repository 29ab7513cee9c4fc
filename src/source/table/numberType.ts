import { decimalValue, fromHalf, isExact, wideDecimal } from './doubles.ts';

/** How fixed-width numbers are stored, and how they become doubles. */
export interface NumberType {
  /** The number of bytes per value. */
  readonly bytes: number;
  /**
   * Converts the values in `source` to the doubles nearest to them in `out`, first to last. The source begins at a
   * multiple of 8 bytes, or is the end of `out` itself (see `tailOf`).
   */
  widen(source: Uint8Array, out: Float64Array): void;
  /** The same with `value - double` in `out`, which is what rounding has changed; absent if it changes nothing. */
  readonly rest?: NumberType['widen'];
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
    },
  };
}

/** Integers times 10^-scale, each as the nearest double. */
export function decimalType(bytes: number, scale: number): NumberType {
  const size = bytes / 4;
  const value = decimalValue(scale);
  return {
    bytes,
    widen: (source, out) => {
      const lows = viewAs(Uint32Array, source);
      const highs = viewAs(Int32Array, source);
      for (let i = 0; i < out.length; i++) {
        const first = i * size;
        const low = size === 1 ? highs[first]! : lows[first]!;
        const high = size === 1 ? 0 : highs[first + 1]!;
        let fits = isExact(low, high);
        for (let k = 2; k < size; k++) fits &&= highs[first + k] === high >> 31;
        if (fits) {
          out[i] = value(high * 2 ** 32 + low);
          continue;
        }
        let unscaled = BigInt(highs[first + size - 1]!);
        for (let k = size - 2; k >= 0; k--) unscaled = (unscaled << 32n) | BigInt(lows[first + k]!);
        out[i] = wideDecimal(unscaled, scale);
      }
    },
  };
}

/** 64-bit integers as the nearest doubles, joined from their halves: BigInt takes 11 times as long. */
export function longIntegers(highHalf: typeof Int32Array | typeof Uint32Array): NumberType {
  const each = (doubleOf: (upper: number, low: number) => number): NumberType['widen'] => {
    return (source, out) => {
      const lows = viewAs(Uint32Array, source);
      const highs = viewAs<Int32Array | Uint32Array>(highHalf, source);
      for (let i = 0; i < out.length; i++) out[i] = doubleOf(highs[2 * i + 1]! * 2 ** 32, lows[2 * i]!);
    };
  };
  return {
    bytes: 8,
    widen: each((upper, low) => upper + low),
    // Exact, because the upper part is the larger one or both are below 2^53 (Dekker 1971).
    rest: each((upper, low) => low - (upper + low - upper)),
  };
}

/** Counts of a unit of time, a fraction or a multiple of a second, as the doubles nearest to their value in seconds. */
export function timeType(bytes: 4 | 8, { perSecond = 1, seconds = 1 }): NumberType {
  const each = (secondsOf: (low: number, high: number) => number): NumberType['widen'] => {
    return (source, out) => {
      const lows = viewAs(Uint32Array, source);
      const highs = viewAs(Int32Array, source);
      for (let i = 0; i < out.length; i++) out[i] = secondsOf(lows[2 * i]!, highs[2 * i + 1]!);
    };
  };
  if (bytes === 4) {
    return {
      bytes,
      widen: (source, out) => {
        const counts = viewAs(Int32Array, source);
        for (let i = 0; i < out.length; i++) out[i] = (counts[i]! / perSecond) * seconds;
      },
    };
  }
  return {
    bytes,
    widen: each((low, high) => divide(low, high, perSecond) * seconds),
    ...(perSecond > 1 && {
      rest: each((low, high) => {
        const nearest = divide(low, high, perSecond);
        const whole = Math.floor(nearest);
        const counts = (BigInt(high) << 32n) + BigInt(low) - BigInt(whole) * BigInt(perSecond);
        return Number(counts) / perSecond - (nearest - whole);
      }),
    }),
  };
}

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
