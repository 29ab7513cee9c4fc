import type { ByteLayout, NumberLayout } from './layout.ts';
import { plainValues } from './plainValues.ts';
import type { Values } from './values.ts';

const slice = 512;

/**
 * BYTE_STREAM_SPLIT: the first bytes of all values, then all second bytes, and so on. Values are reassembled one slice
 * at a time.
 */
export function splitValues(layout: NumberLayout | ByteLayout, bytes: Uint8Array, count: number): Values {
  const { width } = layout;
  if (width === null || bytes.length !== count * width) {
    throw new Error(`${count} values of ${width} bytes are split over ${bytes.length} bytes`);
  }
  const joined = new Uint8Array(Math.min(slice, count) * width);
  const words = new Uint32Array(joined.buffer, 0, joined.length >> 2);
  let first = 0;
  return {
    read: (out, at, asked) => {
      for (let done = 0; done < asked; done += slice) {
        const taken = Math.min(slice, asked - done);
        if (width % 4 === 0) joinWords(bytes, first, count, words, width / 4, taken);
        else joinBytes(bytes, first, count, joined, width, taken);
        plainValues(layout, joined.subarray(0, taken * width), taken).read(out, at + done, taken);
        first += taken;
      }
    },
  };
}

/**
 * Four bytes at a time, with half the stores and none of them small. `apart` is the distance between the bytes of a
 * value.
 */
function joinWords(
  bytes: Uint8Array,
  first: number,
  apart: number,
  words: Uint32Array,
  size: number,
  count: number,
): void {
  for (let k = 0; k < size; k++) {
    const a = first + 4 * k * apart;
    const b = a + apart;
    const c = b + apart;
    const d = c + apart;
    for (let i = 0; i < count; i++) {
      words[i * size + k] = bytes[a + i]! | (bytes[b + i]! << 8) | (bytes[c + i]! << 16) | (bytes[d + i]! << 24);
    }
  }
}

function joinBytes(
  bytes: Uint8Array,
  first: number,
  apart: number,
  joined: Uint8Array,
  width: number,
  count: number,
): void {
  for (let k = 0; k < width; k++) {
    for (let i = 0; i < count; i++) joined[i * width + k] = bytes[first + k * apart + i]!;
  }
}
