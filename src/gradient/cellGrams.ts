/**
 * The squared loss in one pass, in whatever order rows come: for every cell of rows the moments S = sum of w z z', from
 * which the cell's sum of gradients at any theta follows.
 *
 * Moments of raw values would lose the digits in which a column varies to those of its offset (a year, a price level).
 * So values are taken from a shift near their middle: the median of those that count among the first 1,024 rows of
 * which any does, which a few far rows cannot carry away. With z = (x - s, y - s_y, 1) a row's residual is z.t, and
 *
 *   sum of w (x.theta + theta_0 - y) x = (S t)_x + s (S t)_1,    t = (theta, -1, s.theta + theta_0 - s_y)
 *
 * Rows are copied in pieces that are cut by their place in the pass, never by where a batch ends, so the same rows give
 * the same bits in any batches. The arithmetic is in wasm/assembly/cellGrams.ts.
 */
import { refuse, requireInteger, requireLength, requireVector } from '../math/check.ts';
import type { Vector } from '../math/vector.ts';
import { alignUp, linePlaces } from '../sample/linePlaces.ts';
import { requireBatch, type SampleBatch } from '../sample/sampleBatch.ts';
import { type CompiledModule, Instance, Memory, Module, type SharedMemory } from '../sample/webAssembly.ts';
import { cellGramsBinary } from './wasm/cellGramsBinary.ts';

/** What the moments of all cells may take together, and the most coordinates for which they pay. */
export const LARGEST_GRAM_BYTES = 2 ** 26;
const MOST_GRAM_COORDINATES = 33;

export interface CellGrams {
  /** `cell[i]` is the cell of row i of the batch; a row whose cell is not below the number of cells is passed over. */
  add(batch: SampleBatch, cell: Uint32Array): void;
  /**
   * Once every row was added: the sums of `count` cells from `first` on, cell by coordinate. An intercept is the last
   * coordinate of `at`.
   */
  sumsAt(at: Vector, first: number, count: number): Float64Array;
  /** Ends whoever adds rows up. Sums that were asked for before may still be asked for. */
  close(): void;
}

/**
 * Whether the cells fit, for so many coordinates of theta, which has one more than there are features where it has an
 * intercept.
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
  size <= MOST_GRAM_COORDINATES &&
  cells * recordBytes(pairsOf(intercept ? size - 1 : size)) <= LARGEST_GRAM_BYTES;

/** Makes the moments; `work` says who adds pieces up: the caller unless given. */
export function cellGrams(
  { features, cells }: { readonly features: number; readonly cells: number },
  work: GramWork = addAlone,
): CellGrams {
  requireInteger('features', features, 1);
  requireInteger('cells', cells, 1);
  const pairs = pairsOf(features);
  const room = makeRoom(pairs, cells, work.pieces);
  const { pieces, shifts } = room;
  // Kept, because thousands of steps ask for them.
  const moments: Float64Array[] = [];
  const { publish, settle, end } = work.begin(room);
  const one = features + 1;
  for (const { columns } of pieces) columns[one]!.fill(1);
  let at = 0;
  let filled = 0;
  let isFirst = true;

  const handOver = (): void => {
    const { columns, weights } = pieces[at]!;
    // Rows that count for nothing have no middle, and add nothing.
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

/** Rows of a piece, rows of a group, and the bytes before a group, as in assembly/cellGrams.ts. */
const PIECE_ROWS = 1024;
const GROUP_ROWS = 8;
const HEAD_BYTES = 16 + 8 * GROUP_ROWS;
/** Bytes from one column of a piece to the next. */
const COLUMN_BYTES = 8 * PIECE_ROWS + 64;

/** Coordinates of z in pairs; where they are odd, the last of all is 0. */
const pairsOf = (features: number): number => Math.ceil((features + 2) / 2);

const groupBytes = (pairs: number): number => 16 * pairs * GROUP_ROWS;

const recordBytes = (pairs: number): number =>
  alignUp(HEAD_BYTES + groupBytes(pairs) + 16 * pairs * (pairs + 1), 64);

/** Rows on their way to their cells. */
interface Piece {
  /** One column per coordinate of z. */
  readonly columns: readonly Float64Array[];
  readonly weights: Float64Array;
  readonly owners: Uint32Array;
  /** Where the kernel finds all about it. */
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

/** Who adds pieces to the moments, one after the other. */
export interface GramWork {
  /** How many there are to fill in turn. */
  readonly pieces: number;
  begin(room: GramRoom): {
    /** Hands a piece over; returns once the next one in turn may be filled. */
    publish(piece: number, rows: number): void;
    /** Returns once all have been added. */
    settle(): void;
    /** There will be no more. */
    end(): void;
  };
}

/** The caller does, at once. */
export const addAlone: GramWork = {
  pieces: 1,
  begin: ({ pieces, addRows }) => ({
    publish: (piece, rows) => addRows(pieces[piece]!.job, rows),
    settle: () => {},
    end: () => {},
  }),
};

let compiled: CompiledModule | undefined;

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
  const memory = new Memory({ initial: pages, maximum: pages, shared: true });
  const { buffer } = memory;
  for (const { job, piece, owners } of places) {
    new Uint32Array(buffer, job, 8).set([
      pairs,
      cells,
      piece,
      shifts,
      owners,
      scaled,
      records,
      recordBytes(pairs),
    ]);
  }
  compiled ??= new Module(Buffer.from(cellGramsBinary, 'base64'));
  const { addRows, addGroups } = new Instance(compiled, { env: { memory } }).exports as GramArithmetic;
  const moments = records + HEAD_BYTES + groupBytes(pairs);
  return {
    memory,
    module: compiled,
    pieces: places.map(({ job, piece, owners }) => {
      const column = (j: number): Float64Array =>
        new Float64Array(buffer, piece + j * COLUMN_BYTES, PIECE_ROWS);
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

/** A median of the first rows that count. */
function middle(column: Float64Array, weights: Float64Array, rows: number): number {
  const values = column.slice(0, rows).filter((_, i) => weights[i] !== 0);
  return values.sort()[values.length >> 1]!;
}

/**
 * Writes S t, where S lies in squares of two coordinates by two, as far as those below its diagonal and on it. Plain
 * statements: a descent of thousands of steps is mostly this.
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
