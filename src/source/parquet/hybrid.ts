import { bitsOf, countOnes, entryAt, lookUp, unpack } from './bits.ts';
import type { Values } from './pageValues.ts';

/**
 * Parquet's hybrid of run-length encoded and bit-packed numbers: definition levels, booleans and dictionary indices.
 * `width` is the number of bits per number: 0 to 32.
 */
export function hybrid(bytes: Uint8Array, width: number) {
  if (!(width <= 32)) throw new Error(`numbers of ${width} bits are beyond the format`);
  const bits = bitsOf(bytes);
  /** State of the current run. */
  let left = 0;
  let isPacked = false;
  let repeated = 0;

  const nextRun = (): void => {
    const header = runHeader();
    isPacked = header % 2 === 1;
    left = isPacked ? 4 * (header - 1) : header / 2;
    if (isPacked) return;
    repeated = 0;
    for (let shift = 0; shift < width; shift += 8) repeated |= bits.view.getUint8(bits.byte++) << shift;
    repeated >>>= 0;
  };

  const runHeader = (): number => {
    let header = 0;
    for (let place = 1; place <= 2 ** 28; place *= 128) {
      const byte = bits.view.getUint8(bits.byte++);
      header += (byte & 0x7f) * place;
      if (byte < 0x80) return header;
    }
    throw new Error('the length of a run is not terminated');
  };

  /**
   * Enters the next run, or continues this one, for at most `most` numbers. Runs of eight are common, so this must be
   * cheap.
   */
  const take = (most: number): number => {
    while (left === 0) nextRun();
    const taken = Math.min(left, most);
    left -= taken;
    return taken;
  };

  return {
    /** Reads the next `count` numbers; throws if there are fewer. */
    read: (into: Uint32Array, count: number): void => {
      for (let at = 0; at < count; ) {
        const end = at + take(count - at);
        if (isPacked) unpack(bits, width, into, at, end);
        else for (let i = at; i < end; i++) into[i] = repeated;
        at = end;
      }
    },
    /** The entries of a table that the next numbers refer to. */
    entries:
      (table: Float64Array): Values =>
      (out, from, count) => {
        for (let at = from; at < from + count; ) {
          const end = at + take(from + count - at);
          if (isPacked) lookUp(bits, width, table, out, at, end);
          else out.fill(entryAt(table, repeated), at, end);
          at = end;
        }
      },
    /** How many of the next `total` numbers equal this one. */
    count: (value: number, total: number): number => {
      const one = new Uint32Array(1);
      let count = 0;
      for (let done = 0; done < total; ) {
        const taken = take(total - done);
        done += taken;
        if (!isPacked) count += repeated === value ? taken : 0;
        else if (width === 1 && value === 1) count += countOnes(bits, taken);
        else {
          for (let i = 0; i < taken; i++) {
            unpack(bits, width, one, 0, 1);
            if (one[0] === value) count++;
          }
        }
      }
      return count;
    },
    /** Whether the next run repeats this number `count` times or more. */
    repeats: (value: number, count: number): boolean => {
      while (left === 0 && count > 0) nextRun();
      return count === 0 || (!isPacked && repeated === value && left >= count);
    },
  };
}
