import { type Bits, unpack } from './bits.ts';

/** Parquet's hybrid of repeated and bit-packed numbers: definition levels, booleans and indices into dictionaries. */
export interface Hybrid {
  /** Reads the next `count` numbers; throws where there are fewer. */
  read(into: Uint32Array, count: number): void;
  /** Whether the next run is `count` times this number, or more. */
  repeats(value: number, count: number): boolean;
}

/** `width` is the number of bits of each: 0 to 32. */
export function hybrid(bytes: Uint8Array, width: number): Hybrid {
  if (!(width <= 32)) throw new Error(`numbers of ${width} bits are beyond the format`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const bits: Bits = { view, byte: 0, used: 0 };
  let left = 0;
  let isPacked = false;
  let repeated = 0;

  const nextRun = (): void => {
    let header = 0;
    for (let shift = 0; ; shift += 7) {
      if (shift > 28) throw new Error('the length of a run does not end');
      const byte = view.getUint8(bits.byte++);
      header += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) break;
    }
    isPacked = header % 2 === 1;
    left = isPacked ? 8 * ((header - 1) / 2) : header / 2;
    if (isPacked) return;
    repeated = 0;
    for (let shift = 0; shift < width; shift += 8) repeated += view.getUint8(bits.byte++) * 2 ** shift;
  };

  return {
    read: (into, count) => {
      for (let done = 0; done < count; ) {
        if (left === 0) {
          nextRun();
          continue;
        }
        const taken = Math.min(left, count - done);
        if (isPacked) unpack(bits, width, into, done, done + taken);
        else into.fill(repeated, done, done + taken);
        done += taken;
        left -= taken;
      }
    },
    repeats: (value, count) => {
      if (left === 0 && count > 0) nextRun();
      return count === 0 || (!isPacked && repeated === value && left >= count);
    },
  };
}
