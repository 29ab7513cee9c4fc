/**
 * How often values occur, of a bounded sample of different values: those whose hash is below a bound, which is halved
 * whenever there are too many. Each value is in the sample or not wherever it occurs, so that repeats far apart are
 * found, and the sample does not depend on the order of the values.
 */
export interface HashSample {
  /** A value by its hash, a whole number below 2^32, and as many bits of another hash to tell it from others. */
  add(hash: number, other?: number): void;
  /** Occurrences of the values in the sample. */
  readonly occurrences: number;
  /** Different values in the sample, and in all as far as the sample tells. */
  readonly kept: number;
  readonly distinct: number;
}

const ALL = 2 ** 32;
/** Bits of the other hash that a double has room for. */
const ROOM = 2 ** 21;

export function hashSample(capacity: number): HashSample {
  const counts = new Map<number, number>();
  let bound = ALL;
  let occurrences = 0;
  return {
    add(hash, other = 0) {
      if (hash >= bound) return;
      const key = hash * ROOM + (other >>> 11);
      counts.set(key, (counts.get(key) ?? 0) + 1);
      occurrences++;
      if (counts.size <= capacity) return;
      bound /= 2;
      for (const [kept, count] of counts) {
        if (kept < bound * ROOM) continue;
        counts.delete(kept);
        occurrences -= count;
      }
    },
    get occurrences() {
      return occurrences;
    },
    get kept() {
      return counts.size;
    },
    get distinct() {
      return (counts.size * ALL) / bound;
    },
  };
}
