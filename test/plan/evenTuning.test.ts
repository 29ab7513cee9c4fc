import { expect } from 'chai';
import { type Pilot, studyPilot } from '../../src/plan/pilot.ts';
import { normal } from '../../src/random/normal.ts';
import { type Random, uniform } from '../../src/random/random.ts';
import { seeded } from '../../src/random/seeded.ts';
import { studentT } from '../../src/random/studentT.ts';
import { sampleBatch } from '../../src/sample/sampleBatch.ts';

const rows = 4000;

/** A feature and a group of a quarter of the rows, both of effect 1; noise and what else happens to a row as told. */
function pilot(
  seed: number,
  noise: (random: Random, isIn: boolean) => number,
  spoil: (random: Random, row: { x: number; y: number }) => void = () => {},
): Pilot {
  const random = seeded(seed, 'even');
  const [x, group, y] = [new Float64Array(rows), new Float64Array(rows), new Float64Array(rows)];
  for (let i = 0; i < rows; i++) {
    const isIn = uniform(random) < 0.25;
    const row = { x: normal(random), y: 0 };
    row.y = row.x + (isIn ? 1 : 0) + noise(random, isIn);
    spoil(random, row);
    [x[i], group[i], y[i]] = [row.x, isIn ? 1 : 0, row.y];
  }
  return studyPilot(sampleBatch([x, group], y), { loss: 'auto', intercept: true, runRows: 20 * rows });
}

describe('evenTuning', () => {
  for (const ratio of [3, 5, 10, 20]) {
    it(`counts the rows of a group with ${ratio} times the noise, so that its effect is told`, () => {
      const seeds = Array.from({ length: 12 }, (_, seed) => seed);
      let squares = 0;
      for (const seed of seeds) {
        const { loss, start } = pilot(seed, (random, isIn) => normal(random) * (isIn ? ratio : 1));
        expect(loss.name).to.equal('pseudo-huber');
        squares += (start[1]! - 1) ** 2 / seeds.length;
      }
      // The group's mean alone is off by ratio/sqrt(rows/4).
      expect(Math.sqrt(squares)).to.be.below((2 * ratio) / Math.sqrt(rows / 4));
    });
  }

  it('leaves the choice alone where noise has nothing to do with the features', () => {
    for (const noise of [
      normal,
      (random: Random) => studentT(random, 3),
      (random: Random) => studentT(random, 2.1),
      (random: Random) => Math.exp(normal(random)),
      (random: Random) => normal(random) + (uniform(random) < 0.1 ? 30 : 0),
    ]) {
      for (let seed = 0; seed < 6; seed++) expect(pilot(seed, noise).loss.name).to.not.equal('pseudo-huber');
    }
  });

  it('still leaves out rows far out that do not follow the others', () => {
    for (let seed = 0; seed < 6; seed++) {
      const { loss, start } = pilot(seed, normal, (random, row) => {
        if (uniform(random) < 0.1) [row.x, row.y] = [20 * row.x, normal(random)];
      });
      expect(loss.name).to.not.equal('pseudo-huber');
      expect(start[0]).to.be.closeTo(1, 0.1);
    }
  });
});
