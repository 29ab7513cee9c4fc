import { expect } from 'chai';
import fc from 'fast-check';
import { ArgumentError } from '../../../src/errors.ts';
import type { Random } from '../../../src/math/random/random.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { truncatedNormal } from '../../../src/math/random/truncatedNormal.ts';
import { draws, ksDistance, ksThreshold, normalCdf, truncatedNormalCdf } from '../../support/statistics.ts';

const COUNT = 2e4;

describe('truncatedNormal', () => {
  for (const [low, high] of [
    [-Infinity, Infinity],
    [-Infinity, 1],
    [-0.001, Infinity],
    [-2, 3],
    [-0.5, 0.6],
    [-1, 1e-9],
    [-3, -1],
  ] as const) {
    it(`has the law of a normal in [${low}, ${high}]`, () => {
      const sample = sampleOf(low, high);
      const [from, to] = [low, high].map(end => (Number.isFinite(end) ? normalCdf(end) : Number(end > 0)));
      expect(ksDistance(sample, x => (normalCdf(x) - from!) / (to! - from!))).to.be.below(ksThreshold(COUNT));
    });
  }

  for (const [low, high] of [
    [0, Infinity],
    [0, 1.59],
    [2, 2.5],
    [3, Infinity],
    [10, 10.05],
    [10, 10.3],
    [38, Infinity],
    [1e6, Infinity],
    [1e6, 1e6 + 1e-7],
  ] as const) {
    it(`has the law of the tail in [${low}, ${high}], and its mirror image`, () => {
      const cdf = truncatedNormalCdf(low, high);
      expect(ksDistance(sampleOf(low, high), cdf)).to.be.below(ksThreshold(COUNT) + rounding(low));
      expect(
        ksDistance(
          sampleOf(-high, -low).map(x => -x),
          cdf,
        ),
      ).to.be.below(ksThreshold(COUNT) + rounding(low));
    });
  }

  it('stays in its interval and needs few words, wherever that is', () => {
    const end = fc.oneof(fc.double({ noNaN: true }), fc.double({ min: -50, max: 50, noNaN: true }), fc.constant(0));
    fc.assert(
      fc.property(end, end, fc.integer(), (a, b, seed) => {
        fc.pre(a !== b);
        const [low, high] = [Math.min(a, b), Math.max(a, b)];
        const random = counting(seeded(seed, 'interval'));
        for (let i = 0; i < 10; i++) {
          expect(truncatedNormal(random, low, high)).to.satisfy((x: number) => low <= x && x <= high);
        }
        // A draw is accepted with probability above 1/3 and costs at most 4 words and a wedge or two:
        // 10 draws need more than 2,000 words with probability below 1e-60.
        expect(random.count()).to.be.below(2000);
      }),
      { numRuns: 2000 },
    );
  });

  it('refuses an empty interval', () => {
    const random = seeded(1, 'x');
    expect(() => truncatedNormal(random, 2, 2)).to.throw(ArgumentError, 'low must be below high = 2, got 2');
    expect(() => truncatedNormal(random, 3, 2)).to.throw(ArgumentError, 'low must be below high = 2, got 3');
    expect(() => truncatedNormal(random, NaN, 2)).to.throw(ArgumentError, 'low must be below high = 2, got NaN');
    expect(() => truncatedNormal(random, 0, NaN)).to.throw(ArgumentError, 'low must be below high = NaN, got 0');
  });
});

function sampleOf(low: number, high: number): Float64Array {
  const random = seeded(1, `truncatedNormal ${low} ${high}`);
  return draws(COUNT, () => truncatedNormal(random, low, high));
}

/** Far out the doubles themselves are a grid: one spacing, as a share of the law's scale 1/low. */
const rounding = (low: number): number => low * low * 2 ** -52;

function counting(random: Random): Random & { count(): number } {
  let count = 0;
  return {
    isSecure: false,
    word() {
      count += 1;
      return random.word();
    },
    count: () => count,
  };
}
