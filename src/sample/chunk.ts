import type { SampleBatch } from './sampleBatch.ts';

/** The rows of one step: a cheap handle. Rows are pulled, so a slow step does not make memory grow. */
export interface Chunk {
  readonly index: number;
  readonly rows: number;
  readonly batches: AsyncIterable<SampleBatch>;
  /** Signals that no row of this chunk or a later one will be requested, so that files can be closed. */
  release(): Promise<void>;
}
