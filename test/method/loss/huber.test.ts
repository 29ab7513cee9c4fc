import { expect } from 'chai';
import fc from 'fast-check';
import { ArgumentError } from '../../../src/errors.ts';
import { domain } from '../../../src/method/loss/domain.ts';
import { huber } from '../../../src/method/loss/huber.ts';
import { squared } from '../../../src/method/loss/squared.ts';
import { checkLoss } from '../../laws/checkLoss.ts';
import { holdsForAll, uniform } from '../../laws/holdsForAll.ts';

// Where no score is as far off as c, the slope does not come to c.
checkLoss('huber(0.05)', () => huber(0.05), { targetBounds: [0.05, 3] });
checkLoss('huber(2)', () => huber(2), { targetBounds: [2, 3] });

describe('huber', () => {
  it('is the squared loss for residuals of up to c, and goes on straight', () => {
    const loss = huber(2);
    const rows: [score: number, target: number, value: number, slope: number][] = [
      [0.5, 0.25, 0.03125, 0.25],
      [-1, 1, 2, -2],
      [1, -1, 2, 2],
      [3, -1, 6, 2],
      [-800, 0, 1598, -2],
    ];
    for (const [score, target, value, slope] of rows) {
      expect(loss.value(score, target)).to.equal(value);
      expect(loss.slope(score, target)).to.equal(slope);
    }
  });

  it('with twice the largest target, is the squared loss for every score that is a possible target', () => {
    holdsForAll(
      fc.property(uniform(-1, 1), uniform(-1, 1), uniform(0.01, 100), (score, target, most) => {
        const held = huber(2 * most);
        expect(held.slope(most * score, most * target)).to.equal(squared().slope(most * score, most * target));
        expect(held.value(most * score, most * target)).to.equal(squared().value(most * score, most * target));
      }),
    );
  });

  it('has gradients within c L_x whatever the targets and coefficients are', () => {
    expect(huber(2).lipschitz(domain({ features: 4, max: 1 }))).to.equal(4);
    expect(huber(2).slope(Number.MAX_VALUE, -Number.MAX_VALUE)).to.equal(2);
  });

  it('refuses a bound that is none', () => {
    for (const bad of [Number.NaN, 0, -1, Infinity]) {
      expect(() => huber(bad)).to.throw(ArgumentError, `most must be a finite number above 0`);
    }
  });
});
