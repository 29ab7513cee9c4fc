import { expect } from 'chai';
import { meanOf } from '../../src/math/median.ts';

describe('meanOf', () => {
  it('counts every value once, or as often as weights say', () => {
    const values = Float64Array.of(1, 2, 6);
    expect(meanOf(values)).to.equal(3);
    expect(meanOf(values, Float64Array.of(1, 1, 1))).to.equal(3);
    expect(meanOf(values, Float64Array.of(3, 0, 1))).to.equal(9 / 4);
  });

  it('is no number where there is nothing', () => {
    expect(meanOf(new Float64Array(0))).to.be.NaN;
  });
});
