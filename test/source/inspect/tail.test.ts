import { expect } from 'chai';
import { normal } from '../../../src/math/random/normal.ts';
import { type Random, uniform } from '../../../src/math/random/random.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { studentT } from '../../../src/math/random/studentT.ts';
import { type Tail, tailWatch } from '../../../src/source/inspect/tail.ts';

type Draw = (random: Random) => number;

function tailOf(draw: Draw, rows: number, { seed = 1, median = 0 } = {}): Tail | null {
  const random = seeded(seed, 'tail');
  const watch = tailWatch();
  for (let i = 0; i < rows; i++) watch.add(draw(random));
  return watch.tail(median);
}

/** P(|x| > t) = t^-index, with a random sign. */
const pareto =
  (index: number): Draw =>
  random =>
    (random.word() & 1 ? 1 : -1) * uniform(random) ** (-1 / index);
const exponential: Draw = random => -Math.log(uniform(random));
const seeds = Array.from({ length: 20 }, (_, seed) => seed);

describe('tailWatch', () => {
  it("is Hill's estimate: within five standard errors of the index of a Pareto tail", () => {
    for (const index of [0.5, 1.5, 3, 8]) {
      const error = 5 / Math.sqrt(500);
      expect(tailOf(pareto(index), 50_000)!.index).to.be.within(index / (1 + error), index / (1 - error));
    }
  });

  it('measures distances from the median, wherever it is', () => {
    const there = tailOf(random => 1e6 + pareto(2)(random), 50_000, { median: 1e6 })!;
    expect(there.index).to.be.closeTo(tailOf(pareto(2), 50_000)!.index, 1e-6);
  });

  it('sees a tail on one side only', () => {
    for (const sign of [1, -1]) {
      const { index, weight } = tailOf(random => sign * Math.abs(pareto(2)(random)), 50_000)!;
      expect(weight).to.equal('heavy');
      expect(index).to.be.within(1.6, 2.6);
    }
  });

  it("calls Student's t of up to 2.5 degrees heavy, from a few thousand rows on", () => {
    for (const degrees of [1, 2, 2.5]) {
      const found = seeds.map(seed => tailOf(random => studentT(random, degrees), 20_000, { seed })!.weight);
      expect(found.filter(weight => weight === 'heavy').length, `t${degrees}`).to.be.at.least(18);
    }
  });

  it('calls the normal, the uniform and the exponential law light, whatever the number of rows', () => {
    for (const draw of [normal, uniform, exponential]) {
      for (const rows of [1000, 5000, 50_000]) {
        const found = seeds.map(seed => tailOf(draw, rows, { seed, median: 0.5 })!.weight);
        expect(found.filter(weight => weight === 'light').length).to.be.at.least(19);
      }
    }
  });

  it('calls a tail that ends light, though much of it lies far out', () => {
    // As distances of flights: a few in a thousand go to islands, and none beyond.
    const islands: Draw = random => (uniform(random) < 0.004 ? 4000 + 1000 * uniform(random) : 2000 * uniform(random));
    expect(tailOf(islands, 100_000, { median: 1000 })!).to.have.property('weight', 'light');
    expect(tailOf(islands, 100_000, { median: 1000 })!.index).to.be.below(4);
  });

  it('does not judge fewer than 1,000 values, nor values that are nearly all equal', () => {
    expect(tailOf(pareto(1), 999)).to.equal(null);
    expect(tailOf(pareto(1), 1000)).to.not.equal(null);
    expect(tailOf(() => 3, 5000, { median: 3 })).to.equal(null);
    expect(tailOf(random => (uniform(random) < 0.002 ? 5 : 0), 5000)).to.equal(null);
  });

  it('calls two values light', () => {
    expect(tailOf(random => (uniform(random) < 0.5 ? 1 : 0), 5000)).to.deep.equal({
      index: Infinity,
      weight: 'light',
    });
  });
});
