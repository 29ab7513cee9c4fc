import type { Vector } from '../../math/vector.ts';
import type { NamedLoss } from '../../method/loss/lossByName.ts';
import type { SampleBatch } from '../../sample/sampleBatch.ts';
import type { Leverage } from './leverage.ts';
import type { LeverageReliance } from './leverageReliance.ts';

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

/** An estimate over the rows of a study, in its standardized units. */
export interface StudyEstimate {
  readonly loss: NamedLoss;
  readonly t: Vector;
  /** Whether t minimises the loss over these rows. */
  readonly isMinimum: boolean;
  /** Whether classes are perfectly separated, or all counts are 0, so that there is no finite estimate. */
  readonly isSeparated?: boolean;
  /** Of the leverages (leverage.ts); 0 unless given. */
  readonly concentration?: number;
  /** 0 for targets that are not linear. */
  readonly residualScale: number;
  /** Where rows are weighted by leverage, with the weights that the pilot's rows then have. */
  readonly leverage?: Leverage;
  readonly weights?: Float64Array;
  readonly leverageReliance?: LeverageReliance | null;
}
