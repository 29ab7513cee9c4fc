import { expect } from 'chai';
import fc from 'fast-check';
import { median } from '../../src/math/median.ts';

const bySorting = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
};

describe('median', () => {
  it('is the middle of the sorted values, or the mean of the middle two', () => {
    const few = fc.integer({ min: -3, max: 3 });
    const any = fc.double({ min: -1e6, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(fc.array(fc.oneof(few, any), { minLength: 1, maxLength: 300 }), values => {
        // Adding 0 turns -0, which sorting by a difference cannot tell, into 0.
        expect(median(Float64Array.from(values)) + 0).to.equal(bySorting(values) + 0);
      }),
      { seed: 11, numRuns: 300 },
    );
  });

  it('takes rows that come in order, in reverse, all equal, or rising and falling', () => {
    for (const length of [1, 2, 1000, 1001]) {
      for (const value of [(i: number) => i, (i: number) => -i, () => 7, (i: number) => Math.min(i, length - i)]) {
        const values = Array.from({ length }, (_, i) => value(i));
        expect(median(Float64Array.from(values))).to.equal(bySorting(values));
      }
    }
  });
});
