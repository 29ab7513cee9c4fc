import type { SampleBatch } from '../sampleBatch.ts';

/** The destination of scattered rows: a cell takes the rows given to it, in order, up to its size. */
export interface Cells {
  /** `cell[i]` is the cell of row i of the batch. */
  add(batch: SampleBatch, cell: Uint32Array): void;
  /** Call once every row was added: the rows of the cells, one cell after another. */
  batches(): AsyncIterable<SampleBatch>;
  close(): Promise<void>;
}

export interface CellLayout {
  readonly sizes: readonly number[];
  readonly features: number;
  readonly weighted: boolean;
}
