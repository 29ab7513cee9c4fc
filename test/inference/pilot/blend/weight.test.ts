import { expect } from 'chai';
import type { PilotBlend } from '../../../../src/inference/pilot/blend/pilotBlend.ts';
import { studyPilot } from '../../../../src/inference/pilot/studyPilot.ts';
import { normal } from '../../../../src/math/random/normal.ts';
import { type Random, uniform } from '../../../../src/math/random/random.ts';
import { seeded } from '../../../../src/math/random/seeded.ts';
import { studentT } from '../../../../src/math/random/studentT.ts';
import { type SampleBatch, sampleBatch } from '../../../../src/sample/sampleBatch.ts';

const FEATURES = 3;

interface Row {
  readonly x: readonly number[];
  readonly y: number;
}
type Law = (x: readonly number[], random: Random) => Row;

const sum = (x: readonly number[]): number => x.reduce((total, value) => total + value, 0);

/** Rows by a law, from standard normal features. */
function drawn(rows: number, seed: number | string, law: Law): SampleBatch {
  const random = seeded(seed, 'outliers');
  const all = Array.from({ length: rows }, () =>
    law(
      Array.from({ length: FEATURES }, () => normal(random)),
      random,
    ),
  );
  return sampleBatch(
    Array.from({ length: FEATURES }, (_, j) => Float64Array.from(all, ({ x }) => x[j]!)),
    Float64Array.from(all, ({ y }) => y),
  );
}

/** w, with the estimates of both fits. */
const blended = (batch: SampleBatch): PilotBlend =>
  studyPilot(batch, { loss: 'auto', intercept: true, isBlended: true }).estimate.blend!;

const weights = (rows: number, law: Law, samples = 20): readonly number[] =>
  Array.from({ length: samples }, (_, seed) => blended(drawn(rows, seed, law)).weight).sort((a, b) => a - b);

const line = (x: readonly number[], noise: number): Row => ({ x, y: sum(x) + noise });

const SAMPLES = 20;

describe('the weight of the bisquare fit', () => {
  it("is small where Huber's fit is as good as any", () => {
    for (const rows of [300, 3000]) {
      const found = weights(rows, (x, random) => line(x, normal(random)), SAMPLES);
      expect(found[SAMPLES / 2]).to.be.below(0.15);
      expect(found.at(-1)).to.be.below(0.6);
    }
  });

  const tails: Record<string, Law> = {
    't(1) noise': (x, random) => line(x, studentT(random, 1)),
    'log-normal noise': (x, random) => line(x, Math.exp(1.2 * normal(random))),
  };
  for (const [name, law] of Object.entries(tails)) {
    it(`is mostly 1 where it is the more precise one: ${name}`, () => {
      const found = weights(1000, law, SAMPLES);
      expect(found[SAMPLES / 4]).to.be.above(0.9);
      expect(found[0]).to.be.above(0.4);
    });
  }

  const outliers: Record<string, Law> = {
    'features 20 times as wide': (x, random) =>
      uniform(random) < 0.05 ? { x: x.map(value => 20 * value), y: normal(random) } : line(x, normal(random)),
    'a cluster on another line': (x, random) => {
      if (uniform(random) >= 0.05) return line(x, normal(random));
      const far = x.map(value => 4 + 0.5 * value);
      return { x: far, y: -sum(far) + normal(random) };
    },
    '30 % all around on the opposite slopes': (x, random) => {
      if (uniform(random) >= 0.3) return line(x, normal(random));
      const far = x.map(value => 10 * value);
      return { x: far, y: -sum(far) + normal(random) };
    },
    'targets alone': (x, random) => line(x, normal(random) + (uniform(random) < 0.05 ? 30 : 0)),
  };
  for (const [name, law] of Object.entries(outliers)) {
    it(`is near 1 beside outliers, which then hardly count: ${name}`, () => {
      for (let seed = 0; seed < SAMPLES; seed++) {
        const { weight, fits } = blended(drawn(3000, seed, law));
        expect(weight, `${seed}`).to.be.above(0.8);
        for (const slope of fits[1].theta.subarray(0, FEATURES)) expect(slope).to.be.closeTo(1, 0.15);
      }
    });
  }

  it('comes from all rows, whatever their order', () => {
    const batch = drawn(6000, 'order', (x, random) => ({ x, y: Math.exp(0.6 * sum(x)) + normal(random) }));
    const turned = (values: Float64Array): Float64Array => values.slice().reverse();
    const [one, other] = [batch, sampleBatch(batch.columns.map(turned), turned(batch.target))].map(blended);
    expect(other!.weight).to.be.closeTo(one!.weight, 1e-6);
    one!.fits[1].theta.forEach((value, j) => {
      expect(other!.fits[1].theta[j]).to.be.closeTo(value, 1e-6);
    });
  });
});
