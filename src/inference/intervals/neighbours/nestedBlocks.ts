/** Nonempty blocks of neighbouring rows: of a few positions in the file, of four times as many, and so on. */
export interface NestedBlocks {
  readonly blockRows: number;
  readonly blocks: number;
  /** Share of all pairs of rows that are within a block. */
  readonly pairs: number;
  /** The first row of each block, and the number of rows at the end. */
  readonly starts: Uint32Array;
  /** The first part of each block, a row or a block of the next smaller size, and the number of parts at the end. */
  readonly parts: Uint32Array;
}

export function nestedBlocks(places: Float64Array, order: Uint32Array): readonly NestedBlocks[] {
  const rows = order.length;
  const first = places[order[0]!]!;
  const span = places[order[rows - 1]!]! - first + 1;
  let count = LEAST_BLOCKS;
  while (span / (GROWTH * count) >= SMALLEST_BLOCK) count *= GROWTH;
  const levels: NestedBlocks[] = [];
  // The block of every row, then of every block.
  const numbers = new Uint32Array(rows);
  for (let k = 0; k < rows; k++) numbers[k] = Math.floor(((places[order[k]!]! - first) * count) / span);
  for (let length = rows; count >= LEAST_BLOCKS; count /= GROWTH) {
    const before = levels.at(-1)?.starts;
    const parts = startsOf(numbers, length);
    const blocks = parts.length - 1;
    const starts = before === undefined ? parts : parts.map(part => before[part]!);
    let squares = 0;
    for (let b = 0; b < blocks; b++) {
      squares += (starts[b + 1]! - starts[b]!) ** 2;
      numbers[b] = Math.floor(numbers[parts[b]!]! / GROWTH);
    }
    const pairs = (squares - rows) / (rows * (rows - 1));
    levels.push({ blockRows: Math.round(span / count), blocks, pairs, starts, parts });
    length = blocks;
  }
  return levels;
}

/** Where runs of equal numbers begin, and where the last one ends. */
function startsOf(numbers: Uint32Array, length: number): Uint32Array {
  const starts = new Uint32Array(length + 1);
  let found = 0;
  for (let i = 0; i < length; i++) if (i === 0 || numbers[i] !== numbers[i - 1]) starts[found++] = i;
  starts[found++] = length;
  return starts.subarray(0, found);
}

/** Enough to estimate the variance of block sums to about a half. */
const LEAST_BLOCKS = 12;
const GROWTH = 4;
const SMALLEST_BLOCK = 2.5;
