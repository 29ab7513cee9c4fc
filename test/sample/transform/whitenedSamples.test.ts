import { expect } from 'chai';
import { normal } from '../../../src/math/random/normal.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { type SampleBatch, sampleBatch } from '../../../src/sample/sampleBatch.ts';
import { samplesOf } from '../../../src/sample/samples.ts';
import { whitenedSamples } from '../../../src/sample/transform/scaledSamples.ts';
import type { Whitening } from '../../../src/sample/transform/whitening.ts';
import { rebatched } from '../../support/descentFixtures.ts';

const ROWS = 500;
const random = seeded('whitenedSamples', 'rows');
const column = (): Float64Array => Float64Array.from({ length: ROWS }, () => normal(random));
const data: SampleBatch = {
  ...sampleBatch([column(), column()], column()),
  weights: Float64Array.from({ length: ROWS }, (_, i) => (i % 7 === 0 ? 0 : 0.4)),
};
const turned: Whitening = {
  centre: Float64Array.of(0.5, -1),
  axes: [
    { direction: Float64Array.of(0.6, 0.8), moment: 4, floor: 0, spread: 2 },
    { direction: Float64Array.of(-0.8, 0.6), moment: 0.01, floor: 0, spread: 0.1 },
  ],
  intercept: true,
};

async function rowsOf(samples: { batches(): AsyncIterable<SampleBatch> }) {
  const rows: { z: number[]; y: number; weight: number }[] = [];
  for await (const { rows: count, columns, target, weights } of samples.batches())
    for (let i = 0; i < count; i++) rows.push({ z: columns.map(own => own[i]!), y: target[i]!, weight: weights![i]! });
  return rows;
}

describe('whitenedSamples', () => {
  it('has every row in the coordinates, its target as it was, and weights by length', async () => {
    for (const intercept of [true, false]) {
      const found = await rowsOf(whitenedSamples(samplesOf(data), { ...turned, intercept }, 1.5));
      expect(found).to.have.length(ROWS);
      found.forEach(({ z, y, weight }, i) => {
        const [a, b] = [data.columns[0]![i]! - 0.5, data.columns[1]![i]! + 1];
        // Along the axes, and from these to the features.
        const [c, d] = [(0.6 * a + 0.8 * b) / 2, (-0.8 * a + 0.6 * b) / 0.1];
        expect(z[0]).to.be.closeTo(0.6 * c - 0.8 * d, 1e-12);
        expect(z[1]).to.be.closeTo(0.8 * c + 0.6 * d, 1e-12);
        expect(y).to.equal(data.target[i]);
        const length = Math.hypot(...z, intercept ? 1 : 0);
        expect(weight).to.be.closeTo(i % 7 === 0 ? 0 : Math.min(1, 1.5 / length), 1e-12);
        expect(weight * length).to.be.at.most(1.5 * (1 + 1e-12));
      });
    }
  });

  it('gives the same rows for any batches, and again in every pass', async () => {
    const whole = await rowsOf(whitenedSamples(samplesOf(data), turned, 1));
    const cut = whitenedSamples(rebatched(data, 33), turned, 1);
    expect(await rowsOf(cut)).to.deep.equal(whole);
    expect(await rowsOf(cut)).to.deep.equal(whole);
  });
});
