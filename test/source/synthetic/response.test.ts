import { expect } from 'chai';
import { ArgumentError } from '../../../src/math/check.ts';
import { seeded } from '../../../src/random/seeded.ts';
import { linearResponse, logisticResponse, signResponse } from '../../../src/source/synthetic/response.ts';
import { draws, mean, meanThreshold } from '../../support/statistics.ts';

describe('linearResponse', () => {
  it('adds the noise to the score', () => {
    expect(linearResponse(() => 0.5)(seeded(1, 'x'), 2)).to.equal(2.5);
  });

  it('refuses noise that is no function', () => {
    expect(() => linearResponse(3 as never)).to.throw(ArgumentError, 'noise must be a function, got 3');
  });
});

describe('logisticResponse', () => {
  for (const score of [-1000, -2, 0, 1.5, 1000]) {
    it(`is 1 with probability sigmoid(${score})`, () => {
      const random = seeded(1, `logistic ${score}`);
      const sample = draws(1e5, () => logisticResponse(random, score));
      expect(sample.every(y => y === 0 || y === 1)).to.equal(true);
      expect(mean(sample)).to.be.closeTo((1 + Math.tanh(score / 2)) / 2, meanThreshold(1e5, 1));
    });
  }
});

describe('signResponse', () => {
  it('is the sign of the score', () => {
    expect([-3, 0.1].map(score => signResponse(seeded(1, 'x'), score))).to.deep.equal([-1, 1]);
  });
});
