import type { SampleBatch } from './sampleBatch.ts';

/** The rows of one step: a cheap handle. Its rows are pulled, so a slow step makes nobody's memory grow. */
export interface Chunk {
  readonly index: number;
  readonly rows: number;
  readonly batches: AsyncIterable<SampleBatch>;
  /** Says that no row of this chunk or a later one will be asked for, so that files can be closed. */
  release(): Promise<void>;
}
