import { refuse, requireChoice, requireInteger, requireProbability } from '../errors.ts';
import { blockCount } from '../method/aggregate/blockCount.ts';
import { counted } from '../words.ts';
import type { Plan } from './plan.ts';
import { geometricChunks, type Schedule, uniformChunks } from './schedule.ts';

/** What decides which rows do what. */
export interface LayoutOptions {
  /** Rows of the whole run. */
  readonly rows: number;
  /** Coordinates of theta. */
  readonly size: number;
  /** How the gradients of blocks become one. */
  readonly aggregate: 'mean' | 'median-of-means' | 'huber';
  /** The probability that the whole run may fail with. */
  readonly failureProbability: number;
  /** `fresh`: every row in at most one step; `full`: every step over all rows; by the number of rows unless given. */
  readonly mode?: Plan['mode'] | 'auto';
  /** By the mode unless given. */
  readonly steps?: number;
  /** Whether chunks have one size or grow; growing unless given. */
  readonly schedule?: 'uniform' | 'geometric';
  /** Blocks per step; as many as the failure probability needs unless given. */
  readonly blocks?: number;
  /** Whether the plan needs a pilot before its first step. */
  readonly pilot: boolean;
  /** Whether the pilot's estimate enters the result, so that its rows are not lost; false unless given. */
  readonly pilotCounts?: boolean;
}

/**
 * Which rows do what, from the number of rows alone: a pilot that no step uses again, then the steps' chunks and
 * blocks.
 *
 * By default, a run of many rows takes a pilot of 5 % of them (100,000 at most) and two or three steps on fresh chunks
 * that grow fourfold, so that the last one, whose error no later step contracts, holds three quarters of the rows. No
 * chunk is smaller than the pilot, because a step on fewer rows than the start was computed from would discard the
 * precision of that start. Where chunks would have too few rows for their blocks, every step sees all rows instead, in
 * as many blocks as they fill. The same holds where 5 % are fewer than a hundred rows per coefficient: a step contracts
 * the previous error by about sqrt(coefficients/pilot rows), and one or two steps would leave too much of it.
 *
 * Where there are few enough values to process quickly, the pilot takes all rows, and the steps see them again: a pilot
 * of a few hundred would choose loss, scale and curvature by chance, and two parts determine the coefficients worse
 * than the whole, since one may lack a rare level. The same holds where half of the rows are too few for a pilot. Where
 * all rows in every step were asked for, a pilot whose estimate enters the result is larger, since none of its rows are
 * lost.
 */
export interface Layout {
  readonly pilotRows: number;
  /** Rows for the steps: all but the pilot's, unless they are shared. */
  readonly rows: number;
  /** Whether the pilot takes all rows and the steps see them again. */
  readonly sharesPilot: boolean;
  readonly mode: Plan['mode'];
  readonly steps: number;
  readonly blocks: number;
  /** In fresh mode, the chunks. */
  readonly schedule: Schedule | null;
}

const LARGEST_PILOT = 100_000;
const MOST_FRESH_STEPS = 3;
const LEAST_STEPS = 2;
const FULL_STEPS = 20;
const RATIO = 1 / 4;
/** Enough to distinguish tails and outliers from chance. */
const LARGE_ENOUGH = 5000;
/** As many values as the pilot of a million rows of 20 features, so processed in the same time; or this many rows. */
const FEW_VALUES = 2 ** 20;
const FEW_ROWS = 10_000;

