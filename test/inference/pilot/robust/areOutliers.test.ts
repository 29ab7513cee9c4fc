import { expect } from 'chai';
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

const isRejecting = (batch: SampleBatch): boolean =>
  ['geman-mcclure', 'tukey'].includes(studyPilot(batch, { loss: 'auto', intercept: true }).estimate.loss.name);

const shareRejecting = (rows: number, law: Law, samples = 20): number =>
  Array.from({ length: samples }, (_, seed) => isRejecting(drawn(rows, seed, law))).filter(Boolean).length / samples;

const line = (x: readonly number[], noise: number): Row => ({ x, y: sum(x) + noise });

describe('rows that a redescending loss would reject', () => {
  const tails: Record<string, Law> = {
    'normal noise': (x, random) => line(x, normal(random)),
    't(2) noise': (x, random) => line(x, studentT(random, 2)),
    'exponential noise': (x, random) => line(x, -Math.log(uniform(random))),
    'log-normal noise': (x, random) => line(x, Math.exp(1.2 * normal(random))),
    'noise that grows with a feature': (x, random) => line(x, Math.exp(x[0]!) * normal(random)),
    'skewed noise that grows with the prediction': (x, random) =>
      line(x, Math.exp(0.3 * sum(x)) * -Math.log(uniform(random))),
    'a curved relation': (x, random) => ({ x, y: Math.exp(0.6 * sum(x)) + normal(random) }),
  };
  for (const [name, law] of Object.entries(tails)) {
    it(`are a tail, and count: ${name}`, () => {
      for (const rows of [300, 3000]) expect(shareRejecting(rows, law), `${rows} rows`).to.be.at.most(0.1);
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
    'features 20 times as wide, beside t(3) noise': (x, random) =>
      uniform(random) < 0.05 ? { x: x.map(value => 20 * value), y: normal(random) } : line(x, studentT(random, 3)),
  };
  for (const [name, law] of Object.entries(outliers)) {
    it(`are outliers, and do not count: ${name}`, () => {
      expect(shareRejecting(3000, law)).to.be.at.least(0.9);
    });
  }

  it('are outliers in most samples where targets alone are off, which costs Huber little either way', () => {
    const law: Law = (x, random) => line(x, normal(random) + (uniform(random) < 0.05 ? 30 : 0));
    expect(shareRejecting(3000, law)).to.be.at.least(0.6);
    expect(shareRejecting(20_000, law, 10)).to.equal(1);
  });

  it('are outliers though there are only four of 400, where they have leverage', () => {
    const law: Law = (x, random) => {
      const isOdd = uniform(random) < 0.01;
      return isOdd ? { x: x.map(value => 20 * value), y: normal(random) } : line(x, normal(random));
    };
    expect(shareRejecting(400, law)).to.be.at.least(0.75);
  });

  it('are judged by all rows, whatever their order', () => {
    const batch = drawn(6000, 'order', tails['a curved relation']!);
    const turned = (values: Float64Array): Float64Array => values.slice().reverse();
    const reversed = sampleBatch(batch.columns.map(turned), turned(batch.target));
    const [one, other] = [batch, reversed].map(rows => studyPilot(rows, { loss: 'auto', intercept: true }));
    expect(one!.estimate.loss.name).to.equal(other!.estimate.loss.name);
    one!.estimate.theta.forEach((value, j) => {
      expect(other!.estimate.theta[j]).to.be.closeTo(value, 1e-3);
    });
  });
});
