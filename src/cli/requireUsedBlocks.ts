import { ArgumentError, type Layout } from '../index.ts';
import type { FitFlags } from './fitFlags.ts';

/**
 * Blocks beside a mean serve its intervals alone: without a pilot there are no intervals, and where all rows are in
 * memory the rows themselves give them. Such --blocks are refused where the mean was asked for. Where it was chosen by
 * the run, which may choose otherwise for other rows, the user is told.
 */
export function requireUsedBlocks(
  { blocks, aggregate = 'auto' }: Pick<FitFlags, 'blocks' | 'aggregate'>,
  { pilotRows, sharesPilot }: Pick<Layout, 'pilotRows' | 'sharesPilot'>,
): void {
  const isMean = aggregate === 'mean' || (aggregate === 'auto' && pilotRows > 0);
  if (blocks === undefined || !isMean || (pilotRows > 0 && !sharesPilot)) return;
  const why = sharesPilot
    ? 'all rows are in memory, and the intervals of their mean come from the rows'
    : 'without a pilot there are no intervals, which blocks beside a mean are for';
  const problem = `--blocks ${blocks} has no effect beside --aggregate ${aggregate} here: ${why}; leave --blocks out, or give --aggregate median-of-means`;
  if (aggregate === 'mean') throw new ArgumentError(problem);
  process.stderr.write(`sluice: ${problem}\n`);
}
