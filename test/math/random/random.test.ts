import { expect } from 'chai';
import { integerBelow, type Random, rademacher, uniform, uniformBetween } from '../../../src/math/random/random.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import {
  chiSquare,
  chiSquareThreshold,
  draws,
  ksDistance,
  ksThreshold,
  mean,
  meanThreshold,
} from '../../support/statistics.ts';

const always = (word: number): Random => ({ isSecure: false, word: () => word });

describe('uniform', () => {
  it('stays inside (0, 1) at both ends of the words', () => {
    expect(uniform(always(0))).to.equal(2 ** -53);
    expect(uniform(always(0xffffffff))).to.equal(1 - 2 ** -53);
  });

  it('has the uniform law', () => {
    const random = seeded(1, 'uniform');
    const sample = draws(1e5, () => uniform(random));
    expect(ksDistance(sample, x => x)).to.be.below(ksThreshold(1e5));
  });

  it('uses every bit of its grid', () => {
    const random = seeded(1, 'uniform bits');
    const ones = new Array<number>(52).fill(0);
    for (let i = 0; i < 1e4; i++) {
      const bits = BigInt(uniform(random) * 2 ** 53) >> 1n;
      for (let bit = 0; bit < 52; bit++) ones[bit]! += Number((bits >> BigInt(bit)) & 1n);
    }
    for (const count of ones) expect(count / 1e4).to.be.closeTo(1 / 2, meanThreshold(1e4, 1));
  });
});

describe('uniformBetween', () => {
  it('is uniform on its interval', () => {
    const random = seeded(1, 'uniformBetween');
    const sample = draws(1e5, () => uniformBetween(random, -3, 5));
    expect(ksDistance(sample, x => (x + 3) / 8)).to.be.below(ksThreshold(1e5));
  });
});

describe('rademacher', () => {
  it('is a fair sign', () => {
    const random = seeded(1, 'rademacher');
    const sample = draws(1e5, () => rademacher(random));
    expect(new Set(sample)).to.deep.equal(new Set([-1, 1]));
    expect(mean(sample)).to.be.closeTo(0, meanThreshold(1e5, 2));
  });
});

describe('integerBelow', () => {
  for (const bound of [2, 3, 5, 6, 7, 64, 100]) {
    it(`has each of ${bound} values as often`, () => {
      const random = seeded(1, `below ${bound}`);
      const counts = new Float64Array(bound);
      for (let i = 0; i < 1e5; i++) counts[integerBelow(random, bound)]! += 1;
      expect(
        chiSquare(
          counts,
          counts.map(() => 1 / bound),
        ),
      ).to.be.below(chiSquareThreshold(bound - 1));
    });
  }

  for (const bound of [2 ** 31 + 1, 2 ** 32, 2 ** 32 + 1, 3 * 2 ** 40, 2 ** 53 - 1, 2 ** 53]) {
    it(`is uniform below ${bound}, in its high bits and in its low ones`, () => {
      const random = seeded(1, `below ${bound}`);
      const sample = draws(1e5, () => integerBelow(random, bound));
      expect(sample.every(x => Number.isInteger(x) && x >= 0 && x < bound)).to.equal(true);
      expect(ksDistance(sample, x => x / bound)).to.be.below(ksThreshold(1e5) + 2 ** -31);
      const low = new Float64Array(8);
      for (const x of sample) low[x % 8]! += 1;
      expect(
        chiSquare(
          low,
          low.map(() => 1 / 8),
        ),
      ).to.be.below(chiSquareThreshold(7));
    });
  }

  it('draws nothing where there is nothing to choose', () => {
    const none: Random = { isSecure: false, word: () => expect.fail('a word was drawn') };
    expect(integerBelow(none, 1)).to.equal(0);
  });

  it('draws again what is too large, and reaches both ends', () => {
    const words = (...given: number[]): Random => ({ isSecure: false, word: () => given.shift()! });
    expect(integerBelow(words(0xffffffff, 0xbfffffff), 3)).to.equal(2);
    expect(integerBelow(words(0), 3)).to.equal(0);
    expect(integerBelow(words(0xffffffff, 0, 0x80000000, 1, 0x80000000, 0), 2 ** 32 + 1)).to.equal(2 ** 32);
    expect(integerBelow(words(0xffffffff, 0xffffffff), 2 ** 53)).to.equal(2 ** 53 - 1);
  });
});
