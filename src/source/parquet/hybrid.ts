import { bitsOf, entryAt, lookUp, unpack } from './bits.ts';
import type { Values } from './values.ts';

/** Parquet's hybrid of repeated and bit-packed numbers: definition levels, booleans and indices into dictionaries. */
export interface Hybrid {
  /** Reads the next `count` numbers; throws where there are fewer. */
  read(into: Uint32Array, count: number): void;
  /** The entries that the next numbers name. */
  entries(table: Float64Array): Values;
  /** Whether the next run is `count` times this number, or more. */
  repeats(value: number, count: number): boolean;
}

/** `width` is the number of bits of each: 0 to 32. */
export function hybrid(bytes: Uint8Array, width: number): Hybrid {
  if (!(width <= 32)) throw new Error(`numbers of ${width} bits are beyond the format`);
  const bits = bitsOf(bytes);
  let left = 0;
  let isPacked = false;
  let repeated = 0;

  const nextRun = (): void => {
    const header = runHeader();
    isPacked = header % 2 === 1;
    left = isPacked ? 4 * (header - 1) : header / 2;
    repeated = 0;
    if (isPacked) return;
    for (let shift = 0; shift < width; shift += 8) repeated += bits.view.getUint8(bits.byte++) * 2 ** shift;
  };

  const runHeader = (): number => {
    let header = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = bits.view.getUint8(bits.byte++);
      header += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return header;
    }
    throw new Error('the length of a run does not end');
  };

  /** Visits [from, to) as parts of runs. */
  const eachRun = (from: number, to: number, visit: (from: number, to: number) => void): void => {
    for (let at = from; at < to; ) {
      while (left === 0) nextRun();
      const end = Math.min(to, at + left);
      visit(at, end);
      left -= end - at;
      at = end;
    }
  };

  return {
    read: (into, count) =>
      eachRun(0, count, (from, to) => {
        if (isPacked) unpack(bits, width, into, from, to);
        else into.fill(repeated, from, to);
      }),
    entries: table => ({
      read: (out, at, count) =>
        eachRun(at, at + count, (from, to) => {
          if (isPacked) lookUp(bits, width, table, out, from, to);
          else out.fill(entryAt(table, repeated), from, to);
        }),
    }),
    repeats: (value, count) => {
      while (left === 0 && count > 0) nextRun();
      return count === 0 || (!isPacked && repeated === value && left >= count);
    },
  };
}
