import type { SampleBatch } from './sampleBatch.ts';

/** Rows that can be read from the first to the last, as often as asked: a file, several, or arrays. */
export interface Samples {
  readonly rows: number;
  readonly features: number;
  /** Whether batches may carry row weights. */
  readonly weighted: boolean;
  /** False where targets are zeros that stand for none, as of rows that are to be predicted; true unless given. */
  readonly hasTarget?: boolean | undefined;
  /** Whether an error of a pass may say which row is wrong, or what it holds; false unless given. */
  readonly namesRows?: boolean | undefined;
  /** One pass. A batch is valid until the next is pulled; leaving the loop early releases what the pass holds. */
  batches(): AsyncIterable<SampleBatch>;
}

/** Rows in memory, as one pass of one batch. */
export function samplesOf(batch: SampleBatch): Samples {
  return Object.freeze({
    rows: batch.rows,
    features: batch.columns.length,
    weighted: batch.weights !== undefined,
    async *batches() {
      yield batch;
    },
  });
}
