import { expect } from 'chai';
import { ArgumentError } from '../../../src/errors.ts';
import { domain } from '../../../src/method/loss/domain.ts';
import { poisson } from '../../../src/method/loss/poisson.ts';
import { checkLoss } from '../../laws/checkLoss.ts';

// With a count of K_y = 2 and no room for the score, the slope is 1 at most and the bound 2.
checkLoss('poisson', poisson, { targetBounds: [0, 20], tightness: 2 });
checkLoss('poisson with a low largestScore', () => poisson({ largestScore: 2 }), { tightness: 2 });
checkLoss('poisson with the highest largestScore', () => poisson({ largestScore: 700 }), { tightness: 2 });

describe('poisson', () => {
  const loss = poisson();

  it('agrees with 60-digit arithmetic, below and above the largest score', () => {
    const rows: [score: number, target: number, value: number, slope: number][] = [
      [0.5, 2, 0.6487212707001282, -0.35127872929987186],
      [-3, 0.5, 1.5497870683678638, -0.45021293163213605],
      [3.25, 20, -39.20966008280694, 5.790339917193062],
      [12.5, 1000, 255837.28652087445, 267337.2865208745],
      [-40, 0, 4.248354255291589e-18, 4.248354255291589e-18],
      [-800, 3, 2400, -3],
      [30, 1, 10686474581494.463, 10686474581523.463],
      [31, 0, 21372949163048.926, 10686474581524.463],
      [800, 7, 8239271902349760.0, 10686474581517.463],
    ];
    for (const [score, target, value, slope] of rows) {
      expect(loss.value(score, target) / value).to.be.closeTo(1, 1e-14);
      expect(loss.slope(score, target) / slope).to.be.closeTo(1, 1e-14);
    }
  });

  it('has a variance of e^s, and none on the tangent', () => {
    expect(loss.variance(2)).to.equal(Math.exp(2));
    expect(loss.variance(30)).to.equal(Math.exp(30));
    expect(loss.variance(30.5)).to.equal(0);
  });

  it('bounds the rate by e^min(B, L_x D)', () => {
    const near = domain({ features: 4, max: 1, target: 5, radius: 1 });
    expect(loss.meanBound(near)).to.equal(Math.exp(2));
    expect(loss.varianceBound(near)).to.equal(Math.exp(2));
    expect(loss.lipschitz(near)).to.equal(2 * Math.exp(2));
    expect(loss.smoothness(near)).to.equal(4 * Math.exp(2));
    const far = domain({ features: 4, max: 1, target: 5 });
    expect(poisson({ largestScore: 3 }).lipschitz(far)).to.equal(2 * Math.exp(3));
  });

  it('takes the larger of the rates and the counts, not their sum', () => {
    expect(loss.lipschitz(domain({ features: 4, max: 1, target: 50, radius: 1 }))).to.equal(100);
    expect(loss.lipschitz(domain({ features: 4, max: 1, radius: 1 }))).to.equal(Infinity);
  });

  it('refuses a largest score without room for the tangent', () => {
    for (const bad of [Number.NaN, 0, -1, Infinity]) {
      expect(() => poisson({ largestScore: bad })).to.throw(
        ArgumentError,
        `largestScore must be a finite number above 0, got ${bad}`,
      );
    }
    expect(() => poisson({ largestScore: 701 })).to.throw(ArgumentError, 'largestScore must be at most 700, got 701');
  });
});
