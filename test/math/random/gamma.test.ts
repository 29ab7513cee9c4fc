import { expect } from 'chai';
import { ArgumentError } from '../../../src/errors.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { gamma } from '../../../src/math/random/studentT.ts';
import { draws, ksDistance, ksThreshold, tabulatedCdf } from '../../support/statistics.ts';

describe('gamma', () => {
  for (const shape of [0.05, 0.5, 1, 1.5, 7.3, 200]) {
    it(`has the gamma law of shape ${shape}`, () => {
      const random = seeded(1, `gamma ${shape}`);
      const sample = draws(2e4, () => gamma(random, shape));
      expect(ksDistance(sample, gammaCdf(shape))).to.be.below(ksThreshold(2e4));
    });
  }

  it('refuses a shape that is not above 0', () => {
    for (const shape of [0, -1, NaN, Infinity]) {
      expect(() => gamma(seeded(1, 'x'), shape)).to.throw(
        ArgumentError,
        `shape must be a finite number above 0, got ${shape}`,
      );
    }
  });
});

/** With x = e^s the density is proportional to exp(a s - e^s), whose mode is at s = ln a. */
function gammaCdf(shape: number): (x: number) => number {
  const mode = Math.log(shape);
  const density = (s: number) => Math.exp(shape * (s - mode) - Math.exp(s) + shape);
  const cdf = tabulatedCdf(density, mode - 30 / Math.min(shape, Math.sqrt(shape)), mode + 8);
  return x => cdf(Math.log(x));
}
