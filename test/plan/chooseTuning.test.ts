import { expect } from 'chai';
import { gemanMcClure } from '../../src/loss/gemanMcClure.ts';
import { zeros } from '../../src/math/vector.ts';
import { chooseTuning, TUNINGS } from '../../src/plan/chooseTuning.ts';
import { leverageOf } from '../../src/plan/leverage.ts';
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
  { scale = 1, runRows = 20 * rows, intercept = true, far = 0 } = {},
) {
  const random = seeded('tuning', 'rows');
  // The first `far` rows are twenty times as far out.
  const x = Float64Array.from({ length: rows }, (_, i) => normal(random) * (i < far ? 20 : 1));
  const target = x.map((value, i) => scale * noise(random, value, i));
  const size = intercept ? 2 : 1;
  const batch = sampleBatch([x], target);
  const weights = new Float64Array(rows).fill(1);
  const leverage = leverageOf(batch, weights, intercept);
  const squares = leverage.squares(batch.columns, rows);
  const surest = reweigh(batch, gemanMcClure(least * scale), zeros(size), {
    intercept,
    weights: leverage.weights(squares),
  });
  const residuals = weightedRisk(batch, { intercept, weights })
    .residuals(surest, new Float64Array(rows))
    .map(residual => -residual);
  const { q, isWeighted } = chooseTuning(batch, {
    intercept,
    leverage,
    squares,
    weights,
    residuals,
    scale,
    rows: runRows,
  });
  return { tuning: q / scale, isWeighted };
}

describe('chooseTuning', () => {
  it('takes the largest q for normal noise', () => {
    expect(tuned(normal).tuning).to.equal(most);
  });

  it('has rows far out count less where they do not follow the others, and in full where they do', () => {
    const lost = tuned((random, x, i) => (i < 300 ? x / 10 + 3 * normal(random) : normal(random)), {
      far: 300,
    });
    expect(lost.isWeighted).to.equal(true);
    expect(tuned(normal, { far: 300 }).isWeighted).to.equal(false);
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
        expect(other.isWeighted).to.equal(one!.isWeighted);
      }
    }
  });

  it('does not fall over residuals that overflow', () => {
    const { tuning } = tuned((random, _, i) => (i % 20 === 0 ? 1e200 : normal(random)));
    expect(TUNINGS).to.include(tuning);
  });
});
