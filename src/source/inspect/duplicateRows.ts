/**
 * Rows that equal another row in every column, as when part of a table was written twice. They are found by hashes of
 * whole rows, for a bounded sample of distinct rows (`hashSample`). Rows of a few integers or levels often coincide by
 * chance, and so do rows in which only one column varies. Duplicates are therefore reported only if one column has
 * almost as many distinct values as there are distinct rows (nine in ten), and another column varies too.
 */
export interface DuplicateRows {
  /** Of all rows; a row that occurs three times has two duplicates. */
  readonly share: number;
  /** The number of distinct rows compared; null if all were. */
  readonly sampled: number | null;
}

const MOST_ROWS = 2 ** 16;
/** Values kept for all columns together, and for one. */
const MOST_VALUES = 2 ** 19;
const MOST_OF_COLUMN = 1024;

const LEAST_SHARE = 0.02;
const LEAST_ROWS = 3;
const DIFFERENT = 0.9;
/** Tables whose rows occur more than twenty times on average are not reported. */
const LEAST_DISTINCT_SHARE = 0.05;

export function duplicateRows(columns: number, capacity: number) {
  const first = new Uint32Array(capacity);
  const second = new Uint32Array(capacity);
  const rows = hashSample(MOST_ROWS);
  const ofColumn = Math.max(64, Math.min(MOST_OF_COLUMN, Math.floor(MOST_VALUES / Math.max(1, columns))));
  const values = Array.from({ length: columns }, () => hashSample(ofColumn));
  const number = new Float64Array(1);
  const words = new Uint32Array(number.buffer);

  return {
    /** Takes the next `count` values of a column, and 1 for each one that is missing. */
    add(column: number, numbers: Float64Array, missing: Uint8Array, count: number): void {
      const own = values[column]!;
      for (let i = 0; i < count; i++) {
        // Adding 0 turns -0 into 0.
        number[0] = missing[i] === 0 ? numbers[i]! + 0 : Number.NaN;
        const [low, high] = [words[0]!, words[1]!];
        first[i] = mixed(mixed(first[i]!, low), high);
        second[i] = mixed(mixed(second[i]! ^ OTHER, high), low);
        own.add(finished(mixed(mixed(0, low), high)));
      }
    },
    /** Ends these rows, after all their columns were added. */
    end(count: number): void {
      for (let i = 0; i < count; i++) rows.add(finished(first[i]!), finished(second[i]!));
      first.fill(0, 0, count);
      second.fill(0, 0, count);
    },
    /** Null if there are few, or if rows of such values often coincide. */
    found(): DuplicateRows | null {
      const { kept, occurrences, distinct } = rows;
      const copies = occurrences - kept;
      if (copies < Math.max(LEAST_ROWS, LEAST_SHARE * occurrences)) return null;
      const varying = values.filter(column => column.kept > 1).length;
      if (varying < 2 || kept < LEAST_DISTINCT_SHARE * occurrences) return null;
      if (!values.some(column => column.distinct >= DIFFERENT * distinct)) return null;
      return Object.freeze({ share: copies / occurrences, sampled: distinct > kept ? kept : null });
    },
  };
}

const OTHER = 0x9e3779b9;

/** A step of MurmurHash3 (32 bits), and its finalizer. */
function mixed(hash: number, word: number): number {
  const scrambled = Math.imul(rotated(Math.imul(word, 0xcc9e2d51), 15), 0x1b873593);
  return (Math.imul(rotated(hash ^ scrambled, 13), 5) + 0xe6546b64) | 0;
}

function finished(hash: number): number {
  let bits = hash ^ (hash >>> 16);
  bits = Math.imul(bits, 0x85ebca6b);
  bits ^= bits >>> 13;
  bits = Math.imul(bits, 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

const rotated = (bits: number, by: number): number => (bits << by) | (bits >>> (32 - by));

const ALL = 2 ** 32;
/** A double has room for 21 bits of the second hash. */
const ROOM = 2 ** 21;

/**
 * Counts the occurrences of a bounded sample of distinct values: those whose hash is below a bound, which is halved
 * whenever there are too many. Whether a value is in the sample depends on the value alone. So repeats are found at any
 * distance, and the sample does not depend on the order of the values.
 */
function hashSample(capacity: number) {
  const counts = new Map<number, number>();
  let bound = ALL;
  let occurrences = 0;
  return {
    /** Adds a value by its hash, an integer below 2^32, and 32 bits of a second hash that makes collisions unlikely. */
    add(hash: number, other = 0): void {
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
    /** Occurrences of the values in the sample. */
    get occurrences() {
      return occurrences;
    },
    /** Distinct values in the sample, and an estimate of their number in all. */
    get kept() {
      return counts.size;
    },
    get distinct() {
      return (counts.size * ALL) / bound;
    },
  };
}
