import type { Vector } from '../../math/vector.ts';
import type { SampleBatch } from '../../sample/sampleBatch.ts';

/** Standardized rows with case weights of mean 1. */
export interface Study {
  readonly batch: SampleBatch;
  readonly weights: Float64Array;
  readonly intercept: boolean;
  readonly penalties: Vector;
}

/** Starting estimates need only be near. */
const FEW_ROWS = 5000;

export const startingRows = ({ batch, penalties }: Study): number =>
  Math.min(batch.rows, Math.max(FEW_ROWS, 50 * penalties.length));
