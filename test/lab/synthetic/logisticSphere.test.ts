import { expect } from 'chai';
import { logisticSphere } from '../../../src/lab/synthetic/logisticSphere.ts';

describe('logisticSphere', () => {
  it('has lambda_min = lambda_max = 1/2, and targets that follow theta* = (1, 1)', () => {
    const { batch, truth } = logisticSphere(40_000, 1);
    expect([...truth]).to.deep.equal([1, 1]);
    const [x, y] = batch.columns as [Float64Array, Float64Array];
    const mean = (term: (i: number) => number): number => x.reduce((sum, _, i) => sum + term(i), 0) / x.length;
    expect(mean(i => x[i]! ** 2)).to.be.closeTo(1 / 2, 0.01);
    expect(mean(i => x[i]! * y[i]!)).to.be.closeTo(0, 0.01);
    // The gradient of the risk is 0 at theta*.
    for (const column of [x, y]) {
      const gradient = mean(i => (1 / (1 + Math.exp(-x[i]! - y[i]!)) - batch.target[i]!) * column[i]!);
      expect(gradient).to.be.closeTo(0, 0.01);
    }
  });

  it('begins with the rows of a smaller sample', () => {
    const [few, many] = [logisticSphere(50, 2).batch, logisticSphere(80, 2).batch];
    expect([...many.target.subarray(0, 50)]).to.deep.equal([...few.target]);
    expect([...many.columns[1]!.subarray(0, 50)]).to.deep.equal([...few.columns[1]!]);
  });
});
