/**
 * Counts the occurrences of a bounded sample of distinct values: those whose hash is below a bound, which is halved
 * whenever there are too many. Whether a value is in the sample depends on the value alone. So repeats are found at any
 * distance, and the sample does not depend on the order of the values.
 */
export interface HashSample {
  /** Adds a value by its hash, an integer below 2^32, and 32 bits of a second hash that makes collisions unlikely. */
  add(hash: number, other?: number): void;
  /** Occurrences of the values in the sample. */
  readonly occurrences: number;
  /** Distinct values in the sample, and an estimate of their number in all. */
  readonly kept: number;
  readonly distinct: number;
}

const ALL = 2 ** 32;
/** A double has room for 21 bits of the second hash. */
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
