/** Blocks of neighbouring rows, those that have any: of a few places in the file, of four times as many, and so on. */
export interface NestedBlocks {
  readonly blockRows: number;
  readonly blocks: number;
  /** Of all pairs of rows, those within a block. */
  readonly pairs: number;
  /** The row that each begins with, and how many rows there are. */
  readonly starts: Uint32Array;
  /** The block of the next smaller size, or the row, that each begins with, and how many of those there are. */
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

/** Where runs of one and the same number begin, and where the last one ends. */
function startsOf(numbers: Uint32Array, length: number): Uint32Array {
  const starts = new Uint32Array(length + 1);
  let found = 0;
  for (let i = 0; i < length; i++) if (i === 0 || numbers[i] !== numbers[i - 1]) starts[found++] = i;
  starts[found++] = length;
  return starts.subarray(0, found);
}

/** As many say what blocks vary by, to a half or so. */
const LEAST_BLOCKS = 12;

const GROWTH = 4;

const SMALLEST_BLOCK = 2.5;
