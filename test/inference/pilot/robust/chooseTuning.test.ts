import { expect } from 'chai';
import { irls } from '../../../../src/inference/pilot/risk/minimize.ts';
import { weightedRisk } from '../../../../src/inference/pilot/risk/weightedRisk.ts';
import { chooseTuning, mostRobustLoss } from '../../../../src/inference/pilot/robust/chooseTuning.ts';
import { leverageOf } from '../../../../src/inference/pilot/robust/leverage.ts';
import { normal } from '../../../../src/math/random/normal.ts';
import type { Random } from '../../../../src/math/random/random.ts';
import { seeded } from '../../../../src/math/random/seeded.ts';
import { studentT } from '../../../../src/math/random/studentT.ts';
import { zeros } from '../../../../src/math/vector.ts';
import { sampleBatch } from '../../../../src/sample/sampleBatch.ts';

const rows = 10_000;

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
  const leverageWeights = leverage.weights(squares);
  const surest = irls(batch, mostRobustLoss(scale).loss, zeros(size), {
    intercept,
    weights: leverageWeights,
  });
  const residuals = weightedRisk(batch, { intercept, weights })
    .residuals(surest, new Float64Array(rows))
    .map(residual => -residual);
  const { loss, isWeighted } = chooseTuning(batch, {
    intercept,
    leverage,
    squares,
    weights,
    leverageWeights,
    residuals,
    scale,
    rows: runRows,
  });
  return { name: loss.name, tuning: loss.parameter! / scale, isWeighted };
}

describe('chooseTuning', () => {
  it('takes the largest for normal noise', () => {
    const { name, tuning } = tuned(normal);
    expect([`geman-mcclure(5)`, `tukey(6)`]).to.include(`${name}(${tuning})`);
  });

  it('has rows far out count less where they do not follow the others, and in full where they do', () => {
    const lost = tuned((random, x, i) => (i < 300 ? x / 10 + 3 * normal(random) : normal(random)), {
      far: 300,
    });
    expect(lost.isWeighted).to.equal(true);
    expect(tuned(normal, { far: 300 }).isWeighted).to.equal(false);
  });

  it("takes a small q of Geman and McClure's for long tails", () => {
    for (const [freedom, most] of [
      [1, 2.5],
      [3, 4],
    ] as const) {
      const { name, tuning } = tuned(random => studentT(random, freedom));
      expect(name).to.equal('geman-mcclure');
      expect(tuning).to.be.at.most(most);
    }
  });

  it("takes Tukey's where rows that do not belong would move the slope, as far as leaves them out", () => {
    const { name, tuning } = tuned((random, x, i) => (i % 20 === 0 ? 7 * Math.sign(x) : normal(random)));
    expect(name).to.equal('tukey');
    expect(tuning).to.be.below(7);
  });

  it('does not mind rows that only move the intercept', () => {
    expect(tuned((random, _, i) => (i % 100 === 0 ? 30 : normal(random))).tuning).to.be.above(3);
  });

  it('minds a bias the more, the more rows the run has', () => {
    // Within the largest tuning of either kind.
    const slight = (random: Random, x: number, i: number): number =>
      i % 100 === 0 ? 3.5 * Math.sign(x) : normal(random);
    const [few, many] = [tuned(slight, { runRows: 100 }), tuned(slight, { runRows: 1e8 })];
    expect(few.tuning).to.be.above(many.tuning);
  });

  it('is the same in every unit of the target, with an intercept or without', () => {
    for (const intercept of [true, false]) {
      const [one, large, small] = [1, 1e9, 1e-9].map(scale =>
        tuned(random => studentT(random, 3), { scale, intercept }),
      );
      for (const other of [large!, small!]) {
        expect(other.name).to.equal(one!.name);
        expect(other.tuning).to.be.closeTo(one!.tuning, 1e-9);
        expect(other.isWeighted).to.equal(one!.isWeighted);
      }
    }
  });

  it('does not fall over residuals that overflow', () => {
    const { tuning } = tuned((random, _, i) => (i % 20 === 0 ? 1e200 : normal(random)));
    expect(tuning).to.be.within(2, 6);
  });
});
