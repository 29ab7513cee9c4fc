import { expect } from 'chai';
import { studyPilot } from '../../../../src/inference/pilot/studyPilot.ts';
import { normal } from '../../../../src/math/random/normal.ts';
import { type Random, uniform } from '../../../../src/math/random/random.ts';
import { seeded } from '../../../../src/math/random/seeded.ts';
import { studentT } from '../../../../src/math/random/studentT.ts';
import type { NamedLoss } from '../../../../src/method/loss/lossByName.ts';
import { lossByName } from '../../../../src/method/loss/lossByName.ts';
import { sampleBatch } from '../../../../src/sample/sampleBatch.ts';

const rows = 4000;
const random = seeded('far out', 'rows');
const chanceOf = (score: number): number => 1 / (1 + Math.exp(-score));
const classOf = (score: number): number => (uniform(random) < chanceOf(score) ? 1 : 0);

const laws: Record<string, (random: Random) => number> = {
  normal,
  't(5)': random => studentT(random, 5),
  'log-normal': random => Math.exp(normal(random)),
  '0 or 1': random => (uniform(random) < 0.3 ? 1 : 0),
  'rarely 1': random => (uniform(random) < 0.01 ? 1 : 0),
};

const targets: Record<string, readonly [NamedLoss, (score: number) => number]> = {
  logistic: [lossByName('logistic'), classOf],
  squared: [lossByName('squared'), score => score + normal(random)],
  'pseudo-huber': [lossByName('pseudo-huber'), score => score + studentT(random, 3)],
};

describe('highLeverage', () => {
  for (const [law, draw] of Object.entries(laws)) {
    it(`finds nothing amiss where features are ${law} and rows follow one law`, () => {
      for (const [name, [loss, targetOf]] of Object.entries(targets)) {
        const columns = [1, 2].map(() => Float64Array.from({ length: rows }, () => draw(random)));
        const y = columns[0]!.map((x, i) => targetOf(x - columns[1]![i]!));
        const {
          leverage: { highLeverage },
        } = studyPilot(sampleBatch(columns, y), { loss, intercept: true });
        expect(highLeverage!.without, name).to.equal(null);
      }
    });
  }

  it('counts rows far out that do not follow the others, and estimates without them', () => {
    const x = Float64Array.from({ length: rows }, () => normal(random));
    const other = x.map(() => normal(random));
    const y = x.map(value => classOf(2 * value));
    for (let i = 0; i < rows; i += 50) {
      x[i] = 30;
      y[i] = 0;
    }
    const {
      leverage: { highLeverage },
      estimate: { theta: start },
    } = studyPilot(sampleBatch([other, x], y), { loss: 'auto', intercept: true });
    expect(start[1]).to.be.within(-0.1, 0.1);
    expect(highLeverage!.share).to.be.within(0.018, 0.022);
    expect(highLeverage!.most).to.equal(1);
    expect(highLeverage!.without![1]).to.be.within(1.8, 2.2);
  });

  it('lets rows far out be that follow the others', () => {
    const x = Float64Array.from({ length: rows }, (_, i) => (i % 50 === 0 ? 8 : normal(random)));
    const {
      leverage: { highLeverage },
    } = studyPilot(sampleBatch([x], x.map(classOf)), { loss: 'auto', intercept: true });
    expect(highLeverage!.share).to.be.above(0.01);
    expect(highLeverage!.without).to.equal(null);
  });

  it('leaves losses alone that leave such rows out themselves', () => {
    const x = Float64Array.from({ length: rows }, () => normal(random));
    const y = x.map(value => value + normal(random));
    const loss = lossByName('tukey', { parameter: 4.685 });
    expect(studyPilot(sampleBatch([x], y), { loss, intercept: true }).leverage.highLeverage).to.equal(null);
  });
});
