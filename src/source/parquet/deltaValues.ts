import { deltaIntegers } from './deltaIntegers.ts';
import type { NumberLayout } from './layout.ts';
import type { Values } from './values.ts';

const slice = 512;

/** Integers of 4 or 8 bytes as DELTA_BINARY_PACKED: converted to the PLAIN encoding one slice at a time. */
export function deltaValues({ width, widen }: NumberLayout, bytes: Uint8Array, count: number): Values {
  const integers = deltaIntegers(bytes);
  if (integers.count !== count) throw new Error(`${count} values are encoded as ${integers.count}`);
  const pairs = new Int32Array(2 * slice);
  const plain = new Uint8Array(pairs.buffer);
  return {
    read: (out, at, asked) => {
      for (let done = 0; done < asked; done += slice) {
        const taken = Math.min(slice, asked - done);
        integers.read(pairs, taken);
        if (width === 4) for (let i = 1; i < taken; i++) pairs[i] = pairs[2 * i]!;
        widen(plain, 0, out, at + done, taken);
      }
    },
  };
}
