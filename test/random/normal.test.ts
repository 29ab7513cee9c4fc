import { expect } from 'chai';
import { normal } from '../../src/random/normal.ts';
import { seeded } from '../../src/random/seeded.ts';
import {
  chiSquare,
  chiSquareThreshold,
  draws,
  ksDistance,
  ksThreshold,
  normalCdf,
  truncatedNormalCdf,
} from '../support/statistics.ts';

describe('normal', () => {
  it('has the normal law', () => {
    const random = seeded(1, 'normal');
    const sample = draws(1e6, () => normal(random));
    expect(ksDistance(sample, normalCdf)).to.be.below(ksThreshold(1e6));
  });

  it('fills every cell of a fine histogram evenly, wedges of the ziggurat and tail included', () => {
    const random = seeded(1, 'normal histogram');
    const [cells, width, count] = [800, 0.01, 1e7];
    const counts = new Float64Array(cells + 2);
    for (let i = 0; i < count; i++) {
      const cell = 1 + Math.floor(normal(random) / width + cells / 2);
      counts[Math.max(0, Math.min(cells + 1, cell))]! += 1;
    }
    const below = Array.from({ length: cells + 1 }, (_, i) => normalCdf((i - cells / 2) * width));
    const probabilities = [...below, 1].map((share, i) => share - (below[i - 1] ?? 0));
    expect(chiSquare(counts, probabilities)).to.be.below(chiSquareThreshold(cells + 1));
  });

  it('has the exact tail beyond the ziggurat, on both sides', () => {
    const random = seeded(1, 'normal tail');
    const start = 3.654152885361009;
    const tails = draws(5000, () => {
      let x = 0;
      while (Math.abs(x) < start) x = normal(random);
      return x;
    });
    const positive = tails.filter(x => x > 0).length;
    expect(ksDistance(tails.map(Math.abs), truncatedNormalCdf(start, Infinity))).to.be.below(
      ksThreshold(tails.length),
    );
    expect(positive / tails.length).to.be.closeTo(1 / 2, ksThreshold(tails.length));
  });

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
