import { refuse, requireInteger, requireProbability, requireVector } from '../../errors.ts';
import { zeros } from '../../math/vector.ts';
import { blockCount, blockLayout } from '../../method/aggregate/blockCount.ts';
import { asGiven, flag, requireKnown } from '../../options.ts';
import { endless, type Plan, type Steps } from '../plan.ts';
import { estimationOf, type FitOptions } from '../planFit.ts';

/** Everything that fixes an endless plan made by hand. */
export interface EndlessOptions
  extends Pick<
    FitOptions,
    'features' | 'intercept' | 'loss' | 'rule' | 'start' | 'aggregate' | 'failureProbability' | 'blocks'
  > {
  /** Rows of each chunk. */
  readonly chunk: number;
}

/**
 * An endless plan for any rule that asks for gradients: every chunk has fresh rows, and is one step.
 *
 *   zeta_t = 6 zeta/(pi (t + 1))^2,   b_t = b(zeta_t) blocks of the median of means, at most half of the rows
 *
 *   zeta -> failureProbability, of all steps together: the sum of all zeta_t
 *
 * @example
 * const rule = nesterov({ stepSize: 0.1, momentum: 'increasing' });
 * const plan = planEndless({ features: 1, loss: pseudoHuber(1), rule, chunk: 2, blocks: 1 });
 * const rows = { x: [1, 2, 3, 4], y: [2, 4, 6, 8] };
 * const chunks = split(rows, { target: 'y', chunks: onlineChunks(plan) });
 * (await lastValueFrom(chunks.pipe(descend(plan, blockSums(plan), geometricMedian())))).step; // 2
 */
export function planEndless(options: EndlessOptions): Plan<Steps> {
  requireKnown(options, {
    ...{ features: asGiven, intercept: flag, loss: asGiven, rule: asGiven, start: asGiven, aggregate: asGiven },
    ...{ failureProbability: asGiven, blocks: asGiven, chunk: asGiven },
  });
  const { features, intercept = false, loss, rule, aggregate = 'median-of-means', blocks } = options;
  const { failureProbability: zeta = 0.05 } = options;
  const size = requireInteger('features', features, 1) + (intercept ? 1 : 0);
  const chunk = requireInteger('chunk', options.chunk, 1);
  requireProbability('failureProbability', zeta);
  const estimation = estimationOf(aggregate, zeta);
  const counts = estimation.kind === 'blocks' && aggregate !== 'mean';
  const zetaAt = (t: number): number => (6 * zeta) / (Math.PI * (t + 1)) ** 2;
  const first = blocks === undefined ? (counts ? blockCount(zetaAt(0)) : 1) : requireInteger('blocks', blocks, 1);
  if (first > 1 && 2 * first > chunk)
    refuse('chunk', `be at least 2b = ${2 * first}`, chunk, 'use larger chunks or fewer blocks');
  const blocksAt = (t: number): number =>
    counts ? (blocks ?? Math.min(Math.floor(chunk / 2), blockCount(zetaAt(t)))) : 1;
  return Object.freeze({
    ...{ features, intercept, loss, rule, estimation },
    rows: Infinity,
    start: requireVector('start', options.start ?? zeros(size), size).slice(),
    mode: 'fresh' as const,
    steps: endless(t => {
      const { blocks: b, rowsPerBlock } = blockLayout(chunk, blocksAt(t));
      return { chunk: t, rows: chunk, blocks: b, rowsPerBlock, release: null };
    }),
    leftOver: 0,
    privacy: null,
  });
}
