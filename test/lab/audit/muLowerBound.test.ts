import { expect } from 'chai';
import { ArgumentError } from '../../../src/errors.ts';
import { muLowerBound } from '../../../src/lab/audit/drawNoise.ts';
import { normal } from '../../../src/math/random/normal.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { normalCdf } from '../../support/statistics.ts';

describe('muLowerBound', () => {
  it('lies where Chernoff puts the share of mistakes', () => {
    for (const [draws, mistakes] of [
      [10_000, 4000],
      [1000, 1],
      [1000, 0],
      [50, 3],
    ] as const) {
      const bound = muLowerBound({ draws, mistakes }, 1e-3);
      const rate = normalCdf(-bound / 2);
      const seen = mistakes / draws;
      const divergence =
        (seen === 0 ? 0 : seen * Math.log(seen / rate)) + (1 - seen) * Math.log((1 - seen) / (1 - rate));
      expect(draws * divergence).to.be.closeTo(Math.log(1e3), 1e-8);
    }
  });

  it('grows to the true mu with the draws, and never beyond, but for one time in a billion', () => {
    const random = seeded(1, 'mu');
    for (const mu of [0.2, 1, 3]) {
      let mistakes = 0;
      const bounds: number[] = [];
      for (let draws = 1; draws <= 200_000; draws++) {
        const isSecond = draws % 2 === 0;
        if (normal(random) + (isSecond ? mu : 0) > mu / 2 !== isSecond) mistakes++;
        if ([2000, 20_000, 200_000].includes(draws)) bounds.push(muLowerBound({ draws, mistakes }, 1e-9));
      }
      expect(bounds[0]).to.be.below(bounds[1]!);
      expect(bounds[1]).to.be.below(bounds[2]!);
      expect(bounds[2]).to.be.within(mu - 0.1, mu);
    }
  });

  it('is 0 where the test does no better than a coin', () => {
    for (const mistakes of [50, 49, 100]) {
      expect(muLowerBound({ draws: 100, mistakes }, 1e-9)).to.equal(0);
    }
  });

  it('refuses counts that are none', () => {
    expect(() => muLowerBound({ draws: 0, mistakes: 0 }, 0.1)).to.throw(ArgumentError, 'draws');
    expect(() => muLowerBound({ draws: 5, mistakes: 6 }, 0.1)).to.throw(ArgumentError, 'mistakes');
    expect(() => muLowerBound({ draws: 5, mistakes: 1 }, 1)).to.throw(ArgumentError, 'falseAlarm');
  });
});
