import { expect } from 'chai';
import { bernoulliExp } from '../../../src/math/random/discreteGaussian.ts';
import type { Random } from '../../../src/math/random/random.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { draws, mean, meanThreshold } from '../../support/statistics.ts';

describe('bernoulliExp', () => {
  // False alarms: 1e-9 for each of the eleven laws.
  for (const [numerator, denominator] of [
    [1, 1],
    [1, 2],
    [2, 3],
    [3, 3],
    [1, 1000],
    [4, 3],
    [7, 2],
    [24, 8],
    [2 ** 20 - 1, 2 ** 20],
    [2 ** 40 - 1, 2 ** 41],
    [2 ** 52 + 1, 2 ** 53 - 1],
  ] as const) {
    it(`is true with probability exp(-${numerator}/${denominator})`, () => {
      const random = seeded(1, `exp(-${numerator}/${denominator})`);
      const share = mean(draws(400_000, () => Number(bernoulliExp(random, numerator, denominator))));
      expect(share).to.be.closeTo(Math.exp(-numerator / denominator), meanThreshold(400_000, 1));
    });
  }

  it('is always true for 0, and draws at most what one comparison takes', () => {
    let drawn = 0;
    const random: Random = { isSecure: false, word: () => drawn++ };
    for (let i = 0; i < 100; i++) expect(bernoulliExp(random, 0, 2 ** 20)).to.equal(true);
    expect(drawn).to.equal(100);
  });

  it('gives up at the first trial that fails, however large the exponent', () => {
    let drawn = 0;
    const random = seeded(1, 'large exponent');
    const counted: Random = {
      isSecure: false,
      word() {
        drawn++;
        return random.word();
      },
    };
    for (let i = 0; i < 1000; i++) expect(bernoulliExp(counted, 2 ** 52, 3)).to.equal(false);
    expect(drawn).to.be.below(10_000);
  });
});
