/**
 * Rows in an order that depends on their values alone, so that samples drawn along it are the same in whatever order a
 * file has its rows, and a row more or less moves no other row from one sample into another.
 *
 * Every row has a 32-bit hash of its values. Rows with equal values count how many of them came before, so that they
 * are spread like other rows; which of them is which makes no difference.
 */
export interface HashedRows {
  /** Places of the rows, by hash. */
  readonly order: Uint32Array;
  /** Their hashes, in that order. */
  readonly hashes: Uint32Array;
}

/** `values` are arrays with one number per row; at most `most` rows are returned, those with the smallest hashes. */
export function hashedRows(values: readonly Float64Array[], rows: number, most: number): HashedRows {
  const hashes = new Uint32Array(rows);
  const others = new Uint32Array(rows);
  for (const [j, column] of values.entries()) addHashes(hashes, others, column, j);
  spreadEqualRows(hashes, others);
  const share = Math.min(1, (MORE * most) / rows);
  let found = 0;
  const keys = new Float64Array(rows);
  for (let i = 0; i < rows; i++) {
    // Hash and place in one double.
    if (share === 1 || hashes[i]! < share * 2 ** 32) keys[found++] = Math.floor(hashes[i]! / 4) * 2 ** 23 + i;
  }
  const sorted = keys.subarray(0, found).sort().subarray(0, most);
  const order = Uint32Array.from(sorted, key => key % 2 ** 23);
  return { order, hashes: Uint32Array.from(order, place => hashes[place]!) };
}

/** Enough hashes below a threshold that is expected to pass that many times what is wanted. */
const MORE = 1.1;

/** Another hash of a hash, for every number `salt`. */
export function rehashed(hash: number, salt: number): number {
  return mixed(hash ^ Math.imul(salt + 1, GOLDEN)) >>> 0;
}

/** 2^32 over the golden ratio, whose multiples are spread evenly. */
const GOLDEN = 0x9e3779b9;

/** The finalizer of MurmurHash3: every bit of the result depends on every bit given. */
function mixed(hash: number): number {
  let h = hash;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

const bits = new Float64Array(1);
const words = new Int32Array(bits.buffer);

function addHashes(hashes: Uint32Array, others: Uint32Array, column: Float64Array, place: number): void {
  const salt = Math.imul(place + 1, GOLDEN);
  for (let i = 0; i < hashes.length; i++) {
    // 0 and -0 are the same value.
    bits[0] = column[i]! + 0;
    const own = mixed(words[0]! ^ mixed(words[1]! ^ salt));
    hashes[i] = mixed(hashes[i]! ^ own);
    others[i] = Math.imul(others[i]!, 31) + own;
  }
}

/** Rows are equal if both of their hashes are. */
function spreadEqualRows(hashes: Uint32Array, others: Uint32Array): void {
  const { length } = hashes;
  const places = 2 ** Math.ceil(Math.log2(2 * length + 1));
  // The first row of each kind, and how many of it there were.
  const first = new Int32Array(places).fill(-1);
  const seen = new Uint32Array(places);
  const own = hashes.slice();
  for (let i = 0; i < length; i++) {
    let at = own[i]! & (places - 1);
    while (first[at]! >= 0 && !(own[first[at]!] === own[i] && others[first[at]!] === others[i])) {
      at = (at + 1) & (places - 1);
    }
    if (first[at]! < 0) first[at] = i;
    else hashes[i] = rehashed(own[i]!, seen[at]!);
    seen[at]!++;
  }
}
