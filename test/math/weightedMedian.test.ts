import { expect } from 'chai';
import fc from 'fast-check';
import { median, weightedMedian } from '../../src/math/median.ts';
import { holdsForAll } from '../laws/holdsForAll.ts';

const counted = fc.array(fc.tuple(fc.integer({ min: -5, max: 5 }), fc.integer({ min: 0, max: 4 })), {
  minLength: 1,
  maxLength: 15,
});

describe('weightedMedian', () => {
  it('is the median of every value as often as its weight says, in whatever unit weights are', () => {
    holdsForAll(
      fc.property(
        counted.filter(pairs => pairs.some(([, count]) => count > 0)),
        pairs => {
          const copies = pairs.flatMap(([value, count]) => new Array<number>(count).fill(value));
          const values = Float64Array.from(pairs, ([value]) => value);
          const weights = Float64Array.from(pairs, ([, count]) => count / 8);
          expect(weightedMedian(values, weights)).to.equal(median(Float64Array.from(copies)));
        },
      ),
    );
  });

  it('finds the same where weights only say which rows count, without sorting', () => {
    const marked = fc.array(fc.tuple(fc.integer({ min: -5, max: 5 }), fc.boolean()), { minLength: 1, maxLength: 15 });
    holdsForAll(
      fc.property(
        marked.filter(pairs => pairs.some(([, counts]) => counts)),
        pairs => {
          const values = Float64Array.from(pairs, ([value]) => value);
          const marks = Float64Array.from(pairs, ([, counts]) => Number(counts));
          // Weights of another unit are sorted.
          const sorted = weightedMedian(
            values,
            marks.map(mark => mark / 8),
          );
          expect(weightedMedian(values, marks)).to.equal(sorted);
          expect([...values]).to.deep.equal(pairs.map(([value]) => value));
        },
      ),
    );
  });

  it('leaves values and weights as they were', () => {
    const values = Float64Array.of(3, 1, 2);
    const weights = Float64Array.of(1, 5, 1);
    expect(weightedMedian(values, weights)).to.equal(1);
    expect([[...values], [...weights]]).to.deep.equal([
      [3, 1, 2],
      [1, 5, 1],
    ]);
  });
});
