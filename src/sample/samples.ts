import { ArgumentError } from '../errors.ts';
import type { SampleBatch } from './sampleBatch.ts';

/** Rows that can be read from first to last any number of times: a file, several files, or arrays. */
export interface Samples {
  readonly rows: number;
  readonly features: number;
  /** Whether batches may carry row weights. */
  readonly weighted: boolean;
  /** False if there is no target and zeros stand in for it, as in rows to be predicted; true by default. */
  readonly hasTarget?: boolean | undefined;
  /** Whether an error during a pass may name a row or a value; false by default. */
  readonly namesRows?: boolean | undefined;
  /** One pass. A batch is valid until the next one is pulled; leaving the loop early releases the pass's resources. */
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

/** The intercept's name in results, next to the names of features. */
export const INTERCEPT = '(intercept)';

/** Rejects rows that were opened for prediction, because their missing targets would be read as zeros. */
export function requireTarget({ hasTarget = true }: Pick<Samples, 'hasTarget'>): void {
  if (!hasTarget)
    throw new ArgumentError(
      'the rows must have a target, got none; open them with the name of the target column',
      'ERR_ARGUMENT',
      { argument: 'target' },
    );
}
