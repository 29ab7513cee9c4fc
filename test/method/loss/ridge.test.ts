import { expect } from 'chai';
import { ArgumentError } from '../../../src/errors.ts';
import { domain } from '../../../src/method/loss/domain.ts';
import { logistic } from '../../../src/method/loss/logistic.ts';
import { ridge } from '../../../src/method/loss/ridge.ts';
import { squared } from '../../../src/method/loss/squared.ts';
import { checkLoss } from '../../laws/checkLoss.ts';

checkLoss('ridge of squared', () => ridge(squared(), 0.5));
checkLoss('ridge of logistic', () => ridge(logistic(), 2), { tightness: 2 });

describe('ridge', () => {
  const bounds = domain({ features: 3, norm: 2, target: 1, radius: 1 });

  it('adds the penalty to the smoothness and leaves what speaks of a row alone', () => {
    const [plain, penalised] = [squared(), ridge(squared(), 0.5)];
    expect(penalised.penalty).to.equal(0.5);
    expect(penalised.smoothness(bounds)).to.equal(plain.smoothness(bounds) + 0.5);
    expect(penalised.lipschitz(bounds)).to.equal(plain.lipschitz(bounds));
    expect(penalised.value(3, 1)).to.equal(plain.value(3, 1));
    expect(penalised.slope(3, 1)).to.equal(plain.slope(3, 1));
    expect(penalised.name).to.equal('ridge(squared, 0.5)');
  });

  it('adds up when applied twice, and is nothing at 0', () => {
    const twice = ridge(ridge(squared(), 0.5), 0.25);
    expect(twice.penalty).to.equal(0.75);
    expect(twice.smoothness(bounds)).to.equal(4.75);
    expect(ridge(squared(), 0).smoothness(bounds)).to.equal(4);
  });

  it('keeps the constants of a generalized linear model readable', () => {
    expect(ridge(logistic(), 1).varianceBound(bounds)).to.equal(0.25);
  });

  it('refuses a penalty that is negative or not finite', () => {
    for (const bad of [-1, Number.NaN, Infinity]) {
      expect(() => ridge(squared(), bad)).to.throw(
        ArgumentError,
        `gamma must be a finite number of at least 0, got ${bad}`,
      );
    }
  });
});
