import { expect } from 'chai';
import { ArgumentError } from '../../../src/errors.ts';
import { columnDraws } from '../../../src/lab/synthetic/columnDraws.ts';
import {
  heavyTailedResponse,
  logisticResponse,
  type Response,
  signResponse,
} from '../../../src/lab/synthetic/covariates.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { columnArena } from '../../../src/sample/arena.ts';
import { ksDistance, ksThreshold, mean, meanThreshold, studentCdf } from '../../support/statistics.ts';

const COUNT = 1e5;

/** The targets of COUNT rows of one score. */
function targets(response: Response, score: number): Float64Array {
  const arena = columnArena({ features: 1, capacity: COUNT, slots: 1 });
  const { target } = arena.slots[0]!;
  response(columnDraws(arena).begin(seeded(1, `response ${score}`)), target.fill(score));
  return target;
}

describe('heavyTailedResponse', () => {
  it('adds noise of Student’s t to the score', () => {
    for (const degrees of [1, 3]) {
      const noise = targets(heavyTailedResponse(degrees), 2).map(y => y - 2);
      expect(ksDistance(noise, studentCdf(degrees))).to.be.below(ksThreshold(COUNT));
    }
  });

  it('refuses degrees that are no whole number', () => {
    expect(() => heavyTailedResponse(2.5)).to.throw(
      ArgumentError,
      'degrees must be a whole number of at least 1, got 2.5',
    );
  });
});

describe('logisticResponse', () => {
  for (const score of [-1000, -2, 0, 1.5, 1000]) {
    it(`is 1 with probability sigmoid(${score})`, () => {
      const sample = targets(logisticResponse, score);
      expect(sample.every(y => y === 0 || y === 1)).to.equal(true);
      expect(mean(sample)).to.be.closeTo((1 + Math.tanh(score / 2)) / 2, meanThreshold(COUNT, 1));
    });
  }
});

describe('signResponse', () => {
  it('is the sign of the score', () => {
    expect([-3, 0.1].map(score => targets(signResponse, score)[0])).to.deep.equal([-1, 1]);
  });
});
