import { expect } from 'chai';
import { HALF, MOST, mScale } from '../../../../src/inference/pilot/blend/mScale.ts';
import { type BlendRows, rowsAtHand } from '../../../../src/inference/pilot/blend/rowsAtHand.ts';
import { deterministicStarts, sEstimate } from '../../../../src/inference/pilot/blend/sEstimate.ts';
import { normal } from '../../../../src/math/random/normal.ts';
import { seeded } from '../../../../src/math/random/seeded.ts';

const least = 1e-12;

/** Rows on a line of slope 2 but for a share, far out in x and on another line. */
function drawn(rows: number, features: number, share: number, seed: string): BlendRows {
  const random = seeded(seed, 'rows');
  const isOut = Array.from({ length: rows }, (_, i) => i < share * rows);
  const columns = Array.from({ length: features }, () =>
    Float64Array.from(isOut, out => (out ? 10 : 0) + normal(random)),
  );
  const target = Float64Array.from(isOut, (out, i) => {
    const score = columns.reduce((sum, column) => sum + column[i]!, 0);
    return (out ? -2 * score : 2 * score) + 1 + normal(random);
  });
  const ones = new Float64Array(rows).fill(1);
  const size = features + 1;
  const moments = new Float64Array(size * size);
  for (let j = 0; j < size; j++) {
    for (let k = 0; k < size; k++) {
      for (let i = 0; i < rows; i++) moments[j * size + k]! += ((columns[j]?.[i] ?? 1) * (columns[k]?.[i] ?? 1)) / rows;
    }
  }
  return { columns, target, weights: ones, counts: ones, intercept: true, moments };
}

const everyRow = (rows: number): Uint32Array => Uint32Array.from({ length: rows }, (_, i) => i);

describe('sEstimate', () => {
  it('has no larger scale than any line through two rows, and none nearby has a smaller one', () => {
    for (const seed of ['a', 'b', 'c']) {
      const rows = 40;
      const from = drawn(rows, 1, 0.3, seed);
      const [x, y] = [from.columns[0]!, from.target];
      const scaleOf = (slope: number, constant: number, share = MOST): number =>
        mScale(
          y.map((value, i) => value - slope * x[i]! - constant),
          from.counts,
          { rows, wanted: share * (1 - 2 / rows), guess: 1 },
        );
      let brute = Infinity;
      for (let i = 0; i < rows; i++) {
        for (let k = 0; k < i; k++) {
          const slope = (y[i]! - y[k]!) / (x[i]! - x[k]!);
          brute = Math.min(brute, scaleOf(slope, y[i]! - slope * x[i]!));
        }
      }
      const { d, scale } = sEstimate(rowsAtHand(from, everyRow(rows)), [], { elemental: 150, from: 0, least });
      const found = scaleOf(d[0]!, d[1]!);
      expect(found).to.be.at.most(brute * (1 + 1e-4));
      expect(scaleOf(d[0]!, d[1]!, HALF)).to.be.closeTo(scale, 1e-6 * scale);
      for (const [a, b] of [
        [0.02, 0],
        [-0.02, 0],
        [0, 0.02],
        [0, -0.02],
      ] as const) {
        expect(scaleOf(d[0]! + a, d[1]! + b)).to.be.at.least(found * (1 - 1e-3));
      }
    }
  });

  it('finds the line of most rows with many coefficients too, where no set of rows is without outliers', () => {
    const from = drawn(1500, 30, 0.25, 'wide');
    const sample = rowsAtHand(from, everyRow(1500));
    const { d } = sEstimate(sample, deterministicStarts(sample), { elemental: 0, from: 0, least });
    for (const slope of d.subarray(0, 30)) expect(slope).to.be.closeTo(2, 0.3);
  });
});
