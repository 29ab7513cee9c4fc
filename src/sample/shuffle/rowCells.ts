import { requireInteger } from '../../errors.ts';
import { type PermutationKey, permutation, permutationKey } from '../../math/random/permutation.ts';
import type { Random } from '../../math/random/random.ts';
import { rowCellsBinary } from '../../math/wasm/binaries.ts';
import { arithmeticIn, sharedMemory } from '../../math/wasm/webAssembly.ts';

/** Writes the cells of the rows from `first` on, as many as fit. */
export type RowCells = (first: number, into: Uint32Array) => void;

/**
 * The cell of every row: its position by a seeded permutation of row indices, then the cell that contains that
 * position. Positions are divided into consecutive cells of exact sizes, so a row's cell is that of a uniformly random
 * order, whatever its values.
 *
 * Below 2^32 rows compiled code does this (wasm/assembly/rowCells.ts), some rows at a time; beyond that, the same
 * arithmetic on doubles.
 *
 * `sizes` are those of the cells, in order of position; they add up to all rows.
 */
export function rowCells(sizes: readonly number[], random: Random): RowCells {
  const table = cellTable(sizes);
  const { rows } = table;
  const find =
    rows < 2 ** 32 ? compiledCells(permutationKey(rows, random), table) : plainCells(permutation(rows, random), table);
  return (first, into) => {
    // For a row beyond its size, cycle walking would never end.
    requireInteger('the last row', first + into.length - 1, first - 1, rows - 1);
    find(first, into);
  };
}

/** The cells of rows in file order, which must be requested from the first row on. */
export function cellsInOrder(sizes: readonly number[]): RowCells {
  let cell = 0;
  let end = sizes[0]!;
  return (first, into) => {
    requireInteger('the first row', first, end - sizes[cell]!);
    for (let i = 0; i < into.length; i++) {
      while (first + i >= end) end += sizes[++cell]!;
      into[i] = cell;
    }
  };
}

/**
 * The ends of the cells, and the first cell of every stride of positions, from which the right one is a few steps away.
 */
interface CellTable {
  readonly rows: number;
  readonly ends: Float64Array;
  readonly strideBits: number;
  readonly guesses: Uint32Array;
}

function cellTable(sizes: readonly number[]): CellTable {
  let rows = 0;
  const ends = Float64Array.from(sizes, size => (rows += size));
  const strideBits = Math.max(0, Math.floor(Math.log2(rows / (4 * sizes.length))));
  const stride = 2 ** strideBits;
  let cell = 0;
  const guesses = Uint32Array.from({ length: Math.ceil(rows / stride) }, (_, k) => {
    while (ends[cell]! <= k * stride) cell++;
    return cell;
  });
  return { rows, ends, strideBits, guesses };
}

function plainCells(placeOf: (row: number) => number, { ends, strideBits, guesses }: CellTable): RowCells {
  return (first, into) => {
    for (let i = 0; i < into.length; i++) {
      const place = placeOf(first + i);
      let cell = guesses[Math.floor(place / 2 ** strideBits)]!;
      while (place >= ends[cell]!) cell++;
      into[i] = cell;
    }
  };
}

/** Rows per call: their data stay in the first-level cache. */
const CALL_ROWS = 1024;

interface Arithmetic {
  readonly findCells: (job: number, first: number, count: number) => void;
}

function compiledCells({ size, halfBits, words }: PermutationKey, table: CellTable): RowCells {
  const { ends, strideBits, guesses } = table;
  const lengths = [8, words.length, guesses.length, ends.length, CALL_ROWS, CALL_ROWS + 4];
  const pages = Math.ceil((4 * lengths.reduce((sum, length) => sum + length, 0)) / 2 ** 16);
  const memory = sharedMemory(pages);
  let end = 0;
  const [job, ownKeys, ownGuesses, ownEnds, values, away] = lengths.map(length => {
    const taken = new Uint32Array(memory.buffer, end, length);
    end += taken.byteLength;
    return taken;
  }) as [Uint32Array, Uint32Array, Uint32Array, Uint32Array, Uint32Array, Uint32Array];
  ownKeys.set(words);
  ownGuesses.set(guesses);
  ownEnds.set(ends);
  const addresses = [ownGuesses, ownEnds, values, away].map(({ byteOffset }) => byteOffset);
  job.set([size, halfBits, ownKeys.byteOffset, strideBits, ...addresses]);
  const { findCells } = arithmeticIn<Arithmetic>(rowCellsBinary, memory);
  return (first, into) => {
    for (let start = 0; start < into.length; start += CALL_ROWS) {
      const count = Math.min(CALL_ROWS, into.length - start);
      findCells(job.byteOffset, first + start, count);
      into.set(count < CALL_ROWS ? values.subarray(0, count) : values, start);
    }
  };
}
