import { expect } from 'chai';
import { isLongTail } from '../../src/pilot/isLongTail.ts';
import { studyPilot } from '../../src/pilot/studyPilot.ts';
import { normal } from '../../src/random/normal.ts';
import { type Random, uniform } from '../../src/random/random.ts';
import { seeded } from '../../src/random/seeded.ts';
import { sampleBatch } from '../../src/sample/sampleBatch.ts';

type Noise = (random: Random, x: number) => number;

const outliers =
  (share: number, place: (random: Random) => number): Noise =>
  random =>
    normal(random) + (uniform(random) < share ? place(random) : 0);

const exponential = (random: Random): number => -Math.log(1 - uniform(random));

/** The loss that rows of slope 1 and such noise get, and their slope. */
function studied(
  noise: Noise,
  rows: number,
  seed: number,
): { readonly loss: string; readonly slope: number } {
  const random = seeded(`long side ${seed}`, 'rows');
  const x = Float64Array.from({ length: rows }, () => normal(random));
  const z = Float64Array.from({ length: rows }, () => normal(random));
  const y = x.map((value, i) => value + z[i]! + noise(random, value));
  const {
    estimate: { loss, theta: start },
  } = studyPilot(sampleBatch([x, z], y), { loss: 'auto', intercept: true });
  return { loss: loss.name, slope: start[0]! };
}

const seeds = Array.from({ length: 20 }, (_, seed) => seed);
const countsAll = (noise: Noise, rows: number): number =>
  seeds.filter(seed => studied(noise, rows, seed).loss === 'pseudo-huber').length;

describe('isLongSide', () => {
  const drawn = (noise: Noise): Float64Array => {
    const random = seeded('longSide', 'noise');
    return Float64Array.from({ length: 5000 }, () => noise(random, 0));
  };
  /** Around the median, in scales of the median deviation. */
  const isLong = (noise: Noise): boolean => {
    const values = drawn(noise);
    const middle = (of: Float64Array): number => of.slice().sort()[of.length / 2]!;
    const centre = middle(values);
    const residuals = values.map(value => value - centre);
    const scale = 1.4826 * middle(residuals.map(Math.abs));
    return isLongTail(residuals, scale, new Float64Array(residuals.length).fill(1));
  };

  it('sees the long side of skewed laws, whichever it is', () => {
    expect(isLong(exponential)).to.equal(true);
    expect(isLong(random => Math.exp(normal(random)))).to.equal(true);
    expect(isLong(random => Math.exp(1.5 * normal(random)))).to.equal(true);
    expect(isLong(random => -exponential(random))).to.equal(true);
  });

  it('counts rows as often as they count', () => {
    const residuals = Float64Array.from({ length: 80 }, (_, i) => (i < 40 ? 3 : -3));
    const weights = residuals.map(residual => (residual > 0 ? 1 : 1e-6));
    expect(isLongTail(residuals, 1, weights)).to.equal(true);
    expect(isLongTail(residuals, 1, weights.fill(1))).to.equal(false);
  });

  it('is not turned by a row or two beyond, on either side', () => {
    const near = Array.from({ length: 40 }, () => 3);
    for (const beyond of [[], [5], [5, 6], [-5], [-5, 9], [-5, -6]]) {
      const residuals = Float64Array.from([...near, ...beyond]);
      expect(
        isLongTail(
          residuals,
          1,
          residuals.map(() => 1),
        ),
        `${beyond}`,
      ).to.equal(true);
    }
  });

  it('sees none in symmetric noise, however long its tails', () => {
    expect(isLong(normal)).to.equal(false);
    expect(isLong(random => normal(random) / Math.abs(normal(random)))).to.equal(false);
  });

  it('sees none in outliers, near or far, together or strewn', () => {
    expect(isLong(outliers(0.1, () => 8))).to.equal(false);
    expect(isLong(outliers(0.05, () => -30))).to.equal(false);
    expect(isLong(outliers(0.1, random => 30 * uniform(random)))).to.equal(false);
    expect(isLong(outliers(0.1, random => 10 * exponential(random)))).to.equal(false);
  });
});

describe('the loss of rows with a long side', () => {
  it('counts every row where slopes depend on it, in every sample, so that no row turns the choice', () => {
    const growing: Noise = (random, x) => Math.exp(0.5 * x) * Math.exp(normal(random));
    for (const rows of [600, 2000]) expect(countsAll(growing, rows)).to.equal(seeds.length);
    const slopes = seeds.map(seed => studied(growing, 2000, seed).slope);
    // 1.5 by pseudo-Huber's loss; 1.3 by Tukey's. A slope's own error is 0.04.
    for (const slope of slopes) expect(slope).to.be.within(1.35, 1.7);
  });

  it('stays as it was where slopes do not depend on it', () => {
    // By chance in one sample of a hundred.
    expect(countsAll(exponential, 2000)).to.be.at.most(2);
    expect(countsAll(normal, 2000)).to.be.at.most(2);
  });

  it('leaves outliers out, also where they are on one side of a feature alone', () => {
    const onOneSide: Noise = (random, x) =>
      normal(random) + (x > 0 && uniform(random) < 0.2 ? 30 * uniform(random) : 0);
    expect(countsAll(onOneSide, 2000)).to.equal(0);
    expect(
      countsAll(
        outliers(0.1, () => 30),
        2000,
      ),
    ).to.equal(0);
    for (const seed of seeds) expect(studied(onOneSide, 2000, seed).slope).to.be.within(0.85, 1.15);
  });
});
