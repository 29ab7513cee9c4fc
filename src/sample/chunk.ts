import type { SampleBatch } from './sampleBatch.ts';

/** The rows of one step: a cheap handle. Rows are pulled, so a slow step does not make memory grow. */
export interface Chunk {
  readonly index: number;
  readonly rows: number;
  readonly batches: AsyncIterable<SampleBatch>;
  /**
   * Of a chunk that is held in memory, whose batches can be read again: signals that it has been used, so that the next
   * one may come and its memory be filled anew.
   */
  done?(): void;
  /** Signals that no row of this chunk or a later one will be requested, so that files can be closed. */
  release(): Promise<void>;
}
