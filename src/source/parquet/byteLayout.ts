import { fromHalf } from '../table/doubles.ts';
import type { Levels } from '../table/levels.ts';
import { rankBytes } from '../table/rankBytes.ts';
import { type ByteLayout, notExact } from './layout.ts';
import { exactly } from './numberLayout.ts';

/** A signed big-endian integer of any number of bytes, times 10^-scale. */
export const decimalBytes = (width: number | null, toDecimal: (unscaled: number) => number): ByteLayout => ({
  of: 'bytes',
  width,
  value: (bytes, start, end) => {
    if (start === end) return notExact;
    const sign = bytes[start]! < 128 ? 0 : -1;
    let low = sign;
    let high = sign;
    for (let i = start; i < end; i++) {
      // The byte shifted out at the top, and the new top bit, must be pure sign extension.
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
  value: (bytes, start) => fromHalf(bytes[start]! | (bytes[start + 1]! << 8)),
};

/** Texts, as their rank among the levels. */
export const levelBytes = (list: Levels): ByteLayout => ({
  of: 'bytes',
  width: null,
  value: rankBytes(list).rankOf,
});
