import { expect } from 'chai';
import { stepsToShrink, wholeSteps } from '../../../src/plan/theorem/prescription.ts';

describe('wholeSteps', () => {
  it('rounds up, to 1 at least', () => {
    expect([0, 0.3, 1, 1.2, 6.99, 7].map(wholeSteps)).to.deep.equal([1, 1, 1, 2, 7, 7]);
  });

  it('takes a root of a power for the whole number that it is', () => {
    expect(1e5 ** (1 / 5)).to.be.above(10);
    expect(wholeSteps(1e5 ** (1 / 5))).to.equal(10);
    for (const exponent of [2, 3, 5, 9]) {
      for (let base = 1; base <= 60; base++) {
        expect(wholeSteps((base ** exponent) ** (1 / exponent)), `${base}^${exponent}`).to.equal(base);
      }
    }
  });

  it('still sees one row more', () => {
    expect(wholeSteps(100_001 ** (1 / 5))).to.equal(11);
    expect(wholeSteps((1e9 + 1) ** (1 / 3))).to.equal(1001);
  });

  it('is infinite for what is no number of steps', () => {
    expect([Infinity, Number.NaN].map(wholeSteps)).to.deep.equal([Infinity, Infinity]);
  });
});

describe('stepsToShrink', () => {
  it('is log_{1/c}(x), rounded up', () => {
    expect(stepsToShrink(1 / 2, 1024)).to.equal(10);
    expect(stepsToShrink(1 / 2, 1025)).to.equal(11);
    expect(stepsToShrink(0.9, 10)).to.equal(22);
    for (const [contraction, x] of [
      [0.6, 300],
      [0.999, 1e6],
    ] as const) {
      const steps = stepsToShrink(contraction, x);
      expect(contraction ** steps * x).to.be.at.most(1);
      expect(contraction ** (steps - 1) * x).to.be.above(1);
    }
  });

  it('is infinite where nothing contracts, and 1 where nothing has to', () => {
    for (const contraction of [1, 1.5, Infinity, 0, -1, Number.NaN]) {
      expect(stepsToShrink(contraction, 10)).to.equal(Infinity);
    }
    expect(stepsToShrink(0.5, 1)).to.equal(1);
  });
});
