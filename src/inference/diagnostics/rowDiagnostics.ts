/** How many rows the pilot has, how unequal their weights are, and how many are duplicates. */
import { maxNorm } from '../../math/vector.ts';
import type { SampleBatch } from '../../sample/sampleBatch.ts';
import type { FittedStudy } from '../pilot/fittedStudy.ts';
import { duplicateShare } from './duplicateShare.ts';

export interface RowDiagnostics {
  readonly count: number;
  /** Rows with a weight above 0. */
  readonly positiveWeight: number;
  /** Share of the total weight that the heaviest row has. */
  readonly largestWeightShare: number;
  /** Share of rows that duplicate another (duplicateShare.ts); 0 where ties are to be expected. */
  readonly duplicateShare: number;
}

/** `given` are the pilot's rows, those of weight 0 among them. */
export const rowDiagnostics = (given: SampleBatch, { study, rows }: FittedStudy): RowDiagnostics => ({
  count: given.rows,
  positiveWeight: rows.rows,
  largestWeightShare: maxNorm(study.weights) / study.weights.reduce((sum, weight) => sum + weight, 0),
  duplicateShare: duplicateShare(rows),
});
