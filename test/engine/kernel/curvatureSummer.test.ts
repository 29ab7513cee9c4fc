import { expect } from 'chai';
import { type CurvatureRequest, curvatureSummer } from '../../../src/engine/kernel/wholeSummer.ts';
import { ArgumentError } from '../../../src/errors.ts';
import { normal } from '../../../src/math/random/normal.ts';
import { integerBelow } from '../../../src/math/random/random.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { pseudoHuber } from '../../../src/method/loss/pseudoHuber.ts';
import { rowsBetween, type SampleBatch, sampleBatch } from '../../../src/sample/sampleBatch.ts';

const loss = pseudoHuber(0.5);
/** (1 + (r/q)^2)^(-3/2), the derivative of r / sqrt(1 + (r/q)^2). */
const bendAt = (score: number, target: number): number => (1 + ((score - target) / 0.5) ** 2) ** -1.5;
const base: Omit<CurvatureRequest, 'rows'> = {
  loss,
  bend: { at: bendAt, most: 1 },
  lipschitz: 0.5,
  at: Float64Array.of(0.3, -0.4, 0.1),
  along: Float64Array.of(0.6, -0.8),
  intercept: true,
  norm: 3,
  grid: 1e-6,
  squaredNorm: 9e12,
};

function sumsOf(batch: SampleBatch, cuts: readonly number[] = [], other: Partial<CurvatureRequest> = {}): Float64Array {
  const summer = curvatureSummer({ ...base, ...other, rows: batch.rows });
  const ends = [...cuts, batch.rows];
  ends.forEach((end, k) => {
    summer.add(rowsBetween(batch, ends[k - 1] ?? 0, end));
  });
  return summer.finish().sums;
}

const random = seeded('curvatureSummer', 'rows');
const draw = (rows: number): SampleBatch => ({
  ...sampleBatch(
    [0, 1].map(() => Float64Array.from({ length: rows }, () => normal(random))),
    Float64Array.from({ length: rows }, () => normal(random)),
  ),
  weights: Float64Array.from({ length: rows }, () => (integerBelow(random, 10) === 0 ? 0 : 0.5)),
});

/** By the definition, in the grid's steps. */
function byHand({ columns: [a, b], target, weights, rows }: SampleBatch, intercept: boolean): number[] {
  const sums = new Array<number>(intercept ? 8 : 6).fill(0);
  for (let i = 0; i < rows; i++) {
    const z = [a![i]!, b![i]!, ...(intercept ? [1] : [])];
    const score = 0.3 * z[0]! - 0.4 * z[1]! + (intercept ? 0.1 : 0);
    const curve = weights![i]! * bendAt(score, target[i]!);
    const t = 0.6 * z[0]! - 0.8 * z[1]!;
    const slope = weights![i]! * loss.slope(score, target[i]!);
    const row = [
      ...z.map(value => curve * value ** 2),
      curve * t ** 2,
      intercept ? curve * t : 0,
      ...z.map(value => (slope * value) ** 2 / 0.25),
    ];
    const factor = Math.min(1, 3 / Math.hypot(...row));
    row.forEach((value, k) => {
      sums[k]! += (factor * value) / 1e-6;
    });
  }
  return sums;
}

describe('curvatureSummer', () => {
  it('sums curvatures along coordinates and a direction, and the squares of gradients along coordinates, to a few steps of the grid', () => {
    const batch = draw(3000);
    const expected = byHand(batch, true);
    const sums = sumsOf(batch);
    expect(sums).to.have.length(8);
    sums.forEach((sum, k) => {
      expect(sum).to.be.closeTo(expected[k]!, 100);
    });
  });

  it('has no place for an intercept where there is none, and nothing between it and the direction', () => {
    const batch = draw(3000);
    const expected = byHand(batch, false);
    const sums = sumsOf(batch, [], { intercept: false, at: base.at.subarray(0, 2) });
    expect(sums).to.have.length(6);
    expect(sums[3]).to.equal(0);
    sums.forEach((sum, k) => {
      expect(sum).to.be.closeTo(expected[k]!, 100);
    });
  });

  it('has the same sums in batches of any size', () => {
    const batch = draw(2500);
    expect(sumsOf(batch, [1, 7, 1024, 1025])).to.deep.equal(sumsOf(batch));
  });

  it('holds every row to its norm exactly, whatever it holds', () => {
    const odd = [0, 1, -1, 1e-300, 1e-8, 30, 1e8, 1e200, -1e308, Infinity, -Infinity, NaN];
    for (const x of odd)
      for (const z of odd)
        for (const y of odd)
          for (const weight of [0, 1e-9, 1, 1e9]) {
            const batch = {
              ...sampleBatch([Float64Array.of(x), Float64Array.of(z)], Float64Array.of(y)),
              weights: Float64Array.of(weight),
            };
            const whole = [...sumsOf(batch)].map(BigInt);
            const square = whole.reduce((sum, value) => sum + value ** 2n, 0n);
            expect(square <= 9_000_000_000_000n, `${x} ${z} ${y} ${weight}`).to.equal(true);
          }
  });

  it('refuses a direction of another size, and too few rows', () => {
    expect(() => curvatureSummer({ ...base, along: Float64Array.of(1), rows: 10 })).to.throw(ArgumentError, 'along');
    expect(() => curvatureSummer({ ...base, rows: 10 }).finish()).to.throw(ArgumentError);
  });
});
