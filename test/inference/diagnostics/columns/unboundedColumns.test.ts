import { expect } from 'chai';
import { fitRows } from '../../../../src/fit/fitRows.ts';
import { explainEstimate } from '../../../../src/inference/diagnostics/explainEstimate.ts';
import { normal } from '../../../../src/math/random/normal.ts';
import { uniform } from '../../../../src/math/random/random.ts';
import { seeded } from '../../../../src/math/random/seeded.ts';
import { lossByName } from '../../../../src/method/loss/lossByName.ts';
import { sampleBatch } from '../../../../src/sample/sampleBatch.ts';
import { samplesOf } from '../../../../src/sample/samples.ts';

const rows = 4000;

/** A feature and a level of one row in twenty, whose rows have so many events. */
async function fitted(name: 'logistic' | 'poisson', events: number) {
  const random = seeded(1, 'unbounded');
  const x = Float64Array.from({ length: rows }, () => normal(random));
  const z = Float64Array.from({ length: rows }, () => (uniform(random) < 0.05 ? 1 : 0));
  let left = events;
  const target = x.map((value, i) => {
    if (z[i] === 1) return left-- > 0 ? 1 : 0;
    return uniform(random) < 1 / (1 + Math.exp(3 - value)) ? 1 : 0;
  });
  const found = await fitRows(samplesOf(sampleBatch([x, z], target)), { loss: lossByName(name) });
  const { notes } = explainEstimate(found, { names: ['x', 'z'], order: 'shuffle' });
  return { ...found, notes };
}

describe('unboundedColumns', () => {
  for (const name of ['logistic', 'poisson'] as const) {
    it(`names a level without an event in a ${name} fit, and gives no interval`, async () => {
      const { notes, uncertainty, noIntervals, pilot } = await fitted(name, 0);
      expect(pilot!.columns.unbounded).to.deep.equal([1]);
      expect(uncertainty).to.equal(null);
      expect(noIntervals).to.equal('there is no finite estimate');
      expect(notes.join()).to.match(/"z" has no finite estimate: .* is where the search stopped/);
    });

    it(`has intervals where a level of a ${name} fit has two events`, async () => {
      const { uncertainty, pilot } = await fitted(name, 2);
      expect(pilot!.columns.unbounded).to.deep.equal([]);
      expect(uncertainty).to.not.equal(null);
    });
  }

  for (const [events, unbounded] of [
    [0, [0]],
    [2, []],
  ] as const) {
    it(`looks at the level's own events, here ${events}, also where others have hundreds`, async () => {
      const random = seeded(1, 'large counts');
      const z = Float64Array.from({ length: 20_000 }, (_, i) => (i % 2 === 0 ? 1 : 0));
      const target = z.map((level, i) =>
        level === 1 ? (i < 2 * events ? 1 : 0) : Math.round(200 + 14 * normal(random)),
      );
      const { pilot, fit } = await fitRows(samplesOf(sampleBatch([z], target)), {
        loss: lossByName('poisson'),
      });
      expect(pilot!.columns.unbounded).to.deep.equal(unbounded);
      if (events > 0) expect(fit.theta[0]! + fit.theta[1]!).to.be.closeTo(Math.log(events / 10_000), 0.01);
    });
  }

  it('says so of counts that are all 0', async () => {
    const random = seeded(1, 'none');
    const x = Float64Array.from({ length: rows }, () => normal(random));
    const found = await fitRows(samplesOf(sampleBatch([x], new Float64Array(rows))), {
      loss: lossByName('poisson'),
    });
    const { notes } = explainEstimate(found, { names: ['x'], order: 'shuffle' });
    expect(found.uncertainty).to.equal(null);
    expect(notes[0]).to.match(/^every target of the pilot rows is 0/);
  });
});
