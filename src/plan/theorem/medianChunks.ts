import { refuse, requireInteger, requireProbability } from '../../errors.ts';
import { blockCount } from '../../method/aggregate/blockCount.ts';
import { type Condition, type Prescription, required } from './prescription.ts';

/** The problem as every theorem under heavy tails takes it. */
export interface HeavyTailed {
  readonly rows: number;
  /** zeta */
  readonly failureProbability: number;
  /** `full` computes every gradient from all rows, outside the theorem but as some of the paper's figures do. */
  readonly mode?: Prescription['mode'];
}

export interface MedianChunks {
  readonly mode: Prescription['mode'];
  readonly chunkRows: number;
  readonly stepFailure: number;
  readonly estimator: { readonly kind: 'median-of-means'; readonly blocks: number };
  readonly enoughRows: Condition;
}

/** What every theorem with G_MOM over T chunks shares: n~ = floor(n/T), zeta~ = zeta/T, b = b(zeta~), n~ >= 2b. */
export function medianChunks({ rows, failureProbability, mode = 'fresh' }: HeavyTailed, steps: number): MedianChunks {
  requireInteger('rows', rows, 1);
  requireProbability('failureProbability', failureProbability);
  if (mode !== 'fresh' && mode !== 'full') refuse('mode', 'be "fresh" or "full"', mode);
  const chunkRows = mode === 'full' ? rows : Math.floor(rows / steps);
  const stepFailure = failureProbability / steps;
  const blocks = stepFailure > 0 ? blockCount(stepFailure) : Infinity;
  return {
    mode,
    chunkRows,
    stepFailure,
    estimator: { kind: 'median-of-means', blocks },
    enoughRows: required('n~ >= 2b', chunkRows >= 2 * blocks, { 'n~': chunkRows, b: blocks }),
  };
}
