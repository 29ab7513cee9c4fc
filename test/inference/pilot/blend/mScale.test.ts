import { expect } from 'chai';
import fc from 'fast-check';
import { exceeds, HALF, mScale, S_TUNING } from '../../../../src/inference/pilot/blend/mScale.ts';
import { normalQuantile } from '../../../../src/math/normalQuantile.ts';

/** The definition, by bisection: the mean of rho falls as the scale grows. */
function byBisection(residuals: Float64Array, counts: Float64Array, wanted: number): number {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const excess = (scale: number): number =>
    residuals.reduce((sum, r, i) => {
      const u = Math.min(1, (r / (S_TUNING * scale)) ** 2);
      return sum + counts[i]! * (1 - (1 - u) ** 3);
    }, 0) -
    wanted * total;
  let [low, high] = [1e-12, 1e12];
  for (let k = 0; k < 200; k++) {
    const middle = Math.sqrt(low * high);
    if (excess(middle) > 0) low = middle;
    else high = middle;
  }
  return high;
}

describe('mScale', () => {
  it('solves its equation, whatever the weights and the guess, and follows the unit', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.double({ min: -9, max: 9, noNaN: true }), fc.double({ min: 0.1, max: 3, noNaN: true })), {
          minLength: 8,
          maxLength: 40,
        }),
        fc.double({ min: 0.01, max: 100, noNaN: true }),
        (rows, unit) => {
          const counts = Float64Array.from(rows, ([, count]) => count);
          const residuals = Float64Array.from(rows, ([r], i) => unit * (r + 0.1 + i / 100));
          const given = { rows: rows.length, wanted: 0.4 };
          const found = mScale(residuals, counts, { ...given, guess: unit });
          const exact = byBisection(residuals, counts, 0.4);
          expect(found / exact).to.be.closeTo(1, 1e-3);
          // From where it is already, it stays there.
          expect(mScale(residuals, counts, { ...given, guess: exact }) / exact).to.be.closeTo(1, 1e-6);
          const limit = 0.4 * counts.reduce((sum, count) => sum + count, 0);
          expect(exceeds(residuals, counts, { scale: found * 1.01, limit })).to.equal(false);
          expect(exceeds(residuals, counts, { scale: found / 1.01, limit })).to.equal(true);
        },
      ),
      { seed: 1, numRuns: 200 },
    );
  });

  it('is the standard deviation of normal errors, and 0 where most rows are fitted exactly', () => {
    const n = 20_000;
    const errors = Float64Array.from({ length: n }, (_, i) => 3 * normalQuantile((i + 0.5) / n));
    const counts = new Float64Array(n).fill(1);
    expect(mScale(errors, counts, { rows: n, wanted: HALF, guess: 1 })).to.be.closeTo(3, 0.005);
    const exact = errors.map((value, i) => (i % 5 === 0 ? value : 0));
    expect(mScale(exact, counts, { rows: n, wanted: HALF, guess: 1 })).to.be.below(1e-6);
  });
});
