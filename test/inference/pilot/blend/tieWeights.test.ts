import { expect } from 'chai';
import { tieWeights } from '../../../../src/inference/pilot/blend/tieWeights.ts';

const ones = (rows: number): Float64Array => new Float64Array(rows).fill(1);

describe('tieWeights', () => {
  it('counts all rows alike where no targets are equal', () => {
    expect(tieWeights(Float64Array.of(1, 2, 3), ones(3))).to.deep.equal({ counts: ones(3), widening: 1 });
  });

  it('gives no value more than half, and widens scales by the share of the commonest', () => {
    const { counts, widening } = tieWeights(Float64Array.of(0, 0, 0, 0, 0, 0, 0, 0, 5, 6), ones(10));
    expect([...counts].map(count => Number(count.toFixed(9)))).to.deep.equal([...Array(8).fill(0.2), 1, 1]);
    expect(widening).to.be.closeTo((1 - 0.64) ** -4, 1e-9);
  });

  it('bounds the weight of a single row as well', () => {
    const { counts } = tieWeights(Float64Array.of(1, 2, 3, 4), Float64Array.of(97, 1, 1, 1));
    expect(counts[0]! / counts.reduce((sum, count) => sum + count, 0)).to.be.below(0.5);
  });

  it('leaves nothing to count where all targets are equal', () => {
    expect(tieWeights(ones(5), ones(5)).counts.every(count => count === 0)).to.equal(true);
  });
});
