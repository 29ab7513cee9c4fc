/**
 * The cell of every row: its place by a seeded permutation of row indices, then the cell that the place falls in.
 * Places are cut into consecutive cells of exact sizes, so a row's cell is that of a uniformly random order, whatever
 * the row holds.
 *
 * Below 2^32 rows compiled code does it (wasm/assembly/rowCells.ts), some rows at a time; beyond, the same arithmetic
 * on doubles.
 */
import { requireInteger } from '../math/check.ts';
import { type PermutationKey, permutation, permutationKey } from '../random/permutation.ts';
import type { Random } from '../random/random.ts';
import { type CompiledModule, Instance, Memory, Module } from '../sample/webAssembly.ts';
import { rowCellsBinary } from './wasm/rowCellsBinary.ts';

/** Writes the cells of the rows from `first` on, as many as there is room for. */
export type RowCells = (first: number, into: Uint32Array) => void;

/** `sizes` are those of the cells, in the order of places; together all rows. */
export function rowCells(sizes: readonly number[], random: Random): RowCells {
  const table = cellTable(sizes);
  const { rows } = table;
  const find =
    rows < 2 ** 32
      ? compiledCells(permutationKey(rows, random), table)
      : plainCells(permutation(rows, random), table);
  return (first, into) => {
    // Beyond its size a permutation has no place for a row, and looks for one forever.
    requireInteger('the last row', first + into.length - 1, first - 1, rows - 1);
    find(first, into);
  };
}

/** The cells of rows that are asked for from the first on, and stay where they are. */
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

/** Cells by their ends, and the first cell of every stride of places, from which a cell is a short walk away. */
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

/** Rows of a call: what they need stays in the nearest cache. */
const CALL_ROWS = 1024;

interface Arithmetic {
  readonly findCells: (job: number, first: number, count: number) => void;
}

let compiled: CompiledModule | undefined;

function compiledCells({ size, halfBits, words }: PermutationKey, table: CellTable): RowCells {
  const { ends, strideBits, guesses } = table;
  const lengths = [8, words.length, guesses.length, ends.length, CALL_ROWS, CALL_ROWS + 4];
  const pages = Math.ceil((4 * lengths.reduce((sum, length) => sum + length, 0)) / 2 ** 16);
  const memory = new Memory({ initial: pages, maximum: pages, shared: true });
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
  compiled ??= new Module(Buffer.from(rowCellsBinary, 'base64'));
  const { findCells } = new Instance(compiled, { env: { memory } }).exports as Arithmetic;
  return (first, into) => {
    for (let start = 0; start < into.length; start += CALL_ROWS) {
      const count = Math.min(CALL_ROWS, into.length - start);
      findCells(job.byteOffset, first + start, count);
      into.set(count < CALL_ROWS ? values.subarray(0, count) : values, start);
    }
  };
}
