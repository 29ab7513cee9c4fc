/**
 * Rows that are the same as another row in every column, as where a part of a table was written twice: found by hashes
 * of whole rows, of a bounded sample of different rows (hashSample.ts). Rows of a few whole numbers or levels are
 * often the same, and nothing follows from it; nor does it where one column alone varies. So there must be a column of
 * different values, and another one that varies: nine in ten of the rows that are no duplicates differ from each other
 * in the first.
 */
import { type HashSample, hashSample } from './hashSample.ts';

export interface DuplicateRows {
  /** Of the rows; a row that is there three times has two duplicates. */
  readonly share: number;
  /** How many different rows were compared; null where all were. */
  readonly sampled: number | null;
}

export interface DuplicateCounter {
  /** The next `count` rows, column by column: their values, and 1 where one is missing. */
  add(column: number, values: Float64Array, missing: Uint8Array, count: number): void;
  /** Those rows have all their values. */
  end(count: number): void;
  /** Null where there are few, or where rows are often the same. */
  found(): DuplicateRows | null;
}

const MOST_ROWS = 2 ** 16;
/** Values that are kept of all columns together, and of one. */
const MOST_VALUES = 2 ** 19;
const MOST_OF_COLUMN = 1024;

const LEAST_SHARE = 0.02;
const LEAST_ROWS = 3;
const DIFFERENT = 0.9;
/** Rows that are there twenty times are not looked for. */
const MOST_ALIKE = 0.05;

export function duplicateRows(columns: number, capacity: number): DuplicateCounter {
  const first = new Uint32Array(capacity);
  const second = new Uint32Array(capacity);
  const rows = hashSample(MOST_ROWS);
  const ofColumn = Math.max(64, Math.min(MOST_OF_COLUMN, Math.floor(MOST_VALUES / Math.max(1, columns))));
  const values = Array.from({ length: columns }, (): HashSample => hashSample(ofColumn));
  const number = new Float64Array(1);
  const words = new Uint32Array(number.buffer);

  return {
    add(column, numbers, missing, count) {
      const own = values[column]!;
      for (let i = 0; i < count; i++) {
        // Adding 0 makes one of the two zeros.
        number[0] = missing[i] === 0 ? numbers[i]! + 0 : Number.NaN;
        const [low, high] = [words[0]!, words[1]!];
        first[i] = mixed(mixed(first[i]!, low), high);
        second[i] = mixed(mixed(second[i]! ^ OTHER, high), low);
        own.add(finished(mixed(mixed(0, low), high)));
      }
    },
    end(count) {
      for (let i = 0; i < count; i++) rows.add(finished(first[i]!), finished(second[i]!));
      first.fill(0, 0, count);
      second.fill(0, 0, count);
    },
    found() {
      const { kept, occurrences, distinct } = rows;
      const copies = occurrences - kept;
      if (copies < Math.max(LEAST_ROWS, LEAST_SHARE * occurrences)) return null;
      const varying = values.filter(column => column.kept > 1).length;
      if (varying < 2 || kept < MOST_ALIKE * occurrences) return null;
      if (!values.some(column => column.distinct >= DIFFERENT * distinct)) return null;
      return Object.freeze({ share: copies / occurrences, sampled: distinct > kept ? kept : null });
    },
  };
}

const OTHER = 0x9e3779b9;

/** A step of MurmurHash3 (32 bits), and its end. */
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
