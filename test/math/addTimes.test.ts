import { expect } from 'chai';
import { addTimes } from '../../src/math/vector.ts';

describe('addTimes', () => {
  it('adds a multiple of what values are, or of how far they are from a centre', () => {
    const sums = Float64Array.of(1, 10);
    addTimes(sums, Float64Array.of(2, 3), 5);
    expect([...sums]).to.deep.equal([11, 25]);
    addTimes(sums, Float64Array.of(2, 3), 5, 2);
    expect([...sums]).to.deep.equal([11, 30]);
  });
});
