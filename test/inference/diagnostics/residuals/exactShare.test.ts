import { expect } from 'chai';
import { exactShare } from '../../../../src/inference/diagnostics/residuals/exactFit.ts';

const target = Float64Array.from({ length: 100 }, (_, i) => i);

describe('exactShare', () => {
  it('counts rows whose residuals rounding makes, by the scale of the targets', () => {
    const rounding = target.map((value, i) => (i % 2 === 0 ? 1 : -1) * 1e-15 * value);
    expect(exactShare(target, rounding)).to.equal(1);
    expect(exactShare(target, rounding.with(3, 1e-6))).to.equal(0.99);
    expect(
      exactShare(
        target.map(value => 1e9 + value),
        rounding.map(() => 1e-7),
      ),
    ).to.equal(1);
    expect(
      exactShare(
        target,
        target.map(() => 1e-7),
      ),
    ).to.be.below(0.01);
  });

  it('counts rows as often as they count', () => {
    const residuals = target.map((_, i) => (i === 5 ? 1 : 0));
    expect(
      exactShare(
        target,
        residuals,
        target.map((_, i) => (i === 5 ? 99 : 1)),
      ),
    ).to.equal(0.5);
  });
});
