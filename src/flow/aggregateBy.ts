import { map } from 'rxjs';
import type { Aggregator } from '../method/aggregate/aggregator.ts';
import { geometricMedian as medianAggregator } from '../method/aggregate/geometricMedian.ts';
import { mean as meanAggregator } from '../method/aggregate/mean.ts';
import type { BlockSums } from '../sample/gradientSums.ts';
import { type Stage, trusted } from './stage.ts';

/** The aggregate stage: block sums become one gradient. */
export function aggregateBy(aggregator: Aggregator): Stage<'sums', 'gradient'> {
  return trusted({
    name: aggregator.name,
    kind: 'aggregate',
    from: 'sums',
    to: 'gradient',
    run: map((sums: BlockSums) => aggregator.aggregate(sums)),
  });
}

/** Geometric median of the block means (alg:HTGE). */
export const geometricMedian = (): Stage<'sums', 'gradient'> => aggregateBy(medianAggregator());

/** Plain mean over all blocks. */
export const mean = (): Stage<'sums', 'gradient'> => aggregateBy(meanAggregator());
