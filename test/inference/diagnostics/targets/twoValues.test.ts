import { expect } from 'chai';
import { twoValues } from '../../../../src/inference/diagnostics/targets/targetValues.ts';

const batchOf = (...target: number[]) => ({ rows: target.length, target: Float64Array.from(target) });
const ten = batchOf(2, 1, 1, 2, 2, 1, 2, 1, 2, 2);

describe('twoValues', () => {
  it('has the smaller one first', () => {
    expect(twoValues(ten)).to.deep.equal([1, 2]);
    expect(twoValues(batchOf(-1, 1, 1, 1, 1, 1, 1, 1, 1, 1))).to.deep.equal([-1, 1]);
  });

  it('is null of one value, of three, and of few rows', () => {
    expect(twoValues(batchOf(...new Float64Array(10)))).to.equal(null);
    expect(twoValues(batchOf(...ten.target, 3))).to.equal(null);
    expect(twoValues(batchOf(1, 2, 1))).to.equal(null);
    expect(twoValues(batchOf())).to.equal(null);
  });

  it('does not look at rows that do not count', () => {
    const batch = batchOf(...ten.target, 0);
    expect(twoValues({ ...batch, weights: new Float64Array(11).fill(1).with(10, 0) })).to.deep.equal([1, 2]);
  });
});
