import { expect } from 'chai';
import { gemanMcClure } from '../../src/loss/gemanMcClure.ts';
import { zeros } from '../../src/math/vector.ts';
import { chooseTuning, TUNINGS } from '../../src/plan/chooseTuning.ts';
import { curvatureFactor } from '../../src/plan/curvatureFactor.ts';
import { reweigh } from '../../src/plan/settle.ts';
import { weightedRisk } from '../../src/plan/weightedRisk.ts';
import { normal } from '../../src/random/normal.ts';
import type { Random } from '../../src/random/random.ts';
import { seeded } from '../../src/random/seeded.ts';
import { studentT } from '../../src/random/studentT.ts';
import { sampleBatch } from '../../src/sample/sampleBatch.ts';

const rows = 10_000;
const [least, most] = [TUNINGS[0]!, TUNINGS.at(-1)!];

/** One feature of no effect, and how the tuning falls out, in units of the noise. */
function tuned(
  noise: (random: Random, x: number, i: number) => number,
  { scale = 1, runRows = 20 * rows, intercept = true } = {},
) {
  const random = seeded('tuning', 'rows');
  const x = Float64Array.from({ length: rows }, () => normal(random));
  const target = x.map((value, i) => scale * noise(random, value, i));
  const size = intercept ? 2 : 1;
  const identity = Float64Array.from({ length: size * size }, (_, at) => (at % (size + 1) === 0 ? 1 : 0));
  const batch = sampleBatch([x], target);
  const weights = new Float64Array(rows).fill(1);
  const surest = reweigh(batch, gemanMcClure(least * scale), zeros(size), { intercept, weights });
  const residuals = weightedRisk(batch, { intercept, weights })
    .residuals(surest, new Float64Array(rows))
    .map(residual => -residual);
  const { q, variance } = chooseTuning(batch, {
    intercept,
    factor: curvatureFactor(identity, size, intercept),
    weights,
    residuals,
    scale,
    rows: runRows,
  });
  return { tuning: q / scale, variance: variance / scale ** 2 };
}

describe('chooseTuning', () => {
  it('takes the largest q for normal noise, whose variance is then near the least there is', () => {
    const { tuning, variance } = tuned(normal);
    expect(tuning).to.equal(most);
    // Least squares has 1; the sampling error of a variance over 10,000 rows is 0.014.
    expect(variance).to.be.within(0.95, 1.08);
  });

  it('takes a small q for long tails', () => {
    expect(tuned(random => studentT(random, 1)).tuning).to.be.at.most(2.5);
    expect(tuned(random => studentT(random, 3)).tuning).to.be.below(most);
  });

  it('takes a small q where rows that do not belong would move the slope, and not where they only move the intercept', () => {
    const moving = tuned((random, x, i) => (i % 20 === 0 ? 7 * Math.sign(x) : normal(random)));
    expect(moving.tuning).to.be.at.most(3);
    const level = tuned((random, _, i) => (i % 100 === 0 ? 30 : normal(random)));
    expect(level.tuning).to.be.above(3);
  });

  it('minds a bias the more, the more rows the run has', () => {
    const slight = (random: Random, x: number, i: number): number =>
      i % 50 === 0 ? 5 * Math.sign(x) : normal(random);
    const [few, many] = [tuned(slight, { runRows: 100 }), tuned(slight, { runRows: 1e8 })];
    expect(few.tuning).to.be.above(many.tuning);
  });

  it('is the same in every unit of the target, with an intercept or without', () => {
    for (const intercept of [true, false]) {
      const [one, large, small] = [1, 1e9, 1e-9].map(scale =>
        tuned(random => studentT(random, 3), { scale, intercept }),
      );
      for (const other of [large!, small!]) {
        expect(other.tuning).to.be.closeTo(one!.tuning, 1e-9);
        expect(other.variance).to.be.closeTo(one!.variance, 1e-9);
      }
    }
  });

  it('does not fall over residuals that overflow', () => {
    const { tuning, variance } = tuned((random, _, i) => (i % 20 === 0 ? 1e200 : normal(random)));
    expect(TUNINGS).to.include(tuning);
    expect(variance).to.be.finite;
  });
});
