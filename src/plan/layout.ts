/**
 * Which rows do what, from the number of rows alone: a pilot that no step uses again, then the steps' chunks and blocks.
 *
 * Left to itself, a run takes a pilot of 5 % of the rows (100,000 at most) and four steps on fresh chunks that grow fourfold, so that the last one,
 * whose error nothing contracts any more, holds three quarters of the rows. Where chunks would be too small for their blocks, every step sees all
 * rows instead.
 */
import { blockCount } from '../aggregate/blockCount.ts';
import { requireInteger, requireProbability } from '../math/check.ts';
import type { Plan } from './plan.ts';
import { geometricChunks, type Schedule, uniformChunks } from './schedule.ts';

export interface LayoutOptions {
  readonly rows: number;
  /** Coordinates of theta. */
  readonly size: number;
  readonly aggregate: 'mean' | 'median-of-means' | 'huber';
  readonly failureProbability: number;
  readonly mode?: Plan['mode'] | 'auto';
  readonly steps?: number;
  readonly schedule?: 'uniform' | 'geometric';
  readonly blocks?: number;
  /** Whether the plan needs rows to learn from before its first step. */
  readonly pilot: boolean;
}

export interface Layout {
  readonly pilotRows: number;
  /** Rows for the steps: all but the pilot's. */
  readonly rows: number;
  readonly mode: Plan['mode'];
  readonly steps: number;
  readonly blocks: number;
  /** In fresh mode, the chunks. */
  readonly schedule: Schedule | null;
}

const LARGEST_PILOT = 100_000;
const GROWTH = 1 / 4;

export function layoutRows(options: LayoutOptions): Layout {
  const { rows, size, aggregate, failureProbability, mode = 'auto', schedule = 'geometric', pilot } = options;
  requireInteger('rows', rows, 1);
  requireInteger('size', size, 1);
  requireProbability('failureProbability', failureProbability);
  const pilotRows = pilot
    ? Math.min(LARGEST_PILOT, Math.ceil(rows / 2), Math.max(Math.ceil(rows / 20), 20 * size))
    : 0;
  const left = rows - pilotRows;
  const freshSteps = options.steps ?? 4;
  const blocksFor = (steps: number): number =>
    aggregate === 'median-of-means' ? (options.blocks ?? blockCount(failureProbability / steps)) : 1;
  // A block mean over fewer rows than coordinates says little about its gradient's direction.
  const least = Math.max(2, Math.min(size, 50)) * blocksFor(freshSteps);
  const fits = left >= freshSteps * least;
  const chosen = mode === 'auto' ? (fits ? 'fresh' : 'full') : mode;
  if (chosen === 'full') {
    const steps = options.steps ?? 20;
    return { pilotRows, rows: left, mode: 'full', steps, blocks: blocksFor(steps), schedule: null };
  }
  const chunks =
    schedule === 'uniform'
      ? uniformChunks({ rows: left, steps: freshSteps })
      : geometricChunks({ rows: left, steps: freshSteps, ratio: GROWTH, least: fits ? least : 1 });
  return {
    pilotRows,
    rows: left,
    mode: 'fresh',
    steps: freshSteps,
    blocks: blocksFor(freshSteps),
    schedule: chunks,
  };
}

/** The layout as consecutive cells of places: the pilot, then every block and what it leaves over, in order. */
export function cellsOf({ pilotRows, rows, blocks, schedule }: Layout): readonly number[] {
  const cut = (size: number): number[] => {
    const rowsPerBlock = Math.floor(size / blocks);
    return [...Array.from({ length: blocks }, () => rowsPerBlock), size - blocks * rowsPerBlock];
  };
  const cells = schedule === null ? cut(rows) : [...schedule.chunks.flatMap(cut), schedule.leftOver];
  return [pilotRows, ...cells].filter(size => size > 0);
}
