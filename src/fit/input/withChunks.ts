import type { Observable } from 'rxjs';
import { refuse, requireChoice } from '../../errors.ts';
import { passes } from '../../flow/passes.ts';
import { split } from '../../flow/split.ts';
import { seeded } from '../../math/random/seeded.ts';
import { cellsOf } from '../../plan/layout.ts';
import type { Plan } from '../../plan/plan.ts';
import type { Chunk } from '../../sample/chunk.ts';
import type { Samples } from '../../sample/samples.ts';
import { type ScatterOptions, scatter } from '../../sample/shuffle/scatter.ts';
import { asLimited } from '../../sample/transform/perUnit.ts';

/** The order in which rows enter a run, and where a shuffle may keep them. */
export interface RowOrder extends Pick<ScatterOptions, 'scratch' | 'memoryBytes'> {
  /**
   * Rows are assigned to chunks by position, and files are often sorted: rows are shuffled unless they are said to come
   * in random order.
   */
  readonly order?: 'shuffle' | 'as-is';
  /** Fixes the shuffle; the same for every run unless given. */
  readonly orderSeed?: string;
  /** Wraps the shuffled rows, to watch how they are read. */
  readonly shuffled?: (samples: Samples) => Samples;
}

export const DEFAULT_ORDER_SEED = 'sluice';

/** More passes over a text file take longer than one that keeps its numbers. */
const MANY_PASSES = 8;

export const requireOrder = (order: NonNullable<RowOrder['order']>): typeof order =>
  requireChoice('order', order, ['shuffle', 'as-is']);

/**
 * Whether these rows are scattered first. All rows in one block need not be, because their order does not change its
 * sum; but scattered rows are kept in memory or on disk, and read faster.
 */
export const isShuffled = (
  { mode, steps }: Pick<Plan, 'mode' | 'steps'>,
  order: RowOrder['order'] = 'shuffle',
): boolean =>
  requireOrder(order) === 'shuffle' && (mode === 'fresh' || steps[0]!.blocks > 1 || steps.length >= MANY_PASSES);

/**
 * A plan is for a number of rows and features. With others it would ignore some without notice, or divide by the wrong
 * number.
 */
export function requireRows(
  { rows, features }: Pick<Samples, 'rows' | 'features'>,
  plan: Pick<Plan, 'rows' | 'features'>,
): void {
  const wayOut = 'plan for that many';
  if (rows !== plan.rows) refuse('the rows', `be the ${plan.rows} of the plan`, rows, wayOut);
  if (features !== plan.features) refuse('the features', `be the ${plan.features} of the plan`, features, wayOut);
}

/** Lends the chunks of a plan's steps, and removes what the shuffle stored afterwards. */
export async function withChunks<T>(
  samples: Samples,
  { rows, features, mode, steps }: Pick<Plan, 'rows' | 'features' | 'mode' | 'steps'>,
  { order = 'shuffle', orderSeed = DEFAULT_ORDER_SEED, shuffled: watch, ...storage }: RowOrder,
  use: (chunks: Observable<Chunk>) => Promise<T>,
): Promise<T> {
  requireRows(samples, { rows, features });
  const chunks = steps.map(step => step.rows);
  const { blocks } = steps[0]!;
  const chunksOf = (source: Samples): Observable<Chunk> =>
    mode === 'full' ? passes(source, steps.length) : split(source, { chunks });
  if (!isShuffled({ mode, steps }, order)) return use(chunksOf(samples));
  const leftOver = rows - chunks.reduce((sum, size) => sum + size, 0);
  const schedule = mode === 'full' ? null : { chunks, leftOver };
  const shuffled = scatter(samples, {
    ...storage,
    cells: cellsOf({ pilotRows: 0, rows, sharesPilot: false, blocks, schedule }),
    random: seeded(orderSeed, 'order'),
  });
  try {
    // Whoever watches rows must not change them, so they stay limited.
    return await use(chunksOf(watch === undefined ? shuffled : asLimited(watch(shuffled), shuffled)));
  } finally {
    await shuffled.close();
  }
}
