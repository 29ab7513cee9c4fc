import { expect } from 'chai';
import { domain } from '../../../src/method/loss/domain.ts';
import { logistic } from '../../../src/method/loss/logistic.ts';
import { checkLoss } from '../../laws/checkLoss.ts';

// The supremum of |slope| over bounded scores is sigmoid(L_x D), at least 1/2.
checkLoss('logistic', logistic, { tightness: 2 });

describe('logistic', () => {
  const loss = logistic();

  it('agrees with 60-digit arithmetic in value and slope, in the tails too', () => {
    const rows: [score: number, target: number, value: number, slope: number][] = [
      [0.5, 0, 0.9740769841801067, 0.6224593312018546],
      [0.5, 1, 0.4740769841801067, -0.37754066879814546],
      [-3, 0.25, 0.798587351573742, -0.20257412682243323],
      [2.5, 0.75, 0.7038897342925496, 0.17414181997875644],
      [1e-10, 0.25, 0.6931471805849453, 0.250000000025],
      [40, 0, 40, 1],
      [40, 1, 4.248354255291589e-18, -4.248354255291589e-18],
      [-40, 0, 4.248354255291589e-18, 4.248354255291589e-18],
      [-40, 1, 40, -1],
      [800, 0, 800, 1],
      [-800, 1, 800, -1],
    ];
    for (const [score, target, value, slope] of rows) {
      expect(loss.value(score, target) / value).to.be.closeTo(1, 1e-14);
      expect(loss.slope(score, target) / slope).to.be.closeTo(1, 1e-14);
    }
  });

  it('agrees with 60-digit arithmetic in cumulant, mean and variance', () => {
    const rows: [score: number, cumulant: number, mean: number, variance: number][] = [
      [-40, 4.248354255291589e-18, 4.248354255291589e-18, 4.248354255291589e-18],
      [-1.5, 0.2014132779827524, 0.18242552380635635, 0.14914645207033286],
      [0, Math.LN2, 0.5, 0.25],
      [0.25, 0.8259394198788436, 0.5621765008857981, 0.24613408273759835],
      [3, 3.048587351573742, 0.9525741268224333, 0.04517665973091213],
      [40, 40, 1, 4.248354255291589e-18],
    ];
    for (const [score, cumulant, mean, variance] of rows) {
      expect(loss.cumulant(score) / cumulant).to.be.closeTo(1, 1e-14);
      expect(loss.mean(score) / mean).to.be.closeTo(1, 1e-14);
      expect(loss.variance(score) / variance).to.be.closeTo(1, 1e-14);
    }
  });

  it('keeps a tail below the least normal number, where e^-s would have overflowed', () => {
    expect(loss.value(720, 1)).to.be.closeTo(2.0322308024e-313, 1e-323);
    expect(loss.slope(720, 1)).to.be.closeTo(-2.0322308024e-313, 1e-323);
    expect(loss.mean(-720)).to.be.closeTo(2.0322308024e-313, 1e-323);
  });

  it("keeps the paper's K's readable, and halves the Lipschitz constant they give", () => {
    const bounds = domain({ features: 3, norm: 2 });
    expect(loss.meanBound(bounds)).to.equal(1);
    expect(loss.varianceBound(bounds)).to.equal(0.25);
    expect(loss.lipschitz(bounds)).to.equal(2);
    expect(loss.smoothness(bounds)).to.equal(1);
    expect(loss.targets).to.deep.equal({ least: 0, most: 1 });
    expect(loss.name).to.equal('logistic');
  });
});
