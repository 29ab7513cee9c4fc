import { type ByteLayout, notExact } from './layout.ts';
import { exactly } from './numberLayout.ts';

/** A signed integer of any number of bytes, the highest first, times 10^-scale. */
export const decimalBytes = (width: number | null, toDecimal: (unscaled: number) => number): ByteLayout => ({
  of: 'bytes',
  width,
  value: (bytes, start, end) => {
    if (start === end) return notExact;
    const sign = bytes[start]! < 128 ? 0 : -1;
    let low = sign;
    let high = sign;
    for (let i = start; i < end; i++) {
      // The byte that leaves at the top, and the bit that becomes the top, must be nothing but sign.
      if (high >> 23 !== sign) return notExact;
      high = (high << 8) | (low >>> 24);
      low = (low << 8) | bytes[i]!;
    }
    return toDecimal(exactly(low >>> 0, high));
  },
});

export const float16: ByteLayout = {
  of: 'bytes',
  width: 2,
  value: (bytes, start) => {
    const bits = bytes[start]! | (bytes[start + 1]! << 8);
    const sign = bits < 0x8000 ? 1 : -1;
    const exponent = (bits >> 10) & 31;
    const fraction = (bits & 1023) / 1024;
    if (exponent === 31) return fraction === 0 ? sign * Infinity : Number.NaN;
    return sign * (exponent === 0 ? fraction * 2 ** -14 : (1 + fraction) * 2 ** (exponent - 15));
  },
};

/** Texts as the index of the first level that is equal, or -1. Bytes are compared, so no text need be decoded. */
export function levelBytes(levels: readonly string[]): ByteLayout {
  const index = new Map<string, number>();
  let longest = 0;
  levels.forEach((level, i) => {
    const bytes = Buffer.from(level);
    const key = bytes.toString('latin1');
    if (!index.has(key)) index.set(key, i);
    longest = Math.max(longest, bytes.length);
  });
  return {
    of: 'bytes',
    width: null,
    value: (bytes, start, end) => {
      if (end - start > longest) return -1;
      return index.get(bytes.toString('latin1', start, end)) ?? -1;
    },
  };
}
