/**
 * The mean of the blocks that lie near their geometric median: as safe as the median from a minority of spoilt blocks, as accurate as the mean where none is.
 *
 *   near: ||m_k - m|| <= c * median of ||m_k - m||,   c -> the ratio of a far quantile to the median of a chi variable of as many degrees as m has coordinates
 *
 * Distances are those of the coordinates that are given, in which block means should scatter alike in all directions.
 */
import type { Coordinates } from '../math/coordinates.ts';
import { median } from '../math/median.ts';
import { distance, type Vector } from '../math/vector.ts';
import { type BlockSums, featuresOf, type Gradient, type Privacy } from '../sample/blockSums.ts';
import type { Aggregator } from './aggregator.ts';
import { medianOfPoints } from './geometricMedian.ts';

export function meanNearMedian(coordinates: Pick<Coordinates, 'ofGradient'> = asTheyAre): Aggregator {
  return Object.freeze({
    name: 'mean-near-median',
    aggregate: <P extends Privacy>(blockSums: BlockSums<P>): Gradient<P> => {
      const means = blockMeans(blockSums);
      const near = nearMedian(means.map(mean => coordinates.ofGradient(mean)));
      const values = new Float64Array(means[0]!.length);
      for (const k of near) for (let j = 0; j < values.length; j++) values[j]! += means[k]![j]! / near.length;
      return { values, privacy: blockSums.privacy };
    },
  });
}

const asTheyAre = { ofGradient: (gradient: Vector): Vector => gradient };

export function blockMeans(blockSums: BlockSums): readonly Vector[] {
  const size = featuresOf(blockSums);
  const { sums, blocks, rowsPerBlock } = blockSums;
  return Array.from({ length: blocks }, (_, k) =>
    sums.slice(k * size, (k + 1) * size).map(sum => sum / rowsPerBlock),
  );
}

/** Which points are near the geometric median of all. */
export function nearMedian(points: readonly Vector[]): readonly number[] {
  const all = points.map((_, k) => k);
  if (points.length < 3) return all;
  const middle = medianOfPoints(points);
  const distances = Float64Array.from(points, point => distance(point, middle));
  const limit = reachOf(middle.length) * median(distances.slice());
  return all.filter(k => distances[k]! <= limit);
}

/** In normal deviations: few blocks tell their median distance roughly, and a good block that is left out costs more than a slightly bad one that is not. */
const FAR = 5;

/** By Wilson and Hilferty: a chi-square of p degrees over p, to the power 1/3, is nearly normal with variance 2/(9p). */
function reachOf(size: number): number {
  const variance = 2 / (9 * size);
  const cubeRoot = (deviations: number): number => 1 - variance + deviations * Math.sqrt(variance);
  return (cubeRoot(FAR) / cubeRoot(0)) ** 1.5;
}
