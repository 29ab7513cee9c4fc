import { isExact } from '../table/doubles.ts';
import { type NumberType, viewAs } from './numberType.ts';

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
