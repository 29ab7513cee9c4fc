import { expect } from 'chai';
import { fitRows } from '../../src/fit/fitRows.ts';
import { explainEstimate } from '../../src/inference/diagnostics/explainEstimate.ts';
import { normal } from '../../src/math/random/normal.ts';
import { seeded } from '../../src/math/random/seeded.ts';
import { lossByName } from '../../src/method/loss/lossByName.ts';
import { sampleBatch } from '../../src/sample/sampleBatch.ts';
import { samplesOf } from '../../src/sample/samples.ts';

async function fitted(name: string, parameter: number, penalty = 0) {
  const random = seeded(2, 'narrow');
  const x = Float64Array.from({ length: 20_000 }, () => normal(random));
  const target = x.map(value => 3000 * value + 50_000 + 10_000 * normal(random));
  const found = await fitRows(samplesOf(sampleBatch([x], target)), {
    loss: lossByName(name, { parameter }),
    penalty,
  });
  const { notes } = explainEstimate(found, { names: ['x'], order: 'shuffle' });
  return { ...found, notes };
}

/**
 * Noise of 10,000 in 20,000 rows makes errors of 71 with the mean and of 89 with the median, give or take what few
 * blocks tell of them.
 */
function expectSound({ uncertainty, fit, notes }: Awaited<ReturnType<typeof fitted>>): void {
  expect(notes).to.deep.equal([]);
  [3000, 50_000].forEach((truth, j) => {
    const error = uncertainty!.errors[j]!;
    expect(error).to.be.within(60, 120);
    expect(Math.abs(fit.theta[j]! - truth)).to.be.below(4 * error);
  });
}

describe('a robust loss whose parameter is far below the residuals', () => {
  for (const [name, factory] of [
    ['pseudo-huber', 'pseudoHuber'],
    ['tukey', 'tukey'],
    ['geman-mcclure', 'gemanMcClure'],
  ] as const) {
    it(`has no intervals, and a note with one that suits: ${name}`, async () => {
      const { uncertainty, noIntervals, notes } = await fitted(name, 1);
      expect(uncertainty).to.equal(null);
      expect(noIntervals).to.match(/^too few rows are within reach of the loss/);
      expect(notes[0]).to.match(/is (9|10)\d{3}(\.\d)? times smaller than the residuals' scale/);
      const [, named, parameter] = /`loss: (\w+)\((\d+)\)` suits these rows$/.exec(notes[0]!)!;
      expect(named).to.equal(factory);
      expectSound(await fitted(name, Number(parameter)));
    });
  }

  it('is refused where it leaves out every row, with a penalty too', async () => {
    for (const penalty of [0, 0.1]) {
      const { message } = await fitted('tukey', 1e-9, penalty).catch(caught => caught);
      expect(message).to.match(/^the loss has no curvature: tukey\(1e-9\) rejects every row/);
      expect(message).to.match(/give it a larger parameter, in units of the target$/);
    }
  });

  it('has intervals where it is near them', async () => {
    for (const parameter of [1000, 13_450]) expectSound(await fitted('pseudo-huber', parameter));
  });
});
