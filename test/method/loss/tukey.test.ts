import { expect } from 'chai';
import { ArgumentError } from '../../../src/errors.ts';
import { domain } from '../../../src/method/loss/domain.ts';
import { tukey } from '../../../src/method/loss/tukey.ts';
import { checkLoss } from '../../laws/checkLoss.ts';

// Some row of every domain meets the steepest residual, c/sqrt 5, where targets go up to 3.
checkLoss('tukey(0.2)', () => tukey(0.2), { isConvex: false });
checkLoss('tukey(1)', () => tukey(1), { isConvex: false });

describe('tukey', () => {
  it('is half the square for small residuals, and level with c^2/6 from c on', () => {
    const loss = tukey(3);
    expect(loss.value(1e-5, 0)).to.be.closeTo(5e-11, 1e-20);
    for (const residual of [3, 4, 1e9, 1e300, Infinity]) expect(loss.value(0, residual)).to.equal(1.5);
    // u = 1/4: 1.5 (1 - 27/64)
    expect(loss.value(1.5, 0)).to.equal((1.5 * 37) / 64);
  });

  it('is steepest, with 16/25 c/sqrt 5, at c/sqrt 5, and 0 from c on', () => {
    const loss = tukey(2);
    const steepest = loss.slope(2 / Math.sqrt(5), 0);
    expect(steepest).to.be.closeTo((16 * 2) / 25 / Math.sqrt(5), 1e-15);
    expect(loss.lipschitz(domain({ features: 1, norm: 1, radius: 1, target: 1 }))).to.be.closeTo(steepest, 1e-15);
    for (const r of [0.5, 0.8, 1, 1.9]) expect(Math.abs(loss.slope(-r, 0))).to.be.within(0.01, steepest);
    for (const r of [2, 2.1, 1e90, 1e300, Infinity]) expect(loss.slope(r, 0)).to.equal(0);
    expect(loss.slope(NaN, 0)).to.be.NaN;
  });

  it('has 95 % of the efficiency of least squares under normal noise at 4.685', () => {
    // The usual constant of the literature, by numerical integration of (E psi')^2 / E psi^2.
    const { slope } = tukey(4.685);
    const h = 1e-3;
    let [squares, bends] = [0, 0];
    for (let r = -8; r < 8; r += h) {
      const density = Math.exp(-(r * r) / 2) / Math.sqrt(2 * Math.PI);
      squares += slope(r, 0) ** 2 * density * h;
      // E psi' = E r psi for a normal r.
      bends += r * slope(r, 0) * density * h;
    }
    expect(bends ** 2 / squares).to.be.closeTo(0.95, 1e-4);
  });

  it('refuses a c that is not positive', () => {
    expect(() => tukey(0)).to.throw(ArgumentError, 'c');
  });
});
