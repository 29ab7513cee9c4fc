import { expect } from 'chai';
import { tailAverage } from '../../../pipelines/beyond/tailAverage.ts';

const points = (...values: number[]) => values.map(value => Float64Array.of(value, -value));

describe('tailAverage', () => {
  it('is the mean of the last half', () => {
    expect([...tailAverage(points(100, 200, 1, 3))]).to.deep.equal([2, -2]);
  });

  it('keeps the one in the middle of an odd number', () => {
    expect([...tailAverage(points(100, 1, 3))]).to.deep.equal([2, -2]);
  });

  it('of one iterate is that iterate', () => {
    expect([...tailAverage(points(5))]).to.deep.equal([5, -5]);
  });
});
