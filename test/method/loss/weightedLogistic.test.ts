import { expect } from 'chai';
import fc from 'fast-check';
import { logistic } from '../../../src/method/loss/logistic.ts';
import { weightedLogistic } from '../../../src/method/loss/weightedLogistic.ts';
import { checkLoss } from '../../laws/checkLoss.ts';
import { holdsForAll, uniform } from '../../laws/holdsForAll.ts';

checkLoss('weightedLogistic', weightedLogistic, { tightness: 2 });

describe('weightedLogistic', () => {
  const loss = weightedLogistic();

  it('has a slope of half a unit where the class surprises, and of e^-|s|/2 where it does not', () => {
    expect(loss.slope(3, 0)).to.equal(0.5);
    expect(loss.slope(-3, 1)).to.equal(-0.5);
    expect(loss.slope(3, 1)).to.be.closeTo(-0.024893534183931972, 1e-16);
    expect(loss.slope(-3, 0)).to.be.closeTo(0.024893534183931972, 1e-16);
    expect(loss.slope(800, 0)).to.equal(0.5);
    expect(loss.slope(-800, 0)).to.equal(0);
  });

  it('is logistic regression with a weight that the class has no part in', () => {
    const { slope, mean } = logistic();
    holdsForAll(
      fc.property(uniform(-30, 30), uniform(0, 1), (score, target) => {
        const weight = 1 / (2 * Math.max(mean(score), mean(-score)));
        expect(loss.slope(score, target)).to.be.closeTo(weight * slope(score, target), 1e-15);
      }),
    );
  });

  it('expects nothing of its slope at the log-odds', () => {
    const { mean } = logistic();
    holdsForAll(
      fc.property(uniform(-30, 30), score => {
        const expected = mean(score) * loss.slope(score, 1) + mean(-score) * loss.slope(score, 0);
        expect(expected).to.be.closeTo(0, 1e-16);
      }),
    );
  });
});
