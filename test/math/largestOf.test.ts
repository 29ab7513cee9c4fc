import { expect } from 'chai';
import { largestOf } from '../../src/math/vector.ts';

describe('largestOf', () => {
  it('is the largest of any number of values', () => {
    expect(largestOf([-3, -1, -2])).to.equal(-1);
    expect(largestOf([])).to.equal(-Infinity);
    expect(largestOf(Array.from({ length: 500_000 }, (_, i) => i))).to.equal(499_999);
  });
});
