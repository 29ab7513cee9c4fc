import { cellRowsBinary } from '../../math/wasm/binaries.ts';
import { arithmeticIn, type SharedMemory } from '../../math/wasm/webAssembly.ts';
import { columnArena } from '../arena.ts';
import { rowsBetween, type SampleBatch } from '../sampleBatch.ts';

/** The destination of scattered rows: a cell takes the rows given to it, in order, up to its size. */
export interface Cells {
  /** `cell[i]` is the cell of row i of the batch. */
  add(batch: SampleBatch, cell: Uint32Array): void;
  /**
   * Call once every row was added: the rows of the cells, one cell after another. They have weights only if a batch had
   * some, since medians and sums of rows that weigh the same are found several times as fast.
   */
  batches(): AsyncIterable<SampleBatch>;
  close(): Promise<void>;
}

export interface CellLayout {
  readonly sizes: readonly number[];
  readonly features: number;
  readonly weighted: boolean;
}

/** Rows per batch handed out; a batch is a view, so the size hardly matters. */
const BATCH_ROWS = 2 ** 16;

/** Adjacent cells in one set of columns. */
export function memoryCells({ sizes, features, weighted }: CellLayout): Cells {
  const rows = sizes.reduce((sum, size) => sum + size, 0);
  const { columns, target, weights } = columnArena({ features, capacity: rows, slots: 1, weights: weighted }).slots[0]!;
  const next = new Uint32Array(sizes.length);
  sizes.reduce((start, size, k) => {
    next[k] = start;
    return start + size;
  }, 0);
  let places = new Uint32Array(0);
  weights.fill(1);
  let given = false;

  return {
    add(batch, cell) {
      if (places.length < batch.rows) places = new Uint32Array(batch.rows);
      for (let i = 0; i < batch.rows; i++) places[i] = next[cell[i]!]!++;
      // Borrowed memory may be longer than the batch.
      const spread = (from: Float64Array, to: Float64Array): void => {
        for (let i = 0; i < batch.rows; i++) to[places[i]!] = from[i]!;
      };
      batch.columns.forEach((column, j) => {
        spread(column, columns[j]!);
      });
      spread(batch.target, target);
      if (batch.weights === undefined) return;
      spread(batch.weights, weights);
      given = true;
    },
    async *batches() {
      const all: SampleBatch = { rows, columns, target, ...(given && { weights }) };
      for (let start = 0; start < rows; start += BATCH_ROWS) {
        yield rowsBetween(all, start, Math.min(rows, start + BATCH_ROWS));
      }
    },
    close: async () => {},
  };
}

/** Compiled code that moves rows within one memory; all positions are byte offsets in it. */
export interface CellRows {
  readonly spread: (job: number, first: number, count: number) => number;
  readonly toColumns: (rows: number, width: number, columns: number, columnBytes: number, count: number) => void;
}

export const cellRows = (memory: SharedMemory): CellRows => arithmeticIn(cellRowsBinary, memory);
