import { expect } from 'chai';
import { ArgumentError } from '../../../src/errors.ts';
import { domain } from '../../../src/method/loss/domain.ts';
import { pseudoHuber } from '../../../src/method/loss/pseudoHuber.ts';
import { checkLoss } from '../../laws/checkLoss.ts';

// The bound holds for every y, and only a y far from the score reaches it.
checkLoss('pseudoHuber(0.2)', () => pseudoHuber(0.2), { targetBounds: [1e3, 1e6] });
checkLoss('pseudoHuber(5)', () => pseudoHuber(5), { targetBounds: [1e3, 1e6] });

describe('pseudoHuber', () => {
  it('agrees with 60-digit arithmetic for residuals from 1e-150 to 1e300', () => {
    const rows: [q: number, score: number, target: number, value: number, slope: number][] = [
      [0.2, 1, 0.5, 0.06770329614269008, 0.18569533817705186],
      [0.2, 0.30000000000000004, 0.3, 1.5407439555097887e-33, 5.551115123125783e-17],
      [0.2, 1e-10, 0, 5.0000000000000005e-21, 1e-10],
      [0.2, 0, 1e-150, 5e-301, -1e-150],
      [0.2, 0.2, 0, 0.016568542494923805, 0.1414213562373095],
      [0.2, -800, 800, 319.96000250000003, -0.19999999843750002],
      [0.2, 1e300, 0, 2e299, 0.2],
      [0.2, 0, 1e300, 2e299, -0.2],
      [5, -1.25, 0.5, 1.4870251255213636, -1.6517521236405306],
      [1e-5, 3, -4, 6.999990000007144e-5, 9.999999999989797e-6],
      [1e-300, 1e300, 0, 1, 1e-300],
      [1e200, 1e150, -1e150, 2e300, 2e150],
      [1e200, 1, 0, 0.5, 1],
    ];
    for (const [q, score, target, value, slope] of rows) {
      const loss = pseudoHuber(q);
      expect(loss.value(score, target) / value).to.be.closeTo(1, 1e-14);
      expect(loss.slope(score, target) / slope).to.be.closeTo(1, 1e-14);
    }
  });

  it('is 0 and flat where the score meets the target', () => {
    expect(pseudoHuber(0.2).value(3, 3)).to.equal(0);
    expect(pseudoHuber(0.2).slope(3, 3)).to.equal(0);
    expect(pseudoHuber(0.2).slope(1e-300, 0)).to.equal(1e-300);
  });

  it('never has a slope above q, not by one rounding, whatever the residual', () => {
    const loss = pseudoHuber(0.2);
    for (let exponent = -320; exponent <= 308; exponent++) {
      expect(Math.abs(loss.slope(10 ** exponent, 0))).to.be.at.most(0.2);
    }
    expect(loss.slope(Number.MAX_VALUE, -Number.MAX_VALUE)).to.equal(0.2);
  });

  it('is q L_x-Lipschitz with no bound on target or parameter', () => {
    const loss = pseudoHuber(0.2);
    expect(loss.lipschitz(domain({ features: 10, norm: 1 }))).to.equal(0.2);
    expect(loss.smoothness(domain({ features: 10, norm: 3 }))).to.equal(9);
    expect(loss.lipschitz(domain({ features: 10 }))).to.equal(Infinity);
    expect(loss.name).to.equal('pseudoHuber(0.2)');
  });

  it('refuses a q that is not a finite number above 0', () => {
    for (const bad of [Number.NaN, 0, -1, Infinity]) {
      expect(() => pseudoHuber(bad)).to.throw(ArgumentError, `q must be a finite number above 0, got ${bad}`);
    }
  });
});
