import { expect } from 'chai';
import { lossByName } from '../../src/loss/lossByName.ts';
import { zeros } from '../../src/math/vector.ts';
import { mostRobustLoss, type Tuning } from '../../src/pilot/chooseTuning.ts';
import { leverageOf } from '../../src/pilot/leverage.ts';
import { irls } from '../../src/pilot/minimize.ts';
import type { Pilot } from '../../src/pilot/pilot.ts';
import { studyPilot } from '../../src/pilot/studyPilot.ts';
import { tuneForUnequalNoise } from '../../src/pilot/tuneForUnequalNoise.ts';
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

/** As `pilot` has them, where noise within the group is so many times as large. */
interface Rows {
  readonly x: Float64Array;
  readonly group: Float64Array;
  readonly target: Float64Array;
}

function rowsOf(seed: number, ratio: number): Rows {
  const random = seeded(seed, 'even, by itself');
  const group = Float64Array.from({ length: rows }, () => (uniform(random) < 0.25 ? 1 : 0));
  const x = group.map(() => normal(random));
  const target = x.map((value, i) => value + group[i]! + normal(random) * (group[i] === 1 ? ratio : 1));
  return { x, group, target };
}

const chosen: Tuning = { loss: lossByName('geman-mcclure', { parameter: 3 }), isWeighted: false };

/** What becomes of the chosen tuning, by itself. */
function tuned(
  columns: readonly Float64Array[],
  target: Float64Array,
  { intercept = true, weights = new Float64Array(rows).fill(1) } = {},
): Tuning {
  const batch = sampleBatch(columns, target);
  const leverage = leverageOf(batch, weights, intercept);
  const unusual = leverage.weights(leverage.squares(batch.columns, rows));
  const leverageWeights = weights.map((weight, i) => weight * unusual[i]!);
  const start = zeros(columns.length + (intercept ? 1 : 0));
  const t = irls(batch, mostRobustLoss(1).loss, start, { intercept, weights: leverageWeights });
  const options = { intercept, leverage, weights, leverageWeights, t, scale: 1, rows: 20 * rows };
  return tuneForUnequalNoise(batch, chosen, options);
}

const shown = ({ loss, isWeighted }: Tuning): string => `${loss.name}(${loss.parameter}), ${isWeighted}`;

describe('tuneForUnequalNoise', () => {
  for (const ratio of [3, 5, 10, 20]) {
    it(`counts the rows of a group with ${ratio} times the noise, so that its effect is told`, () => {
      const seeds = Array.from({ length: 12 }, (_, seed) => seed);
      let squares = 0;
      for (const seed of seeds) {
        const {
          estimate: { loss, theta: start },
        } = pilot(seed, (random, isIn) => normal(random) * (isIn ? ratio : 1));
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
      for (let seed = 0; seed < 6; seed++)
        expect(pilot(seed, noise).estimate.loss.name).to.not.equal('pseudo-huber');
    }
  });

  it('still leaves out rows far out that do not follow the others', () => {
    for (let seed = 0; seed < 6; seed++) {
      const {
        estimate: { loss, theta: start },
      } = pilot(seed, normal, (random, row) => {
        if (uniform(random) < 0.1) [row.x, row.y] = [20 * row.x, normal(random)];
      });
      expect(loss.name).to.not.equal('pseudo-huber');
      expect(start[0]).to.be.closeTo(1, 0.1);
    }
  });

  for (const intercept of [true, false]) {
    describe(`by itself, ${intercept ? 'with' : 'without'} an intercept`, () => {
      it('changes the choice where the group is noisy, and gives it back as it is where noise is even', () => {
        for (let seed = 0; seed < 3; seed++) {
          const even = rowsOf(seed, 1);
          expect(tuned([even.x, even.group], even.target, { intercept })).to.equal(chosen);
          const noisy = rowsOf(seed, 5);
          const { loss } = tuned([noisy.x, noisy.group], noisy.target, { intercept });
          expect(loss.name).to.equal('pseudo-huber');
        }
      });

      it('does not look at rows that count for nothing', () => {
        const { x, group, target } = rowsOf(0, 5);
        const random = seeded('even', 'quiet');
        // Half of the group's rows are quiet, and tell enough.
        const isQuiet = group.map((isIn, i) => (isIn === 1 && i % 2 === 0 ? 1 : 0));
        const mixed = target.map((y, i) => (isQuiet[i] === 1 ? x[i]! + 1 + normal(random) : y));
        expect(tuned([x, group], mixed, { intercept })).to.equal(chosen);
        const weights = isQuiet.map(is => 1 - is);
        expect(tuned([x, group], mixed, { intercept, weights }).loss.name).to.equal('pseudo-huber');
      });

      it('is the same in every unit of the weights, whichever column comes first, and with one that the others make up', () => {
        const seen = new Set<string>();
        for (let seed = 0; seed < 3; seed++)
          for (const ratio of [1, 5]) {
            const { x, group, target } = rowsOf(seed, ratio);
            const weights = x.map((_, i) => [0, 1, 2, 1][i % 4]!);
            const found = shown(tuned([x, group], target, { intercept, weights }));
            seen.add(found);
            for (const unit of [1e-6, 1e6]) {
              const inUnits = weights.map(weight => unit * weight);
              expect(shown(tuned([x, group], target, { intercept, weights: inUnits }))).to.equal(found);
            }
            expect(shown(tuned([group, x], target, { intercept, weights }))).to.equal(found);
            const madeUp = x.map((value, i) => value - 2 * group[i]!);
            for (const columns of [
              [x, group, madeUp],
              [madeUp, x, group],
            ])
              expect(shown(tuned(columns, target, { intercept, weights }))).to.equal(found);
          }
        // That they are the same says something only where there is a choice.
        expect(seen.size).to.be.above(1);
      });
    });
  }
});
