import { expect } from 'chai';
import fc from 'fast-check';
import { roundedDown } from '../../src/math/solveIncreasing.ts';
import { holdsForAll } from '../laws/holdsForAll.ts';

describe('roundedDown', () => {
  it('keeps six digits, and goes down where rounding would go up', () => {
    expect(roundedDown(1.4319870637)).to.equal('1.43198');
    expect(roundedDown(1.4319840637)).to.equal('1.43198');
    expect(roundedDown(99999.96)).to.equal('99999.9');
    expect(roundedDown(0.00012345678)).to.equal('0.000123456');
    expect(roundedDown(0.9)).to.equal('0.9');
    expect(roundedDown(0.3)).to.equal('0.3');
    expect(roundedDown(0)).to.equal('0');
  });

  it('is never above its value, and within a part in 1e5 of it', () => {
    holdsForAll(
      fc.property(fc.double({ min: 1e-300, max: 1e300, noNaN: true }), value => {
        expect(Number(roundedDown(value))).to.be.within(value * (1 - 1.0001e-5), value);
      }),
    );
  });
});
