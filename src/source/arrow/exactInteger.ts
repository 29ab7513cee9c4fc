import { type NumberType, viewAs } from './numberType.ts';

/** 64-bit integers from -2^53 to 2^53, joined from their halves: BigInt takes 11 times as long. */
const exactInteger = (highHalf: typeof Int32Array | typeof Uint32Array): NumberType => ({
  bytes: 8,
  widen: (source, out, missing) => {
    const lows = viewAs(Uint32Array, source);
    const highs = viewAs<Int32Array | Uint32Array>(highHalf, source);
    for (let i = 0; i < out.length; i++) {
      const low = lows[2 * i]!;
      const high = highs[2 * i + 1]!;
      if (!isExact(low, high) && missing[i] === 0) return i;
      out[i] = high * 2 ** 32 + low;
    }
    return -1;
  },
});

export const int64 = exactInteger(Int32Array);
export const uint64 = exactInteger(Uint32Array);

/** Whether -2^53 <= high 2^32 + low <= 2^53. The sum itself could not tell: it is rounded when it is taken. */
export const isExact = (low: number, high: number): boolean =>
  high >= -(2 ** 21) && (high < 2 ** 21 || (high === 2 ** 21 && low === 0));
