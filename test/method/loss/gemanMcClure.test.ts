import { expect } from 'chai';
import { ArgumentError } from '../../../src/errors.ts';
import { domain } from '../../../src/method/loss/domain.ts';
import { gemanMcClure } from '../../../src/method/loss/gemanMcClure.ts';
import { checkLoss } from '../../laws/checkLoss.ts';

// Some row of every domain meets the steepest residual, q/sqrt 3, where targets go up to 3.
checkLoss('gemanMcClure(0.2)', () => gemanMcClure(0.2), { isConvex: false });
checkLoss('gemanMcClure(1)', () => gemanMcClure(1), { isConvex: false });

describe('gemanMcClure', () => {
  it('is half the square for small residuals, and levels off at q^2/2', () => {
    const loss = gemanMcClure(3);
    expect(loss.value(1e-5, 0)).to.be.closeTo(5e-11, 1e-20);
    expect(loss.value(1e9, 0)).to.be.closeTo(4.5, 1e-12);
    expect(loss.value(0, 1e300)).to.equal(4.5);
    expect(loss.value(3, 0)).to.equal(2.25);
  });

  it('is steepest, with 3 sqrt 3/16 q, at q/sqrt 3, and falls from there to 0', () => {
    const loss = gemanMcClure(2);
    const steepest = loss.slope(2 / Math.sqrt(3), 0);
    expect(steepest).to.be.closeTo((3 * Math.sqrt(3) * 2) / 16, 1e-15);
    expect(loss.lipschitz(domain({ features: 1, norm: 1, radius: 1, target: 1 }))).to.be.closeTo(steepest, 1e-15);
    for (const r of [1, 1.3, 5, 50, 1e5]) expect(Math.abs(loss.slope(-r, 0))).to.be.below(steepest);
    for (const r of [1e90, 1e200, 1e300, Infinity]) expect(loss.slope(r, 0)).to.be.within(0, 1e-200);
    expect(loss.slope(NaN, 0)).to.be.NaN;
  });

  it('refuses a q that is not positive', () => {
    expect(() => gemanMcClure(0)).to.throw(ArgumentError, 'q');
  });
});
