import type { SampleBatch } from '../sample/sampleBatch.ts';

/** Where scattered rows go: a cell takes the rows given to it, in order, up to its size. */
export interface Cells {
  /** `cell[i]` is the cell of row i of the batch. */
  add(batch: SampleBatch, cell: Uint32Array): void;
  /** Call once every row was added: the cells' rows, one cell after the other. */
  batches(): AsyncIterable<SampleBatch>;
  close(): Promise<void>;
}

export interface CellLayout {
  readonly sizes: readonly number[];
  readonly features: number;
  readonly weighted: boolean;
}
