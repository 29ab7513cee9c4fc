import { expect } from 'chai';
import fc from 'fast-check';
import { numbers } from '../../../src/engine/sql/arithmetic.ts';
import { bendOf } from '../../../src/engine/sql/bend.ts';
import { predictionOf, slopeOf } from '../../../src/engine/sql/slopes.ts';
import { logistic } from '../../../src/method/loss/logistic.ts';
import { slopeOfSlope } from '../../../src/method/loss/loss.ts';
import { poisson } from '../../../src/method/loss/poisson.ts';
import { ridge } from '../../../src/method/loss/ridge.ts';
import { squared } from '../../../src/method/loss/squared.ts';
import { ENGINE_LOSSES } from '../../support/engineRows.ts';

const finite = (most: number) => fc.double({ min: -most, max: most, noNaN: true });
const near = (a: number, b: number, scale: number): void => {
  expect(Math.abs(a - b)).to.be.at.most(1e-14 * Math.max(1e-300, Math.abs(b), scale));
};

describe('slopes as arithmetic', () => {
  for (const { loss, target } of ENGINE_LOSSES) {
    it(`are those of ${loss.name}`, () => {
      const slope = slopeOf(loss);
      fc.assert(
        fc.property(finite(800), fc.double({ min: 0, max: 1, noNaN: true }), (score, share) => {
          const y = target === 'linear' ? 100 * share - 50 : target === 'class' ? share : Math.floor(30 * share);
          near(slope(numbers, score, y), loss.slope(score, y), target === 'count' ? 30 : 1);
        }),
      );
    });

    it(`bend as those of ${loss.name}`, () => {
      const bend = bendOf(loss);
      fc.assert(
        fc.property(finite(20), fc.integer({ min: 0, max: 1 }), (score, y) => {
          // Differences of slopes over 1e-5 lose as many digits.
          expect(bend(numbers, score, y)).to.be.closeTo(slopeOfSlope(loss, score, y), 1e-8 * Math.exp(3));
        }),
      );
    });
  }

  it('know a loss within a ridge penalty, and refuse one of the caller', () => {
    expect(slopeOf(ridge(poisson({ largestScore: 3 }), 0.1))(numbers, 1, 2)).to.be.closeTo(Math.E - 2, 1e-14);
    const { kernel: _, ...own } = squared();
    expect(() => slopeOf({ ...own, name: 'mine' })).to.throw(/function of this process.*built-in loss/);
  });

  it('predict what scores mean', () => {
    for (const score of [-40, -3, -0.5, 0, 0.2, 5, 29]) {
      near(predictionOf(numbers, 'logistic', score), logistic().mean(score), 0);
      near(predictionOf(numbers, 'poisson', score), poisson().mean(score), 0);
      expect(predictionOf(numbers, 'tukey', score)).to.equal(score);
    }
  });
});
