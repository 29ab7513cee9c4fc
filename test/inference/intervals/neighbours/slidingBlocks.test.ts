import { expect } from 'chai';
import { slidingSums } from '../../../../src/inference/intervals/neighbours/dependence.ts';

/** Of every way to choose the signs of values. */
function overSigns(sizes: readonly number[], width: number) {
  const pairs = sizes.reduce((sum, a, i) => sum + sizes.reduce((s, b, j) => s + (i === j ? 0 : (a * b) ** 2), 0), 0);
  return Array.from({ length: 2 ** sizes.length }, (_, signs) => {
    const values = Float64Array.from(sizes, (size, i) => ((signs >> i) & 1 ? size : -size));
    const squares = values.map(value => value * value);
    return {
      values,
      sum: slidingSums(values, squares, 0, [width])[0]!,
      usual: slidingSums(values, squares, pairs, [width])[0]!,
    };
  });
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

describe('slidingSums', () => {
  const sizes = [1, 3, 0.5, 2, 2, 0.1, 4, 1, 1.5];

  it('are those of all blocks of so many neighbours, in units of one less', () => {
    for (const width of [2, 4, 8]) {
      const { values, sum } = overSigns(sizes, width)[77]!;
      // Blocks reach over both ends, so that every pair of one distance is in as many of them.
      let above = 0;
      for (let first = 1 - width; first < values.length; first++) {
        const block = values.slice(Math.max(0, first), Math.max(0, first + width));
        above += block.reduce((s, v) => s + v, 0) ** 2 - block.reduce((s, v) => s + v * v, 0);
      }
      expect(sum.above).to.be.closeTo(above / (width - 1), 1e-9);
    }
  });

  it('have the moments that independent signs give them', () => {
    for (const width of [2, 4, 8]) {
      const all = overSigns(sizes, width).map(({ sum }) => sum);
      const { variance, skewness } = all[0]!;
      expect(meanOf(all.map(({ above }) => above))).to.be.closeTo(0, 1e-9);
      expect(meanOf(all.map(({ above }) => above ** 2))).to.be.closeTo(variance, 1e-8 * variance);
      expect(meanOf(all.map(({ above }) => above ** 3)) / variance ** 1.5).to.be.closeTo(skewness(), 1e-8);
    }
  });

  it('have at least the variance of such rows in any order', () => {
    // The two that count are never within two rows of each other.
    const { sum, usual } = overSigns([5, 0.1, 0.1, 0.1, 5], 2)[0]!;
    expect(usual.variance).to.be.above(100 * sum.variance);
    expect(usual.variance).to.be.closeTo((4 * 4 * 2 * 625) / 20, 10);
  });
});
