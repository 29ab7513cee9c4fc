import { refuse, requireInteger, requireLength, requireVector } from '../../errors.ts';
import type { Vector } from '../../math/vector.ts';
import { cellGramsBinary } from '../../math/wasm/binaries.ts';
import {
  arithmeticIn,
  type CompiledModule,
  compiledModule,
  type SharedMemory,
  sharedMemory,
} from '../../math/wasm/webAssembly.ts';
import { alignUp, linePlaces } from '../../sample/kernelRegion.ts';
import { requireBatch, type SampleBatch } from '../../sample/sampleBatch.ts';

/** The memory limit for the moments of all cells, and the largest number of coordinates for which they pay off. */
export const LARGEST_GRAM_BYTES = 2 ** 26;
const MOST_GRAM_COORDINATES = 33;

export interface CellGrams {
  /** `cell[i]` is the cell of row i of the batch; a row whose cell is not below the number of cells is skipped. */
  add(batch: SampleBatch, cell: Uint32Array): void;
  /**
   * After every row was added: the sums of `count` cells from `first` on, cell by coordinate. An intercept is the last
   * coordinate of `at`.
   */
  sumsAt(at: Vector, first: number, count: number): Float64Array;
  /** Ends the thread that adds rows, if there is one. `sumsAt` still works for the rows added before. */
  close(): void;
}

/**
 * Whether the moments of the cells fit in memory, for `size` coordinates of theta: one more than there are features if
 * there is an intercept.
 */
export const cellGramsFit = ({
  size,
  intercept,
  cells,
}: {
  readonly size: number;
  readonly intercept: boolean;
  readonly cells: number;
}): boolean =>
  size <= MOST_GRAM_COORDINATES && cells * recordBytes(pairsOf(intercept ? size - 1 : size)) <= LARGEST_GRAM_BYTES;

/**
 * The squared loss in one pass, with rows in any order: for every cell of rows, the moments S = sum of w z z', from
 * which the cell's sum of gradients at any theta follows.
 *
 * Moments of raw values would lose precision if a column has a large offset relative to its variation (a year, a price
 * level). So a shift near the middle is subtracted: the median of the values with nonzero weight in the first 1,024
 * rows (the first such piece in which any weight is nonzero), which is robust to a few outliers. With z = (x - s, y -
 * s_y, 1) a row's residual is z.t, and
 *
 *   sum of w (x.theta + theta_0 - y) x = (S t)_x + s (S t)_1,    t = (theta, -1, s.theta + theta_0 - s_y)
 *
 * Rows are copied in pieces that are delimited by their position in the pass, never by the end of a batch, so the bits
 * do not depend on how the rows are batched. The arithmetic is in wasm/assembly/cellGrams.ts.
 *
 * `work` adds the pieces up: in the calling thread by default.
 */
export function cellGrams(
  { features, cells }: { readonly features: number; readonly cells: number },
  work: GramWork = addAlone,
): CellGrams {
  requireInteger('features', features, 1);
  requireInteger('cells', cells, 1);
  const pairs = pairsOf(features);
  const room = makeRoom(pairs, cells, work.pieces);
  const { pieces, shifts } = room;
  // Cached, because thousands of steps use them.
  const moments: Float64Array[] = [];
  const { publish, settle, end } = work.begin(room);
  const one = features + 1;
  for (const { columns } of pieces) columns[one]!.fill(1);
  let at = 0;
  let filled = 0;
  let isFirst = true;

  const handOver = (): void => {
    const { columns, weights } = pieces[at]!;
    // Rows with weight 0 have no median, and add nothing.
    if (isFirst && weights.subarray(0, filled).every(weight => weight === 0)) {
      filled = 0;
      return;
    }
    if (isFirst) for (let j = 0; j <= features; j++) shifts[j] = middle(columns[j]!, weights, filled);
    isFirst = false;
    publish(at, filled);
    at = (at + 1) % pieces.length;
    filled = 0;
  };

  return {
    add(batch, cell) {
      requireBatch(batch, features);
      if (cell.length < batch.rows) refuse('the length of cell', `be at least ${batch.rows}`, cell.length);
      for (let start = 0; start < batch.rows; ) {
        const { columns, weights, owners } = pieces[at]!;
        const end = Math.min(batch.rows, start + PIECE_ROWS - filled);
        for (let j = 0; j < features; j++) columns[j]!.set(batch.columns[j]!.subarray(start, end), filled);
        columns[features]!.set(batch.target.subarray(start, end), filled);
        if (batch.weights === undefined) weights.fill(1, filled, filled + end - start);
        else weights.set(batch.weights.subarray(start, end), filled);
        owners.set(cell.subarray(start, end), filled);
        filled += end - start;
        start = end;
        if (filled === PIECE_ROWS) handOver();
      }
    },
    sumsAt(theta, first, count) {
      const size = requireVector('at', theta).length;
      if (size !== one) requireLength('at', theta, features);
      requireInteger('first + count', first + count, 0, cells);
      if (filled > 0) handOver();
      settle();
      room.addGroups();
      const t = new Float64Array(2 * pairs);
      t.set(theta.subarray(0, features));
      t[features] = -1;
      t[one] = (theta[features] ?? 0) - shifts[features]!;
      for (let j = 0; j < features; j++) t[one]! += shifts[j]! * theta[j]!;
      const sums = new Float64Array(count * size);
      const product = new Float64Array(2 * pairs);
      for (let k = 0; k < count; k++) {
        moments[first + k] ??= room.momentsOf(first + k);
        multiply(moments[first + k]!, t, product);
        for (let j = 0; j < features; j++) sums[k * size + j] = product[j]! + shifts[j]! * product[one]!;
        if (size === one) sums[k * size + features] = product[one]!;
      }
      return sums;
    },
    close: end,
  };
}

