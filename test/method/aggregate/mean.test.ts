import { expect } from 'chai';
import { mean } from '../../../src/method/aggregate/mean.ts';
import { checkAggregator } from '../../laws/checkAggregator.ts';

checkAggregator('mean', mean, { sensitivity: (lipschitz, rows) => (2 * lipschitz) / rows });

describe('mean', () => {
  it('is the sum of all blocks over all rows', () => {
    const { values } = mean().aggregate({
      sums: Float64Array.of(1, 20, 3, 40, 8, 60),
      blocks: 3,
      rowsPerBlock: 2,
      privacy: 'raw',
    });
    expect(values).to.deep.equal(Float64Array.of(2, 20));
    expect(mean().name).to.equal('mean');
  });

  it('follows a single block wherever it goes', () => {
    const sums = Float64Array.of(0, 0, 0, 0, 4e12);
    expect(mean().aggregate({ sums, blocks: 5, rowsPerBlock: 1, privacy: 'raw' }).values[0]).to.equal(8e11);
  });
});
