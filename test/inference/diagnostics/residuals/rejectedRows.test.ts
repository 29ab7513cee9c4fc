import { expect } from 'chai';
import { studyPilot } from '../../../../src/inference/pilot/studyPilot.ts';
import { normal } from '../../../../src/math/random/normal.ts';
import { type Random, uniform } from '../../../../src/math/random/random.ts';
import { seeded } from '../../../../src/math/random/seeded.ts';
import { studentT } from '../../../../src/math/random/studentT.ts';
import { lossByName } from '../../../../src/method/loss/lossByName.ts';
import { type SampleBatch, sampleBatch } from '../../../../src/sample/sampleBatch.ts';

const drawn = (rows: number, seed: number, noise: (random: Random, x: number) => number): SampleBatch => {
  const random = seeded(seed, 'leftOutRows');
  const x = Float64Array.from({ length: rows }, () => normal(random));
  return sampleBatch(
    [x],
    x.map(value => 2 * value + noise(random, value)),
  );
};
const studied = (batch: SampleBatch, loss: Parameters<typeof studyPilot>[1]['loss'] = 'auto') =>
  studyPilot(batch, { loss, intercept: true });

const tukey = lossByName('tukey', { parameter: 4.685 });

describe('rejectedRows', () => {
  it('says nothing of normal noise, in any of 100 samples', () => {
    for (let seed = 0; seed < 100; seed++)
      expect(studied(drawn(200, seed, normal), tukey).residuals.rejectedRows, `${seed}`).to.equal(null);
  });

  it('counts what a loss leaves out of heavy tails', () => {
    const {
      residuals: { rejectedRows },
    } = studied(
      drawn(2000, 1, random => studentT(random, 3)),
      tukey,
    );
    expect(rejectedRows!.share).to.be.within(0.01, 0.06);
    expect(rejectedRows!.beyond).to.be.within(2.9, 5);
  });

  it('counts a few rows far out in the features, nearer than six scales', () => {
    // Six of sixty stand out in x, about five scales off the line of the others.
    const random = seeded(3, 'leftOutRows');
    const x = Float64Array.from({ length: 60 }, (_, i) => (i < 6 ? 2 + uniform(random) : normal(random)));
    const y = x.map((_, i) => (i < 6 ? 5 : normal(random)));
    const {
      residuals: { rejectedRows, outlierShare },
    } = studied(sampleBatch([x], y));
    expect(outlierShare).to.equal(0);
    expect(rejectedRows!.share).to.be.within(0.09, 0.14);
  });

  it('has nothing to tell of losses that count all rows', () => {
    const batch = drawn(500, 1, random => studentT(random, 3));
    for (const name of ['squared', 'pseudo-huber'] as const)
      expect(studied(batch, lossByName(name)).residuals.rejectedRows).to.equal(null);
  });
});
