import { expect } from 'chai';
import { estimate } from '../../src/flow/estimate.ts';
import { lossByName } from '../../src/loss/lossByName.ts';
import { studyPilot } from '../../src/plan/pilot.ts';
import { normal } from '../../src/random/normal.ts';
import { type Random, uniform } from '../../src/random/random.ts';
import { seeded } from '../../src/random/seeded.ts';
import { type SampleBatch, sampleBatch } from '../../src/sample/sampleBatch.ts';
import { samplesOf } from '../../src/sample/samples.ts';

const loss = lossByName('poisson');

/** By how long unit-rate arrivals take. */
function count(random: Random, rate: number): number {
  let [found, time] = [-1, 0];
  while (time <= rate) {
    time -= Math.log(1 - uniform(random));
    found++;
  }
  return found;
}

function counts(seed: number, rows: number, slope: number, feature: (random: Random) => number): SampleBatch {
  const random = seeded(seed, 'bent');
  const x = Float64Array.from({ length: rows }, () => feature(random));
  return sampleBatch(
    [x],
    x.map(value => count(random, Math.exp(slope * value - 1))),
  );
}

describe('bentConcentration', () => {
  it('sees that few rows have most of the curvature of counts along a log-normal feature, and not along a normal one', () => {
    for (let seed = 0; seed < 8; seed++) {
      const skewed = counts(seed, 5000, 0.1, random => Math.exp(normal(random)));
      expect(studyPilot(skewed, { loss, intercept: true })).to.deep.include({
        isBentByFew: true,
        thin: { few: 'rows with leverage' },
      });
      const even = counts(seed, 5000, 0.3, normal);
      expect(studyPilot(even, { loss, intercept: true })).to.include({ isBentByFew: false, thin: null });
    }
  });

  it('has such counts fitted over all rows', async () => {
    for (let seed = 0; seed < 5; seed++) {
      const batch = counts(seed, 30_000, 0.1, random => Math.exp(normal(random)));
      const { fit, layout } = await estimate(samplesOf(batch), { loss });
      const whole = studyPilot(batch, { loss, intercept: true });
      expect(layout.sharesPilot).to.equal(true);
      expect(fit.theta[0]).to.be.closeTo(whole.start[0]!, 2e-4);
    }
  });
});
