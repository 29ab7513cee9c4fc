import { expect } from 'chai';
import { riskAxes } from '../../../../src/inference/intervals/private/riskAxes.ts';
import { expectClose } from '../../../support/close.ts';

const units = { bend: 0.5, lipschitz: 2 };
const seen = Float64Array.of(1, 1, 1, 1);
const along = Float64Array.of(2 / 3, -2 / 3, 1 / 3);
const expected = { along: 1, between: 0 };
/** Axes are a little off those of the curvature, for gradients that vary differently. */
const TILTED = 5e-3;

/** What a look shows of a I + b uu', and of m between u and the intercept, whose own curvature is c. */
function lookAt({ a, b, c, m }: { a: number; b: number; c: number; m: number }): Float64Array {
  const own = [...along].map(u => a + b * u ** 2);
  const curvatures = [...own, c, a + b, m].map(value => value / units.bend);
  // Gradients vary in proportion, in all by 0.3.
  const gradients = [...own, c].map(value => (0.3 * value) / (3 * a + b + c));
  return Float64Array.of(...curvatures, ...gradients);
}

/** The curvature along a direction, from the axes. */
const curvatureAlong = (axes: ReturnType<typeof riskAxes>, direction: readonly number[]): number =>
  axes.reduce((sum, axis) => {
    const share = direction.reduce((total, value, k) => total + value * axis.direction[k]!, 0);
    return sum + axis.curvature * share ** 2;
  }, 0);

describe('riskAxes', () => {
  it('finds the curvature along the slopes and across them, and what the intercept shares with them', () => {
    const values = lookAt({ a: 0.2, b: -0.15, c: 0.1, m: 0.03 });
    const axes = riskAxes({ values, sigma: 1e-9, along, expected }, seen, units);
    expectClose(curvatureAlong(axes, [...along, 0]), 0.05, TILTED);
    expectClose(curvatureAlong(axes, [Math.SQRT1_2, Math.SQRT1_2, 0, 0]), 0.2, TILTED);
    expectClose(curvatureAlong(axes, [0, 0, 0, 1]), 0.1, TILTED);
    // v'Hv = (h + 2 m + c) / 2 between u and the intercept.
    const between = [...along, 1].map(value => value * Math.SQRT1_2);
    expectClose(curvatureAlong(axes, between), (0.05 + 2 * 0.03 + 0.1) / 2, TILTED);
  });

  it('has gradients that vary in proportion to the curvature, in all as much as was released', () => {
    const axes = riskAxes(
      { values: lookAt({ a: 0.2, b: 0, c: 0.1, m: 0 }), sigma: 1e-9, along, expected },
      seen,
      units,
    );
    expectClose(
      axes.reduce((sum, { variance }) => sum + variance, 0),
      0.3 * 4,
      1e-6,
    );
    for (const { variance, curvature } of axes) expectClose(variance / curvature, 1.2 / 0.7, 1e-6);
  });

  it('believes a coordinate along which gradients vary more, as far as noise lets it', () => {
    const values = lookAt({ a: 0.2, b: 0, c: 0.2, m: 0 });
    values[6] = 0.9;
    const variancesAt = (sigma: number): readonly number[] => {
      const axes = riskAxes({ values, sigma, along, expected }, seen, units);
      return [0, 1, 2, 3].map(k =>
        axes.reduce((sum, { direction, variance }) => sum + direction[k]! ** 2 * variance, 0),
      );
    };
    // In units of L^2 = 4: 0.9 along the first, 0.075 along each of the others.
    [3.6, 0.3, 0.3, 0.3].forEach((expected, k) => {
      expectClose(variancesAt(1e-9)[k]!, expected, 1e-6);
    });
    // Two errors of 0.4 to either side of that, toward what all say together.
    const together = (4 * (0.9 + 3 * 0.075)) / 4 + (2 * 0.05 * 4 * 2) / 4;
    [3.6 - 0.4, 0.3 + 0.4, 0.3 + 0.4, 0.3 + 0.4].forEach((expected, k) => {
      expectClose(variancesAt(0.05)[k]!, expected, 1e-6);
    });
    for (const variance of variancesAt(1)) expectClose(variance, together + (2 * 0.95 * 4 * 2) / 4, 1e-6);
  });

  it('takes noise off the curvature, more where one coordinate stands alone than where all agree', () => {
    const sigma = 0.01;
    const alike = riskAxes({ values: lookAt({ a: 0.2, b: 0, c: 0.2, m: 0 }), sigma, along, expected }, seen, units);
    // Four that agree: two errors of their mean, which is half as far off as one of them.
    for (const { curvature } of alike) expectClose(curvature, 0.2 - sigma * 0.5, 1e-6);
    const hidden = riskAxes({ values: lookAt({ a: 0.2, b: 0, c: 0.2, m: 0 }), sigma: 1, along, expected }, seen, units);
    for (const { curvature } of hidden) expect(curvature).to.be.below(1e-3);
  });

  it('believes a coordinate that curves less than the others', () => {
    const values = lookAt({ a: 0.2, b: 0, c: 0.2, m: 0 });
    values[0] = 0.05 / units.bend;
    const axes = riskAxes({ values, sigma: 0.001, along, expected }, seen, units);
    expect(curvatureAlong(axes, [1, 0, 0, 0])).to.be.within(0.04, 0.06);
    expect(curvatureAlong(axes, [0, 1, 0, 0])).to.be.within(0.12, 0.21);
  });

  it('goes by what the loss lets expect along the slopes where noise hides it', () => {
    // Across them 0.2, along them 0.02, between them and the intercept 0.01.
    const values = lookAt({ a: 0.2, b: -0.18, c: 0.2, m: 0.01 });
    const steep = { along: 0.1, between: 0.05 };
    const at = (sigma: number, noisy: Float64Array) =>
      riskAxes({ values: noisy, sigma, along, expected: steep }, seen, units);
    for (const sigma of [1e-9, 0.01]) {
      const axes = at(sigma, values);
      // Less two errors of what all tell together: of the sum of curvatures, 2 sigma bend sqrt(size).
      const level = (0.62 - 2 * sigma * units.bend * 2) / 3.1;
      expectClose(curvatureAlong(axes, [...along, 0]), 0.1 * level, TILTED);
      expectClose(curvatureAlong(axes, [Math.SQRT1_2, Math.SQRT1_2, 0, 0]), level, TILTED);
      const between = [...along, 1].map(value => value * Math.SQRT1_2);
      expectClose(curvatureAlong(axes, between), (0.1 * level + 2 * 0.05 * level + level) / 2, TILTED);
    }
    // A look that shows no curvature less than across is not believed beyond its noise, and one that does without doubt
    // is.
    const even = lookAt({ a: 0.2, b: 0, c: 0.2, m: 0 });
    expect(curvatureAlong(at(1e-9, even), [...along, 0])).to.be.closeTo(0.2, 1e-6);
  });
});
