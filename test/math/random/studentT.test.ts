import { expect } from 'chai';
import { ArgumentError } from '../../../src/errors.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { studentT } from '../../../src/math/random/studentT.ts';
import { draws, ksDistance, ksThreshold, studentCdf } from '../../support/statistics.ts';

const closedForms: [number, (t: number) => number][] = [
  [1, t => 0.5 + Math.atan(t) / Math.PI],
  [2, t => 0.5 + t / (2 * Math.sqrt(2 + t * t))],
  [3, t => 0.5 + (t / (Math.sqrt(3) * (1 + (t * t) / 3)) + Math.atan(t / Math.sqrt(3))) / Math.PI],
];

describe('studentT', () => {
  for (const [degrees, cdf] of closedForms) {
    it(`has the closed law of ${degrees} degrees of freedom`, () => {
      const random = seeded(1, `studentT ${degrees}`);
      const sample = draws(2e5, () => studentT(random, degrees));
      expect(ksDistance(sample, cdf)).to.be.below(ksThreshold(2e5));
    });
  }

  for (const degrees of [0.1, 0.7, 2.5, 30, 1e6]) {
    it(`has the law of ${degrees} degrees of freedom`, () => {
      const random = seeded(1, `studentT ${degrees}`);
      const sample = draws(2e4, () => studentT(random, degrees));
      expect(ksDistance(sample, studentCdf(degrees))).to.be.below(ksThreshold(2e4));
    });
  }

  it('refuses degrees of freedom that are not above 0', () => {
    for (const degrees of [0, -3, NaN, Infinity]) {
      expect(() => studentT(seeded(1, 'x'), degrees)).to.throw(
        ArgumentError,
        `degrees must be a finite number above 0, got ${degrees}`,
      );
    }
  });
});

describe('studentCdf, which these tests stand on', () => {
  it('agrees with the closed forms', () => {
    for (const [degrees, cdf] of closedForms) {
      const integrated = studentCdf(degrees);
      for (const t of [-50, -3, -0.1, 0, 0.5, 2, 1000]) expect(integrated(t)).to.be.closeTo(cdf(t), 1e-7);
    }
  });
});
