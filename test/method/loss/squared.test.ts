import { expect } from 'chai';
import { domain } from '../../../src/method/loss/domain.ts';
import { squared } from '../../../src/method/loss/squared.ts';
import { checkLoss } from '../../laws/checkLoss.ts';

checkLoss('squared', squared);

describe('squared', () => {
  const loss = squared();

  it('is half the squared residual', () => {
    expect(loss.value(3, 1)).to.equal(2);
    expect(loss.slope(3, 1)).to.equal(2);
    expect(loss.slope(1, 3)).to.equal(-2);
    expect(loss).to.include({ name: 'squared', penalty: 0 });
  });

  it('has the Lipschitz constant sqrt(p) + p D of theorem UPRidge', () => {
    for (const features of [1, 4, 10, 1000]) {
      for (const radius of [0, 0.25, 3]) {
        const bounds = domain({ features, max: 1, target: 1, radius });
        const expected = Math.sqrt(features) + features * radius;
        expect(loss.lipschitz(bounds)).to.be.closeTo(expected, 1e-14 * expected);
        expect(loss.smoothness(bounds)).to.be.closeTo(features, 1e-14 * features);
      }
    }
  });

  it('has no finite Lipschitz constant where a bound it needs is undeclared', () => {
    expect(loss.lipschitz(domain({ features: 2, target: 1, radius: 1 }))).to.equal(Infinity);
    expect(loss.lipschitz(domain({ features: 2, norm: 1, radius: 1 }))).to.equal(Infinity);
    expect(loss.lipschitz(domain({ features: 2, norm: 1, target: 1 }))).to.equal(Infinity);
    expect(loss.smoothness(domain({ features: 2 }))).to.equal(Infinity);
  });

  it('needs no bound that a row of zeros makes idle', () => {
    expect(loss.lipschitz(domain({ features: 2, norm: 0 }))).to.equal(0);
  });
});
