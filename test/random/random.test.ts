import { expect } from 'chai';
import { type Random, rademacher, uniform, uniformBetween } from '../../src/random/random.ts';
import { seeded } from '../../src/random/seeded.ts';
import { draws, ksDistance, ksThreshold, mean, meanThreshold } from '../support/statistics.ts';

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