/** Rows per piece, rows per group, and the bytes before a group, as in assembly/cellGrams.ts. */
const PIECE_ROWS = 1024;
const GROUP_ROWS = 8;
const HEAD_BYTES = 16 + 8 * GROUP_ROWS;
/** Bytes from one column of a piece to the next. */
const COLUMN_BYTES = 8 * PIECE_ROWS + 64;

/** Coordinates of z in pairs; if their number is odd, a coordinate of 0 is appended. */
const pairsOf = (features: number): number => Math.ceil((features + 2) / 2);

const groupBytes = (pairs: number): number => 16 * pairs * GROUP_ROWS;

const recordBytes = (pairs: number): number => alignUp(HEAD_BYTES + groupBytes(pairs) + 16 * pairs * (pairs + 1), 64);

/** Rows on the way to their cells. */
interface Piece {
  /** One column per coordinate of z. */
  readonly columns: readonly Float64Array[];
  readonly weights: Float64Array;
  readonly owners: Uint32Array;
  /** The address of the kernel's description of the piece. */
  readonly job: number;
}

export interface GramRoom {
  readonly memory: SharedMemory;
  readonly module: CompiledModule;
  readonly pieces: readonly Piece[];
  readonly shifts: Float64Array;
  readonly momentsOf: (cell: number) => Float64Array;
  readonly addRows: GramArithmetic['addRows'];
  readonly addGroups: () => void;
}

export interface GramArithmetic {
  readonly addRows: (job: number, rows: number) => void;
  readonly addGroups: (job: number) => void;
}

/** Adds pieces to the moments, in order. */
export interface GramWork {
  /** The number of pieces to fill in turn. */
  readonly pieces: number;
  begin(room: GramRoom): {
    /** Hands a piece over; returns once the next one in turn may be filled. */
    publish(piece: number, rows: number): void;
    /** Returns once all pieces have been added. */
    settle(): void;
    /** Declares that there will be no more pieces. */
    end(): void;
  };
}

/** Adds each piece at once, in the calling thread. */
export const addAlone: GramWork = {
  pieces: 1,
  begin: ({ pieces, addRows }) => ({
    publish: (piece, rows) => addRows(pieces[piece]!.job, rows),
    settle: () => {},
    end: () => {},
  }),
};

function makeRoom(pairs: number, cells: number, count: number): GramRoom {
  const { take, end } = linePlaces(0);
  const places = Array.from({ length: count }, () => ({
    job: take(32),
    piece: take(COLUMN_BYTES * (2 * pairs + 1)),
    owners: take(4 * PIECE_ROWS),
  }));
  const shifts = take(16 * pairs);
  const scaled = take(groupBytes(pairs));
  const records = take(recordBytes(pairs) * cells);
  const pages = Math.ceil(end() / 2 ** 16);
  const memory = sharedMemory(pages);
  const { buffer } = memory;
  for (const { job, piece, owners } of places) {
    new Uint32Array(buffer, job, 8).set([pairs, cells, piece, shifts, owners, scaled, records, recordBytes(pairs)]);
  }
  const { addRows, addGroups } = arithmeticIn<GramArithmetic>(cellGramsBinary, memory);
  const moments = records + HEAD_BYTES + groupBytes(pairs);
  return {
    memory,
    module: compiledModule(cellGramsBinary),
    pieces: places.map(({ job, piece, owners }) => {
      const column = (j: number): Float64Array => new Float64Array(buffer, piece + j * COLUMN_BYTES, PIECE_ROWS);
      return {
        job,
        columns: Array.from({ length: 2 * pairs }, (_, j) => column(j)),
        weights: column(2 * pairs),
        owners: new Uint32Array(buffer, owners, PIECE_ROWS),
      };
    }),
    shifts: new Float64Array(buffer, shifts, 2 * pairs),
    momentsOf: cell => new Float64Array(buffer, moments + cell * recordBytes(pairs), 2 * pairs * (pairs + 1)),
    addRows,
    addGroups: () => addGroups(places[0]!.job),
  };
}

/** A median of the first rows with nonzero weight. */
function middle(column: Float64Array, weights: Float64Array, rows: number): number {
  const values = column.slice(0, rows).filter((_, i) => weights[i] !== 0);
  return values.sort()[values.length >> 1]!;
}

/**
 * Writes S t, where S is stored as blocks of two coordinates by two, on and below the diagonal. Written as plain
 * statements, because a descent of thousands of steps spends most of its time here.
 */
function multiply(squares: Float64Array, t: Float64Array, product: Float64Array): void {
  let at = 0;
  for (let j = 0; j < t.length; j += 2) {
    const left = t[j]!;
    const right = t[j + 1]!;
    let upper = 0;
    let lower = 0;
    for (let k = 0; k < j; k += 2, at += 4) {
      const a = squares[at]!;
      const b = squares[at + 1]!;
      const c = squares[at + 2]!;
      const d = squares[at + 3]!;
      upper += a * t[k]! + b * t[k + 1]!;
      lower += c * t[k]! + d * t[k + 1]!;
      product[k]! += a * left + c * right;
      product[k + 1]! += b * left + d * right;
    }
    product[j] = upper + squares[at]! * left + squares[at + 1]! * right;
    product[j + 1] = lower + squares[at + 2]! * left + squares[at + 3]! * right;
    at += 4;
  }
}
