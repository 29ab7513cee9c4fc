import { ArgumentError } from '../errors.ts';
import type { Layout } from '../plan/layout.ts';
import { counted } from '../words.ts';
import type { FitRowsOptions } from './fitRows.ts';

/** Refuses more blocks than the steps can fill, before any row is assigned to one. */
export function requireBlocks(
  { blocks, failureProbability = 0.05 }: Pick<FitRowsOptions, 'blocks' | 'failureProbability'>,
  layout: Pick<Layout, 'blocks' | 'rows' | 'schedule'>,
): void {
  const chunks = layout.schedule?.chunks ?? [layout.rows];
  const least = chunks.reduce((smallest, rows) => Math.min(smallest, rows));
  if (layout.blocks === 1 || 2 * layout.blocks <= least) return;
  const whose = `${counted(least, 'row')} of ${chunks.length === 1 ? 'a step' : 'the smallest step'}`;
  throw new ArgumentError(
    blocks === undefined
      ? `\`failureProbability: ${failureProbability}\` asks for ${layout.blocks} blocks of two rows or more, more than the ${whose} can fill; give a larger \`failureProbability\`, fewer \`steps\`, \`mode: 'full'\`, or more rows`
      : `\`blocks\` must be at most ${Math.max(1, Math.floor(least / 2))}, half of the ${whose}, got ${blocks}; give fewer, or leave it out to let \`failureProbability\` decide`,
  );
}

/**
 * With a mean, blocks are used only for intervals. Without a pilot there are no intervals, and if all rows are in
 * memory the intervals come from the rows. Such `blocks` are refused if the mean was asked for. If the run chose the
 * mean, it may choose otherwise for other rows, so that there is a warning instead.
 */
export function requireUsedBlocks(
  { blocks, aggregate = 'auto' }: Pick<FitRowsOptions, 'blocks' | 'aggregate'>,
  { pilotRows, sharesPilot }: Pick<Layout, 'pilotRows' | 'sharesPilot'>,
): readonly string[] {
  const isMean = aggregate === 'mean' || (aggregate === 'auto' && pilotRows > 0);
  if (blocks === undefined || !isMean || (pilotRows > 0 && !sharesPilot)) return [];
  const why = sharesPilot
    ? 'all rows are in memory, so the intervals of the mean come from the rows'
    : 'with a mean, blocks are used only for intervals, and without a pilot there are none';
  const problem = `\`blocks: ${blocks}\` has no effect with \`aggregate: '${aggregate}'\` here: ${why}; leave \`blocks\` out, or give \`aggregate: 'median-of-means'\``;
  if (aggregate === 'mean') throw new ArgumentError(problem);
  return [problem];
}
