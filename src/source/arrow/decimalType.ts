import { decimalValue, isExact } from '../table/doubles.ts';
import { type NumberType, viewAs } from './numberType.ts';

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
