import { requireChoice } from '../../errors.ts';
import { blockCount } from '../../method/aggregate/blockCount.ts';
import { type Numbers, type Prescription, required, requireNumbers } from './prescription.ts';

/** The problem as every theorem under heavy tails takes it. */
export interface HeavyTailed extends Numbers<'rows' | 'failureProbability'> {
  /** `full` computes every gradient from all rows, outside the theorem but as some of the paper's figures do. */
  readonly mode?: Prescription['mode'];
}

/** What every theorem with G_MOM over T chunks shares: n~ = floor(n/T), zeta~ = zeta/T, b = b(zeta~), n~ >= 2b. */
export function medianChunks({ rows, failureProbability, mode = 'fresh' }: HeavyTailed, steps: number) {
  requireNumbers({ rows, failureProbability });
  requireChoice('mode', mode, ['fresh', 'full']);
  const chunkRows = mode === 'full' ? rows : Math.floor(rows / steps);
  const stepFailure = failureProbability / steps;
  const blocks = stepFailure > 0 ? blockCount(stepFailure) : Infinity;
  return {
    run: { mode, steps, chunkRows, estimator: { kind: 'median-of-means' as const, blocks } },
    stepFailure,
    enoughRows: required('n~ >= 2b', chunkRows >= 2 * blocks, { 'n~': chunkRows, b: blocks }),
  };
}
