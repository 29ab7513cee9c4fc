import { isExact } from '../table/doubles.ts';
import { type NumberType, viewAs } from './numberType.ts';

/** 64-bit integers from -2^53 to 2^53, joined from their halves: BigInt takes 11 times as long. */
const exactInteger = (highHalf: typeof Int32Array | typeof Uint32Array): NumberType => ({
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

export const int64 = exactInteger(Int32Array);
export const uint64 = exactInteger(Uint32Array);
