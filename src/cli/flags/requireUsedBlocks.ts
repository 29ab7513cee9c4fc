import { ArgumentError, type Layout } from '../../index.ts';
import type { FitFlags } from './fitFlags.ts';

/**
 * With a mean, blocks are used only for intervals. Without a pilot there are no intervals, and if all rows are in
 * memory the intervals come from the rows. Such --blocks are refused if the mean was requested. If the run chose the
 * mean, it may choose otherwise for other rows, so a line on stderr reports it instead.
 */
export function requireUsedBlocks(
  { blocks, aggregate = 'auto' }: Pick<FitFlags, 'blocks' | 'aggregate'>,
  { pilotRows, sharesPilot }: Pick<Layout, 'pilotRows' | 'sharesPilot'>,
): void {
  const isMean = aggregate === 'mean' || (aggregate === 'auto' && pilotRows > 0);
  if (blocks === undefined || !isMean || (pilotRows > 0 && !sharesPilot)) return;
  const why = sharesPilot
    ? 'all rows are in memory, so the intervals of the mean come from the rows'
    : 'with a mean, blocks are used only for intervals, and without a pilot there are none';
  const problem = `--blocks ${blocks} has no effect with --aggregate ${aggregate} here: ${why}; leave --blocks out, or give --aggregate median-of-means`;
  if (aggregate === 'mean') throw new ArgumentError(problem);
  process.stderr.write(`sluice: ${problem}\n`);
}
