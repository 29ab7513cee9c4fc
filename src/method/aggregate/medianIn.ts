import type { Coordinates } from '../../math/coordinates.ts';
import { addScaled, distance, scaled, zeros } from '../../math/vector.ts';
import { type BlockSums, featuresOf, type Gradient, type Privacy } from '../../sample/gradientSums.ts';
import type { Aggregator } from './aggregator.ts';
import { geometricMedian, medianOfPoints } from './geometricMedian.ts';

/**
 * The geometric median of block means in other coordinates, P'mu_k, which makes it invariant to the features' units and
 * origins. It is a weighted average of the blocks, and the same weights apply before and after P':
 *
 *   y = sum_k w_k P'mu_k   ->   sum_k w_k mu_k,   w_k proportional to 1/||P'mu_k - y||
 *
 *   mu_k -> means of the blocks, P' -> ofGradient
 */
export function medianIn({ ofGradient }: Pick<Coordinates, 'ofGradient'>): Aggregator {
  return Object.freeze({
    name: geometricMedian().name,
    aggregate: <P extends Privacy>(blockSums: BlockSums<P>): Gradient<P> => {
      const features = featuresOf(blockSums);
      const { sums, blocks, rowsPerBlock, privacy } = blockSums;
      const means = Array.from({ length: blocks }, (_, k) =>
        scaled(sums.slice(k * features, (k + 1) * features), 1 / rowsPerBlock),
      );
      const points = means.map(ofGradient);
      const median = medianOfPoints(points);
      const distances = points.map(point => distance(point, median));
      const nearest = distances.reduce((least, away) => Math.min(least, away), Infinity);
      // If the median is at a block, that block gets all the weight.
      const shares = distances.map(away => (away === nearest ? 1 : nearest / away));
      const total = shares.reduce((sum, share) => sum + share, 0);
      const values = means.reduce((sum, mean, k) => addScaled(sum, shares[k]! / total, mean), zeros(features));
      return { values, privacy };
    },
  });
}
