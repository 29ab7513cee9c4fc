import { expect } from 'chai';
import { type FitRowsOptions, fitRows } from '../../../../src/fit/fitRows.ts';
import { explainEstimate } from '../../../../src/inference/diagnostics/explainEstimate.ts';
import { normal } from '../../../../src/math/random/normal.ts';
import { uniform } from '../../../../src/math/random/random.ts';
import { seeded } from '../../../../src/math/random/seeded.ts';
import { distance } from '../../../../src/math/vector.ts';
import { lossByName } from '../../../../src/method/loss/lossByName.ts';
import { sampleBatch } from '../../../../src/sample/sampleBatch.ts';
import { samplesOf } from '../../../../src/sample/samples.ts';

const random = seeded(1, 'start');
const x = Float64Array.from({ length: 5000 }, () => normal(random));
const line = x.map(value => 2 + value + normal(random));
const classes = x.map(value => (uniform(random) < 1 / (1 + Math.exp(-value)) ? 1 : 0));

const fitted = (target: Float64Array, options: FitRowsOptions) => fitRows(samplesOf(sampleBatch([x], target)), options);
const notesOf = (found: Awaited<ReturnType<typeof fitted>>): string =>
  explainEstimate(found, { names: ['x'], order: 'shuffle' }).notes.join('\n');

describe('a start that is given', () => {
  for (const mode of ['full', 'fresh'] as const) {
    it(`does not keep steps from the estimate, however far off it is: ${mode}`, async () => {
      for (const [target, start, loss] of [
        [line, Float64Array.of(1, 30), undefined],
        [line, Float64Array.of(-50, 2), lossByName('pseudo-huber', { parameter: 1.345 })],
        [classes, Float64Array.of(30, 0), undefined],
        [classes, Float64Array.of(3, 0), lossByName('poisson')],
      ] as const) {
        const options = { mode, ...(loss && { loss }) };
        const usual = await fitted(target, options);
        const found = await fitted(target, { ...options, start });
        expect(found.ignoresStart).to.equal(true);
        expect(distance(found.fit.theta, usual.fit.theta)).to.be.below(1e-6);
        expect(notesOf(found)).to.include('began at the pilot');
      }
    });
  }

  it('is where steps begin if rows agree with it, and of least squares in any case', async () => {
    const near = await fitted(line, { start: Float64Array.of(1.02, 1.97) });
    expect(near.ignoresStart).to.equal(false);
    // Of large counts the risk is below 0.
    const counts = x.map(value => Math.round(Math.exp(3 + 0.2 * value + 0.2 * normal(random))));
    const own = await fitted(counts, { loss: lossByName('poisson') });
    const again = await fitted(counts, { loss: lossByName('poisson'), start: own.fit.theta });
    expect(again.ignoresStart).to.equal(false);
    const off = await fitted(counts, { loss: lossByName('poisson'), start: Float64Array.of(0.2, 0) });
    expect(off.ignoresStart).to.equal(true);
    expect(notesOf(near)).not.to.include('began at the pilot');
    const loss = lossByName('squared');
    const far = await fitted(line, { loss, start: Float64Array.of(1, 1e3) });
    expect(far.ignoresStart).to.equal(false);
    expect(distance(far.fit.theta, (await fitted(line, { loss })).fit.theta)).to.be.below(1e-6);
  });
});
