import { ArgumentError, type Layout } from '../../index.ts';
import { counted } from '../render/text.ts';
import type { FitFlags } from './fitFlags.ts';

/** Refuses more blocks than the steps can fill, in terms of flags, before any row is assigned to one. */
export function requireBlocks(
  { blocks, failure }: Pick<FitFlags, 'blocks' | 'failure'>,
  layout: Pick<Layout, 'blocks' | 'rows' | 'schedule'>,
): void {
  const chunks = layout.schedule?.chunks ?? [layout.rows];
  const least = chunks.reduce((smallest, rows) => Math.min(smallest, rows));
  if (layout.blocks === 1 || 2 * layout.blocks <= least) return;
  const whose = `${counted(least, 'row')} of ${chunks.length === 1 ? 'a step' : 'the smallest step'}`;
  throw new ArgumentError(
    blocks === undefined
      ? `--failure ${failure} asks for ${layout.blocks} blocks of two rows or more, more than the ${whose} can fill; give a larger --failure, fewer --steps, --mode full, or more rows`
      : `--blocks must be at most ${Math.max(1, Math.floor(least / 2))}, half of the ${whose}, got ${blocks}; give fewer, or leave it out to let --failure decide`,
  );
}
