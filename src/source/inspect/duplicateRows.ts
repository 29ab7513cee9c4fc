/**
 * Rows that equal another row in every column, as when a table was written twice, or when one observation stands in many
 * rows. They are found by hashes of whole rows, for a bounded sample of distinct rows (`hashSample`). Rows of a few
 * integers or levels often coincide by chance, however many rows there are, so that a column has to tell rows apart:
 *
 *   among the values of a column that occur more than once, a share of b has rows that differ otherwise;
 *   if rows were drawn one by one, two rows would have all other columns in common with a chance of at most
 *   c = the smallest of these columns' chances that two rows agree, and b would be 1 - c or more
 *
 * Duplicates are reported where, by some column, b <= (1 - c)/10, and where so few by chance would be a matter of one in a
 * million (Chernoff's bound). How often rows are repeated does not matter.
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

/** Columns that may tell rows apart: their hashes of one batch are kept until the hashes of its rows are known. */
const MOST_COLUMNS = 64;
const NO_HASHES = new Uint32Array(0);

/** Fewer narrow intervals by less than one per cent. */
const LEAST_SHARE = 0.02;
const LEAST_ROWS = 3;
/** Of what chance would make. Repeats of rows make 0, and rows that are repeated in part are not told of. */
const FEW = 0.1;
const BY_CHANCE = Math.log(1e6);

export function duplicateRows(columns: number, capacity: number) {
  const first = new Uint32Array(capacity);
  const second = new Uint32Array(capacity);
  const rows = hashSample(MOST_ROWS);
  const ofColumn = Math.max(64, Math.min(MOST_OF_COLUMN, Math.floor(MOST_VALUES / Math.max(1, columns))));
  const values = Array.from({ length: columns }, () => ({ sample: hashSample(ofColumn), hashes: NO_HASHES }));
  const number = new Float64Array(1);
  const words = new Uint32Array(number.buffer);

  return {
    /** Takes the next `count` values of a column, and 1 for each one that is missing. */
    add(column: number, numbers: Float64Array, missing: Uint8Array | null, count: number): void {
      const own = values[column]!;
      if (own.hashes.length === 0) own.hashes = column < MOST_COLUMNS ? new Uint32Array(capacity) : NO_HASHES;
      for (let i = 0; i < count; i++) {
        // Adding 0 turns -0 into 0.
        number[0] = missing === null || missing[i] === 0 ? numbers[i]! + 0 : Number.NaN;
        const [low, high] = [words[0]!, words[1]!];
        first[i] = mixed(mixed(first[i]!, low), high);
        second[i] = mixed(mixed(second[i]! ^ OTHER, high), low);
        const hash = finished(mixed(mixed(0, low), high));
        if (column < MOST_COLUMNS) own.hashes[i] = hash;
        else own.sample.add(hash);
      }
    },
    /** Ends these rows, after all their columns were added. */
    end(count: number): void {
      for (let i = 0; i < count; i++) rows.add(finished(first[i]!), finished(second[i]!));
      for (const { sample, hashes } of values)
        for (let i = 0; i < Math.min(count, hashes.length); i++) sample.add(hashes[i]!, 0, first[i]);
      first.fill(0, 0, count);
      second.fill(0, 0, count);
    },
    /** Null if there are few, or if rows of such values often coincide. */
    found(): DuplicateRows | null {
      const { kept, occurrences, distinct } = rows;
      const copies = occurrences - kept;
      if (copies < Math.max(LEAST_ROWS, LEAST_SHARE * occurrences)) return null;
      const seen = values.map(({ sample }) => sample).filter(({ kept: own }) => own > 0);
      const agreements = seen.map(sample => sample.agreement());
      const [least, next] = agreements.toSorted((a, b) => a - b);
      const tellsApart = seen.slice(0, MOST_COLUMNS).some((sample, k) => {
        // The smallest chance of the other columns; without any, rows are values of one column, which often coincide.
        const agreement = agreements[k] === least ? (next ?? 1) : least!;
        const { repeated, mixed: different } = sample.repeats();
        const share = different / repeated;
        return share <= FEW * (1 - agreement) && repeated * divergence(share, 1 - agreement) >= BY_CHANCE;
      });
      return tellsApart ? Object.freeze({ share: copies / occurrences, sampled: distinct > kept ? kept : null }) : null;
    },
  };
}

/** Of Bernoulli laws, a from b: n of one come with the frequency of the other with a chance of exp(-n d) at most. */
function divergence(a: number, b: number): number {
  const part = (of: number, by: number): number => (of === 0 ? 0 : of * Math.log(of / by));
  return part(a, b) + part(1 - a, 1 - b);
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

/** What is known of a value: how often it occurred, the first row's hash, and whether another row's was different. */
interface Occurrences {
  count: number;
  readonly row: number;
  isMixed: boolean;
}

/**
 * Counts the occurrences of a bounded sample of distinct values: those whose hash is below a bound, which is halved
 * whenever there are too many. Whether a value is in the sample depends on the value alone. So repeats are found at any
 * distance, and the sample does not depend on the order of the values.
 */
function hashSample(capacity: number) {
  const found = new Map<number, Occurrences>();
  let bound = ALL;
  let occurrences = 0;
  let all = 0;
  return {
    /**
     * Adds a value by its hash, an integer below 2^32, and 32 bits of a second hash that makes collisions unlikely;
     * `row` is the hash of the row that it stands in.
     */
    add(hash: number, other = 0, row = 0): void {
      all++;
      if (hash >= bound) return;
      const key = hash * ROOM + (other >>> 11);
      const known = found.get(key);
      occurrences++;
      if (known !== undefined) {
        known.count++;
        known.isMixed ||= known.row !== row;
        return;
      }
      found.set(key, { count: 1, row, isMixed: false });
      if (found.size <= capacity) return;
      bound /= 2;
      for (const [kept, { count }] of found) {
        if (kept < bound * ROOM) continue;
        found.delete(kept);
        occurrences -= count;
      }
    },
    /** Occurrences of the values in the sample. */
    get occurrences() {
      return occurrences;
    },
    /** Distinct values in the sample, and an estimate of their number in all. */
    get kept() {
      return found.size;
    },
    get distinct() {
      return (found.size * ALL) / bound;
    },
    /** Values in the sample that occur more than once, and those of them that stand in different rows. */
    repeats(): { readonly repeated: number; readonly mixed: number } {
      let [repeated, mixed] = [0, 0];
      for (const { count, isMixed } of found.values()) {
        if (count === 1) continue;
        repeated++;
        if (isMixed) mixed++;
      }
      return { repeated, mixed };
    },
    /** The chance that two draws from all values agree: of shares as they are, and not below one in the number of values. */
    agreement(): number {
      let squares = 1;
      for (const { count } of found.values()) squares += count ** 2;
      return Math.min(1, (squares * ALL) / bound / (all * all));
    },
  };
}
