import { expect } from 'chai';
import { fitRows } from '../../src/fit/fitRows.ts';
import { normal } from '../../src/math/random/normal.ts';
import { uniform } from '../../src/math/random/random.ts';
import { seeded } from '../../src/math/random/seeded.ts';
import { distance } from '../../src/math/vector.ts';
import { lossByName } from '../../src/method/loss/lossByName.ts';
import { sampleBatch } from '../../src/sample/sampleBatch.ts';
import { samplesOf } from '../../src/sample/samples.ts';

const features = 60;
const truth = Float64Array.from({ length: features + 1 }, (_, j) => (j === 0 ? 1 : 0));

async function compared(rows: number, seed: number, spoilt: number) {
  const random = seeded(seed, 'wide');
  const columns = Array.from({ length: features }, () => Float64Array.from({ length: rows }, () => normal(random)));
  const target = columns[0]!.map(x => x + (uniform(random) < spoilt ? 20 : normal(random)));
  const samples = samplesOf(sampleBatch(columns, target));
  const { fit, uncertainty } = await fitRows(samples);
  const means = await fitRows(samples, { loss: lossByName('squared') });
  const { lower, upper } = uncertainty!;
  return {
    held: truth.filter((value, j) => lower[j]! <= value && value <= upper[j]!).length / truth.length,
    ratio: distance(fit.theta, truth) / distance(means.fit.theta, truth),
  };
}

describe('few rows a coefficient', () => {
  // Of 61 intervals that hold 95 %, fewer than 52 do in one sample of a thousand.
  it('have intervals that hold, and the error of least squares where noise is normal', async () => {
    for (const rows of [180, 240, 400])
      for (const seed of [1, 2, 3]) {
        const { held, ratio } = await compared(rows, seed, 0);
        expect(held, `${rows} rows, seed ${seed}`).to.be.at.least(0.85);
        expect(ratio, `${rows} rows, seed ${seed}`).to.be.below(1.15);
      }
  });

  it('leave out rows that are far off', async () => {
    for (const seed of [1, 2, 3]) {
      const { held, ratio } = await compared(240, seed, 0.05);
      expect(held).to.be.at.least(0.85);
      expect(ratio).to.be.below(0.5);
    }
  });
});
