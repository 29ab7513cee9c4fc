import { expect } from 'chai';
import { areTargetsTied } from '../../../../src/inference/pilot/robust/robustEstimate.ts';
import { sampleBatch } from '../../../../src/sample/sampleBatch.ts';

const x = new Float64Array(10);
const batchOf = (...target: number[]) => sampleBatch([x], Float64Array.from(target));

describe('areTargetsTied', () => {
  it('is so where more than half of the rows near the fit have one target', () => {
    const counts = batchOf(0, 0, 0, 0, 0, 0, 1, 2, 1, 3);
    expect(areTargetsTied(counts, counts.target, 0.5)).to.equal(true);
    expect(areTargetsTied(counts, counts.target, 100)).to.equal(true);
    const half = batchOf(0, 0, 0, 0, 0, 1, 2, 3, 4, 5);
    expect(areTargetsTied(half, half.target, 100)).to.equal(false);
    expect(areTargetsTied(half, half.target, 1)).to.equal(true);
  });

  it('does not look at rows far from the fit, which may have one code for what is missing', () => {
    const coded = batchOf(1, 2, 3, 4, -999, -999, -999, -999, -999, -999);
    const residuals = coded.target.map(y => (y === -999 ? 1000 : 0.1));
    expect(areTargetsTied(coded, residuals, 1)).to.equal(false);
  });

  it('counts rows as their weights say', () => {
    const batch = {
      ...batchOf(0, 0, 0, 0, 0, 0, 1, 2, 3, 4),
      weights: Float64Array.of(1, 1, 0, 0, 0, 0, 1, 1, 1, 1),
    };
    expect(areTargetsTied(batch, batch.target, 100)).to.equal(false);
    expect(areTargetsTied({ ...batch, weights: batch.weights.with(0, 9) }, batch.target, 100)).to.equal(true);
  });

  it('takes one row for no tie, however much it counts', () => {
    const batch = { ...batchOf(1, 2, 3, 4, 5, 6, 7, 8, 9, 10), weights: new Float64Array(10).fill(1) };
    const heavy = { ...batch, weights: batch.weights.with(4, 100) };
    expect(areTargetsTied(heavy, new Float64Array(10), 1)).to.equal(false);
  });
});
