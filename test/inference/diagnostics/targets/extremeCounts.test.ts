import { expect } from 'chai';
import { studyPilot } from '../../../../src/inference/pilot/studyPilot.ts';
import { normal } from '../../../../src/math/random/normal.ts';
import { type Random, uniform } from '../../../../src/math/random/random.ts';
import { seeded } from '../../../../src/math/random/seeded.ts';
import { lossByName } from '../../../../src/method/loss/lossByName.ts';
import { sampleBatch } from '../../../../src/sample/sampleBatch.ts';

const loss = lossByName('poisson');

/** Counts whose rate, on average e^(1 + 0.3 x), is drawn once more for every row. */
function counted(seed: number, drawn: (random: Random) => number, wild: readonly number[] = []) {
  const random = seeded(seed, 'wildCounts');
  const x = Float64Array.from({ length: 2000 }, () => normal(random));
  const y = x.map((value, i) => wild[i] ?? poisson(drawn(random) * Math.exp(1 + 0.3 * value), random));
  return studyPilot(sampleBatch([x], y), { loss, intercept: true }).targets.extremeCounts;
}

describe('extremeCounts', () => {
  it('finds counts far beyond all others, and what the fit would be without them', () => {
    const one = counted(1, () => 1, [100_000])!;
    expect(one).to.include({ rows: 1, largest: 100_000 });
    expect(one.share).to.be.above(0.9);
    expect(one.without[0]).to.be.closeTo(0.3, 0.03);
    expect(one.without[1]).to.be.closeTo(1, 0.05);
    expect(counted(1, () => 1, [900, 1200])).to.include({ rows: 2, largest: 1200 });
  });

  it('finds none in Poisson and negative-binomial counts, nor in rare events', () => {
    for (let seed = 0; seed < 20; seed++) {
      expect(
        counted(seed, () => 1),
        `poisson ${seed}`,
      ).to.equal(null);
      expect(
        counted(seed, random => -Math.log(1 - uniform(random))),
        `size 1 ${seed}`,
      ).to.equal(null);
      expect(
        counted(seed, () => 0.001),
        `rare ${seed}`,
      ).to.equal(null);
    }
  });
});

function poisson(mean: number, random: Random): number {
  let [count, below, draw] = [0, Math.exp(-mean), uniform(random)];
  for (let chance = below; draw > below; below += chance) chance *= mean / ++count;
  return count;
}
