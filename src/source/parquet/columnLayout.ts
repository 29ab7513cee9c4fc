import { decimalValue, fromHalf, isExact, wideDecimal } from '../table/doubles.ts';
import type { Levels } from '../table/levels.ts';
import { type NumberType, viewAs } from '../table/numberType.ts';
import { rankBytes } from '../table/rankBytes.ts';

/** How a value is stored in the PLAIN encoding, and how it becomes a double. */
export type ColumnLayout = NumberLayout | { readonly of: 'bits' } | ByteLayout;

export interface NumberLayout extends Pick<NumberType, 'widen' | 'rest'> {
  readonly of: 'numbers';
  /** The number of bytes per value. */
  readonly width: number;
}

export interface ByteLayout {
  readonly of: 'bytes';
  /** The number of bytes per value if fixed; otherwise null, and each value is preceded by its length. */
  readonly width: number | null;
  /** NaN for a decimal without bytes; the caller, who knows its row, rejects it. */
  readonly value: (bytes: Buffer, start: number, end: number) => number;
}

export const numbers = ({ bytes: width, ...type }: NumberType): NumberLayout => ({ of: 'numbers', width, ...type });

/** The layout that reads what rounding has changed in place of the values; undefined if it changes nothing. */
export const restOf = (layout: ColumnLayout): NumberLayout | undefined =>
  layout.of === 'numbers' && layout.rest ? { ...layout, widen: layout.rest } : undefined;

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
  },
};

/** A signed big-endian integer of any number of bytes, times 10^-scale. */
export const decimalBytes = (width: number | null, scale: number): ByteLayout => {
  const toDecimal = decimalValue(scale);
  return {
    of: 'bytes',
    width,
    value: (bytes, start, end) => {
      if (start === end) return NaN;
      const sign = bytes[start]! < 128 ? 0 : -1;
      let low = sign;
      let high = sign;
      for (let i = start; i < end; i++) {
        // The byte shifted out at the top, and the new top bit, must be pure sign extension.
        if (high >> 23 !== sign) return wideDecimal(unscaledIn(bytes, start, end), scale);
        high = (high << 8) | (low >>> 24);
        low = (low << 8) | bytes[i]!;
      }
      return isExact(low >>> 0, high)
        ? toDecimal(high * 2 ** 32 + (low >>> 0))
        : wideDecimal(unscaledIn(bytes, start, end), scale);
    },
  };
};

const unscaledIn = (bytes: Buffer, start: number, end: number): bigint =>
  BigInt.asIntN(8 * (end - start), BigInt(`0x${bytes.toString('hex', start, end)}`));

export const float16: ByteLayout = {
  of: 'bytes',
  width: 2,
  value: (bytes, start) => fromHalf(bytes[start]! | (bytes[start + 1]! << 8)),
};

/** Texts, as their rank among the levels. */
export const levelBytes = (list: Levels): ByteLayout => ({ of: 'bytes', width: null, value: rankBytes(list).rankOf });
