import { fromHalf, isExact } from '../table/doubles.ts';
import type { Levels } from '../table/levels.ts';
import { type NumberType, viewAs } from '../table/numberType.ts';
import { rankBytes } from '../table/rankBytes.ts';

/** How a value is stored in the PLAIN encoding, and how it becomes a double. */
export type ColumnLayout = NumberLayout | { readonly of: 'bits' } | ByteLayout;

export interface NumberLayout {
  readonly of: 'numbers';
  /** The number of bytes per value. */
  readonly width: number;
  /** A number that a double cannot represent is NaN; the caller, who knows its row, rejects it. */
  readonly widen: NumberType['widen'];
}

export interface ByteLayout {
  readonly of: 'bytes';
  /** The number of bytes per value if fixed; otherwise null, and each value is preceded by its length. */
  readonly width: number | null;
  /** NaN as in a `NumberLayout`: integers and decimals have none themselves. */
  readonly value: (bytes: Buffer, start: number, end: number) => number;
}

export const numbers = ({ bytes: width, widen }: NumberType): NumberLayout => ({ of: 'numbers', width, widen });

/** Counts of a fraction of a second, in 64 bits that are rounded to the nearest double first. */
export const roundedTime = (perSecond: number): NumberType => ({
  bytes: 8,
  widen: (source, out) => {
    const lows = viewAs(Uint32Array, source);
    const highs = viewAs(Int32Array, source);
    for (let i = 0; i < out.length; i++) out[i] = (highs[2 * i + 1]! * 2 ** 32 + lows[2 * i]!) / perSecond;
    return -1;
  },
});

/** The old timestamps of Impala and Spark in seconds since 1970: nanoseconds of the day, then the Julian day. */
export const int96: NumberType = {
  bytes: 12,
  widen: (source, out) => {
    const lows = viewAs(Uint32Array, source);
    const highs = viewAs(Int32Array, source);
    for (let i = 0; i < out.length; i++) {
      const nanos = highs[3 * i + 1]! * 2 ** 32 + lows[3 * i]!;
      out[i] = (highs[3 * i + 2]! - 2440588) * 86400 + nanos / 1e9;
    }
    return -1;
  },
};

/** A signed big-endian integer of any number of bytes, times 10^-scale. */
export const decimalBytes = (width: number | null, toDecimal: (unscaled: number) => number): ByteLayout => ({
  of: 'bytes',
  width,
  value: (bytes, start, end) => {
    if (start === end) return NaN;
    const sign = bytes[start]! < 128 ? 0 : -1;
    let low = sign;
    let high = sign;
    for (let i = start; i < end; i++) {
      // The byte shifted out at the top, and the new top bit, must be pure sign extension.
      if (high >> 23 !== sign) return NaN;
      high = (high << 8) | (low >>> 24);
      low = (low << 8) | bytes[i]!;
    }
    return isExact(low >>> 0, high) ? toDecimal(high * 2 ** 32 + (low >>> 0)) : NaN;
  },
});

export const float16: ByteLayout = {
  of: 'bytes',
  width: 2,
  value: (bytes, start) => fromHalf(bytes[start]! | (bytes[start + 1]! << 8)),
};

/** Texts, as their rank among the levels. */
export const levelBytes = (list: Levels): ByteLayout => ({ of: 'bytes', width: null, value: rankBytes(list).rankOf });