/** Lays rows out: the pilot, then chunks and blocks for every step, from the number of rows alone. */
export function layoutRows(options: LayoutOptions): Layout {
  const { rows, size, aggregate, failureProbability, mode = 'auto', schedule = 'geometric', pilot } = options;
  requireInteger('rows', rows, 1);
  requireInteger('size', size, 1);
  requireProbability('failureProbability', failureProbability);
  requireChoice('mode', mode, ['auto', 'fresh', 'full']);
  requireChoice('schedule', schedule, ['uniform', 'geometric']);
  requireChoice('aggregate', aggregate, ['mean', 'median-of-means', 'huber']);
  if (options.steps !== undefined) requireInteger('steps', options.steps, 1);
  if (options.blocks !== undefined) requireInteger('blocks', options.blocks, 1);
  const { pilotCounts = false } = options;
  const share = Math.ceil(rows / 20);
  const pilotOf = (least: number): number =>
    pilot ? Math.min(LARGEST_PILOT, Math.ceil(rows / 2), Math.max(share, least)) : 0;
  const blocksFor = (steps: number): number =>
    aggregate === 'median-of-means'
      ? (options.blocks ?? blockCount(failureProbability / steps))
      : ((aggregate === 'mean' ? options.blocks : undefined) ?? 1);
  // A block mean over a handful of rows, or over fewer than there are coordinates, estimates its gradient poorly.
  const leastPerBlock = Math.max(20, 2 * size);
  const pilotRows = pilotOf(pilotCounts ? 0 : 20 * size);
  const left = rows - pilotRows;
  const chunksOf = (steps: number, least = 1): Schedule =>
    schedule === 'uniform'
      ? uniformChunks({ rows: left, steps })
      : geometricChunks({ rows: left, steps, ratio: RATIO, least });
  const fresh = (steps: number): Layout => ({
    pilotRows,
    rows: left,
    sharesPilot: false,
    mode: 'fresh',
    steps,
    blocks: blocksFor(steps),
    schedule: chunksOf(steps, Math.min(Math.floor(left / steps), leastPerBlock * blocksFor(steps))),
  });
  const suits = (steps: number): boolean =>
    left >= steps &&
    (!pilot || pilotRows >= Math.min(LARGEST_PILOT, ROWS_PER_COEFFICIENT * size)) &&
    chunksOf(steps).chunks[0]! >= Math.max(0.9 * pilotRows, leastPerBlock * blocksFor(steps));

  const isFew = pilot && (rows <= FEW_ROWS || rows * size <= FEW_VALUES);
  if (mode === 'fresh' || (mode === 'auto' && (!isFew || options.schedule !== undefined))) {
    const choices = options.steps === undefined ? [MOST_FRESH_STEPS, LEAST_STEPS] : [options.steps];
    const suitable = choices.find(suits);
    if (suitable !== undefined) return fresh(suitable);
    if (mode === 'fresh') {
      const fewest = choices.at(-1)!;
      if (left >= fewest) return fresh(fewest);
      const asked = `leave at least ${counted(fewest, 'row')} for ${counted(fewest, 'fresh chunk')}${pilot ? ` after a pilot of ${pilotRows}` : ''}`;
      const fewer = options.steps === undefined || options.steps === 1 ? '' : 'fewer `steps`, ';
      refuse('rows', asked, rows, `use more rows, ${fewer}or \`mode: 'full'\`, in which every step sees all of them`);
    }
  }
  const steps = options.steps ?? FULL_STEPS;
  const enough = ROWS_PER_COEFFICIENT * size;
  const isShort = rows < 2 * Math.min(LARGEST_PILOT, enough);
  const isSoonDone = mode === 'full' ? rows <= FEW_ROWS : isFew;
  const sharesPilot = pilot && (isShort || isSoonDone);
  const studied = pilotCounts ? pilotOf(Math.max(LARGE_ENOUGH, enough)) : pilotRows;
  const seen = sharesPilot ? rows : rows - studied;
  const filled = Math.max(1, Math.floor(seen / leastPerBlock));
  const blocks = options.blocks ?? fitting(seen, Math.min(blocksFor(steps), filled < 3 ? 1 : filled));
  return {
    pilotRows: sharesPilot ? rows : studied,
    rows: seen,
    sharesPilot,
    mode: 'full',
    steps,
    blocks,
    schedule: null,
  };
}

/**
 * Of `most` blocks or somewhat fewer, the number that leaves the fewest rows over: where rows are few, each matters.
 */
function fitting(rows: number, most: number): number {
  let best = most;
  for (let blocks = most; blocks >= 0.7 * most; blocks--) if (rows % blocks < rows % best) best = blocks;
  return best;
}

/**
 * The layout with more rows in the pilot, for one that proves too small: all rows, which the steps see again, where the
 * memory limit allows; otherwise those of the first chunks, as many as leave a step. Null where there is nothing to
 * add.
 */
export function widened(layout: Layout, mostRows: number): Layout | null {
  const { pilotRows, rows, sharesPilot, schedule, blocks } = layout;
  if (pilotRows === 0 || sharesPilot) return null;
  const all = pilotRows + rows - (schedule?.leftOver ?? 0);
  if (all <= mostRows) {
    return {
      pilotRows: all,
      rows: all,
      sharesPilot: true,
      mode: 'full',
      steps: schedule === null ? layout.steps : FULL_STEPS,
      blocks,
      schedule: null,
    };
  }
  if (schedule === null) return null;
  let [taken, moved] = [0, 0];
  while (taken < schedule.chunks.length - 1 && pilotRows + moved + schedule.chunks[taken]! <= mostRows)
    moved += schedule.chunks[taken++]!;
  if (taken === 0) return null;
  const chunks = schedule.chunks.slice(taken);
  return {
    ...layout,
    pilotRows: pilotRows + moved,
    rows: rows - moved,
    steps: chunks.length,
    schedule: { ...schedule, chunks },
  };
}

/**
 * Consecutive rows of one use. A rest is what blocks of all rows leave over, which a mean over all rows includes. The
 * blocks of a step are in order, and so are the steps; in full mode all steps have the same blocks.
 */
export interface Cell {
  readonly rows: number;
  readonly use: 'pilot' | 'block' | 'rest' | 'none';
}

type CutLayout = Pick<Layout, 'pilotRows' | 'rows' | 'sharesPilot' | 'blocks' | 'schedule'>;

/** The layout as cells: the pilot, if it has rows to itself, then every block and what it leaves over, in order. */
export function cutCells({ pilotRows, rows, sharesPilot, blocks, schedule }: CutLayout): readonly Cell[] {
  const cut = (size: number): Cell[] => {
    const rowsPerBlock = Math.floor(size / blocks);
    return [
      ...Array.from({ length: blocks }, (): Cell => ({ rows: rowsPerBlock, use: 'block' })),
      { rows: size - blocks * rowsPerBlock, use: schedule === null ? 'rest' : 'none' },
    ];
  };
  const cells: Cell[] =
    schedule === null ? cut(rows) : [...schedule.chunks.flatMap(cut), { rows: schedule.leftOver, use: 'none' }];
  const apart: Cell = { rows: sharesPilot ? 0 : pilotRows, use: 'pilot' };
  return [apart, ...cells].filter(cell => cell.rows > 0);
}

/** The sizes of the layout's cells. */
export const cellsOf = (layout: CutLayout): readonly number[] => cutCells(layout).map(({ rows }) => rows);

/** What a pilot should have, for the curvature that steps on fresh chunks take from it. */
export const ROWS_PER_COEFFICIENT = 100;
