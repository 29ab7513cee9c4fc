import { expect } from 'chai';
import { normal } from '../../../src/math/random/normal.ts';
import type { Random } from '../../../src/math/random/random.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import {
  chiSquare,
  chiSquareThreshold,
  draws,
  ksDistance,
  ksThreshold,
  normalCdf,
  truncatedNormalCdf,
} from '../../support/statistics.ts';

const R = 3.654152885361009;

describe('normal', () => {
  it('has the normal law', () => {
    const random = seeded(1, 'normal');
    const sample = draws(1e6, () => normal(random));
    expect(ksDistance(sample, normalCdf)).to.be.below(ksThreshold(1e6));
  });

  it('has the normal law inside each step of its ziggurat', () => {
    const random = seeded(1, 'normal steps');
    const halves = halfSteps();
    const counts = new Float64Array(halves.length);
    for (let i = 0; i < 1e7; i++) counts[lastAtMost(halves, Math.abs(normal(random)))]! += 1;
    const shares = halves.map((x, i) => 2 * (i + 1 < halves.length ? normalCdf(halves[i + 1]!) : 1) - 2 * normalCdf(x));
    expect(chiSquare(counts, shares)).to.be.below(chiSquareThreshold(halves.length - 1));

    // A law with steps has too many draws in the outer half of every step: summed up, a small excess shows.
    let [excess, variance] = [0, 0];
    for (let i = 0; i + 1 < halves.length; i += 2) {
      const inStep = counts[i]! + counts[i + 1]!;
      const outer = shares[i + 1]! / (shares[i]! + shares[i + 1]!);
      excess += counts[i + 1]! - inStep * outer;
      variance += inStep * outer * (1 - outer);
    }
    expect(Math.abs(excess)).to.be.below(7 * Math.sqrt(variance));
  });

  for (const [side, words] of [
    [1, [0x7fffff00, 0xffffffff]],
    [-1, [0x80000000, 0]],
  ] as const) {
    it(`has the exact tail beyond the ziggurat on the side of ${side}`, () => {
      const random = seeded(1, 'normal tail');
      const tail = draws(1e5, () => side * normal(after(words, random)));
      expect(Math.min(...tail.subarray(0, 1000))).to.be.above(R);
      expect(ksDistance(tail, truncatedNormalCdf(R, Infinity))).to.be.below(ksThreshold(1e5));
    });
  }

  it('repeats no value in a million: it is not on a grid of 32 bits', () => {
    const random = seeded(1, 'normal grid');
    const sample = draws(1e6, () => normal(random)).sort();
    expect(sample.every((x, i) => x !== sample[i + 1])).to.equal(true);
  });

  it('repeats itself for the same stream', () => {
    const [a, b] = [seeded(1, 'same'), seeded(1, 'same')];
    expect(draws(1000, () => normal(a))).to.deep.equal(draws(1000, () => normal(b)));
  });
});

/** The edges of the 256 layers from 0 up to R, and the middles between them. */
function halfSteps(): Float64Array {
  const area = R * Math.exp((-R * R) / 2) + Math.sqrt(2 * Math.PI) * (1 - normalCdf(R));
  const edges = [R];
  for (let x = R; edges.length < 255; edges.push(x)) x = Math.sqrt(-2 * Math.log(area / x + Math.exp((-x * x) / 2)));
  const rising = [0, ...edges.reverse()];
  return Float64Array.from(rising.flatMap((x, i) => (i === 0 ? [x] : [(rising[i - 1]! + x) / 2, x])));
}

function lastAtMost(sorted: Float64Array, x: number): number {
  let [low, high] = [0, sorted.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! <= x) low = middle;
    else high = middle;
  }
  return low;
}

/** The given words first, then those of `random`. */
function after(words: readonly number[], random: Random): Random {
  let next = 0;
  return { isSecure: false, word: () => words[next++] ?? random.word() };
}
