import type { ByteLayout, NumberLayout } from './layout.ts';
import { plainValues } from './plainValues.ts';
import type { Values } from './values.ts';

const slice = 512;

/** BYTE_STREAM_SPLIT: the first bytes of all values, then all second bytes, and so on. A slice of values is joined at a time. */
export function splitValues(layout: NumberLayout | ByteLayout, bytes: Uint8Array, count: number): Values {
  const { width } = layout;
  if (width === null || bytes.length !== count * width) {
    throw new Error(`${count} values of ${width} bytes are split over ${bytes.length} bytes`);
  }
  const joined = new Uint8Array(slice * width);
  let first = 0;
  return {
    read: (out, at, asked) => {
      for (let done = 0; done < asked; done += slice) {
        const taken = Math.min(slice, asked - done);
        for (let k = 0; k < width; k++) {
          const stream = k * count + first;
          for (let i = 0; i < taken; i++) joined[i * width + k] = bytes[stream + i]!;
        }
        plainValues(layout, joined.subarray(0, taken * width), taken).read(out, at + done, taken);
        first += taken;
      }
    },
  };
}
