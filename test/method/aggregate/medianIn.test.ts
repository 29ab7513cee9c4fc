import { expect } from 'chai';
import { normal } from '../../../src/math/random/normal.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { distance, type Vector } from '../../../src/math/vector.ts';
import { geometricMedian } from '../../../src/method/aggregate/geometricMedian.ts';
import { medianIn } from '../../../src/method/aggregate/medianIn.ts';
import type { BlockSums } from '../../../src/sample/gradientSums.ts';
import { checkAggregator } from '../../laws/checkAggregator.ts';

const same = { ofGradient: (gradient: Vector): Vector => gradient };

checkAggregator('the median in coordinates that are the same', () => medianIn(same));

const blocksOf = (points: readonly (readonly number[])[]): BlockSums<'raw'> => ({
  sums: Float64Array.from(points.flat()),
  blocks: points.length,
  rowsPerBlock: 4,
  privacy: 'raw',
});

const random = seeded('medianIn', 'points');
const points = Array.from({ length: 9 }, () => [normal(random), 5 * normal(random), normal(random)]);

describe('medianIn', () => {
  it('is the geometric median in the same coordinates', () => {
    const sums = blocksOf(points);
    const [one, other] = [medianIn(same).aggregate(sums), geometricMedian().aggregate(sums)];
    expect(distance(one.values, other.values)).to.be.below(1e-12);
    expect(medianIn(same).name).to.equal(geometricMedian().name);
  });

  it('changes with the points by any change of units and origins that its coordinates undo', () => {
    // Features scaled by 1e6 and moved by 1e3 of the intercept, which is last.
    const moved = points.map(([a, b, c]) => [1e6 * a! + 1e3 * c!, b!, c!]);
    const undone = { ofGradient: ([a, b, c]: Vector) => Float64Array.of((a! - 1e3 * c!) / 1e6, b!, c!) };
    const here = medianIn(same).aggregate(blocksOf(points)).values;
    const there = undone.ofGradient(medianIn(undone).aggregate(blocksOf(moved)).values);
    expect(distance(here, there)).to.be.below(1e-12);
  });

  it('is a block itself where most blocks are there', () => {
    const median = medianIn(same).aggregate(
      blocksOf([
        [4, 8],
        [4, 8],
        [4, 8],
        [400, -8],
      ]),
    );
    expect([...median.values]).to.deep.equal([1, 2]);
  });
});
