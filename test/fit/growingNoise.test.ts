import { expect } from 'chai';
import { fitRows } from '../../src/fit/fitRows.ts';
import { normal } from '../../src/math/random/normal.ts';
import { seeded } from '../../src/math/random/seeded.ts';
import { lossByName } from '../../src/method/loss/lossByName.ts';
import { sampleBatch } from '../../src/sample/sampleBatch.ts';
import { samplesOf } from '../../src/sample/samples.ts';

const SAMPLES = 80;

/** As spending has more noise the larger incomes are. */
describe('noise in proportion to a skewed feature', () => {
  it('leaves the default a smaller error than least squares, and intervals that hold', async () => {
    let [own, least, held] = [0, 0, 0];
    for (let seed = 0; seed < SAMPLES; seed++) {
      const random = seeded(seed, 'growing');
      const x = Float64Array.from({ length: 500 }, () => Math.exp(1.2 * normal(random)));
      const z = x.map(() => normal(random));
      const y = x.map((value, i) => 1 + value - z[i]! + value * normal(random));
      const samples = samplesOf(sampleBatch([x, z], y));
      const { fit, uncertainty } = await fitRows(samples);
      own += (fit.theta[0]! - 1) ** 2;
      least += ((await fitRows(samples, { loss: lossByName('squared') })).fit.theta[0]! - 1) ** 2;
      if (uncertainty!.lower[0]! <= 1 && 1 <= uncertainty!.upper[0]!) held++;
    }
    // Of 150 samples of three features, 0.31 times the error and 95 %; with far rows left out, 0.35 times and 83 %. A
    // share of 0.94 of 80 is below 0.86 in one run of 200, and the samples are seeded.
    expect(Math.sqrt(own / least)).to.be.below(0.6);
    expect(held / SAMPLES).to.be.at.least(0.86);
  });
});
