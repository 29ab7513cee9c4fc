import { expect } from 'chai';
import { medianOfPoints } from '../../src/aggregate/geometricMedian.ts';
import { blockMeans, meanNearMedian, nearMedian } from '../../src/aggregate/meanNearMedian.ts';
import { addScaled, distance, scaled, type Vector, zeros } from '../../src/math/vector.ts';
import { normal } from '../../src/random/normal.ts';
import { seeded } from '../../src/random/seeded.ts';
import type { BlockSums } from '../../src/sample/blockSums.ts';
import { checkAggregator } from '../laws/checkAggregator.ts';
import { direction, normals, orthogonal, times } from '../support/linearAlgebra.ts';

checkAggregator('meanNearMedian', meanNearMedian);
checkAggregator('meanNearMedian in other coordinates', () =>
  meanNearMedian({ ofGradient: gradient => gradient.map((value, j) => value / (j + 1)) }),
);

const sumsOf = (means: readonly Vector[], rowsPerBlock = 10): BlockSums<'raw'> => ({
  sums: Float64Array.from(means.flatMap(mean => [...scaled(mean, rowsPerBlock)])),
  blocks: means.length,
  rowsPerBlock,
  privacy: 'raw',
});
const aggregate = (means: readonly Vector[]): Vector => meanNearMedian().aggregate(sumsOf(means)).values;
const meanOf = (points: readonly Vector[]): Vector =>
  points.reduce((sum, point) => addScaled(sum, 1 / points.length, point), zeros(points[0]!.length));
const cloud = (label: string, count: number, size: number): Vector[] => {
  const random = seeded('meanNearMedian', label);
  return Array.from({ length: count }, () => normals(random, size));
};

describe('meanNearMedian', () => {
  it('is the mean of normal blocks but for few of them', () => {
    let [kept, all, same] = [0, 0, 0];
    for (let i = 0; i < 300; i++) {
      const points = cloud(`clean ${i}`, 15, 1 + (i % 12));
      const near = nearMedian(points);
      kept += near.length;
      all += points.length;
      if (near.length === 15) {
        same++;
        expect(distance(aggregate(points), meanOf(points))).to.be.below(1e-14);
      }
    }
    // One in 2,000 is left out where the middle distance is known; 15 blocks know it less well.
    expect(kept / all).to.be.above(0.98);
    expect(same).to.be.above(200);
  });

  it('leaves spoilt blocks out, while fewer than half are, and is then the mean of some of the others', () => {
    const random = seeded('meanNearMedian', 'spoilt');
    for (let moved = 1; moved <= 7; moved++) {
      for (const size of [1, 4, 20]) {
        const points = cloud(`${moved} ${size}`, 15, size).map((point, k) =>
          k < moved ? addScaled(point, 1e9, direction(random, size)) : point,
        );
        const near = nearMedian(points);
        expect(
          near.every(k => k >= moved),
          `${moved} of 15, ${size} coordinates`,
        ).to.equal(true);
        expect(distance(aggregate(points), meanOf(near.map(k => points[k]!)))).to.be.below(1e-12);
      }
    }
  });

  it('is no further from the median than the furthest that counts as near, whatever all blocks do', () => {
    const random = seeded('meanNearMedian', 'breakdown');
    for (let i = 0; i < 200; i++) {
      const size = 1 + (i % 6);
      const points = cloud(`wild ${i}`, 11, size).map(point => scaled(point, Math.exp(5 * normal(random))));
      const middle = medianOfPoints(points);
      const away = points.map(point => distance(point, middle)).toSorted((a, b) => a - b);
      // chi's 99.95 % over its 50 % quantile: 5.2 in one dimension, and less in more.
      expect(distance(aggregate(points), middle)).to.be.at.most(5.3 * away[5]!);
    }
  });

  it('turns with its blocks', () => {
    const random = seeded('meanNearMedian', 'turn');
    for (const size of [2, 5]) {
      const points = cloud(`turn ${size}`, 9, size);
      const rotation = orthogonal(random, size);
      const turned = aggregate(points.map(point => times(rotation, point)));
      expect(distance(turned, times(rotation, aggregate(points)))).to.be.below(1e-10);
    }
  });

  it('judges by the coordinates it is given, and answers in those of the sums', () => {
    // In the second coordinate blocks differ by thousands, which a scale of 1e-6 makes nothing of.
    const points = cloud('units', 9, 2).map(([a, b]) => Float64Array.of(a!, 1e3 * b!));
    points[0] = Float64Array.of(100, 0);
    const judged = meanNearMedian({ ofGradient: ([a, b]) => Float64Array.of(a!, b! * 1e-6) });
    const expected = meanOf(points.slice(1));
    expect(distance(judged.aggregate(sumsOf(points)).values, expected)).to.be.below(1e-9);
    expect(judged.name).to.equal('mean-near-median');
  });

  it('takes two blocks as they are', () => {
    expect(aggregate([Float64Array.of(0), Float64Array.of(100)])).to.deep.equal(Float64Array.of(50));
  });
});

describe('blockMeans', () => {
  it('divides every block by its rows', () => {
    const sums = {
      sums: Float64Array.of(10, 20, 30, 40),
      blocks: 2,
      rowsPerBlock: 10,
      privacy: 'raw',
    } as const;
    expect(blockMeans(sums)).to.deep.equal([Float64Array.of(1, 2), Float64Array.of(3, 4)]);
  });
});
