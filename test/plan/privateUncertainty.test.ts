import { expect } from 'chai';
import { fitPrivate } from '../../src/flow/fitPrivate.ts';
import { pseudoHuber } from '../../src/loss/pseudoHuber.ts';
import { planPrivate } from '../../src/plan/planPrivate.ts';
import { privateUncertainty } from '../../src/plan/privateUncertainty.ts';
import { normal } from '../../src/random/normal.ts';
import { uniform } from '../../src/random/random.ts';
import { seeded } from '../../src/random/seeded.ts';
import { sampleBatch } from '../../src/sample/sampleBatch.ts';
import { samplesOf } from '../../src/sample/samples.ts';
import { scalingOf } from '../../src/sample/scaling.ts';

const scaling = scalingOf({
  features: 2,
  bounds: {
    intervals: [
      { least: 0, most: 10 },
      { least: -50, most: 50 },
    ],
  },
  target: { least: -10, most: 10 },
  intercept: true,
  scalesTarget: true,
});
const plan = planPrivate({ rows: 20_000, loss: pseudoHuber(0.2), scaling, epsilon: 1, delta: 1e-6 });
const truth = [0.4, -0.06, -1] as const;

/** How many of the intervals of a few runs hold the truth, where features fill a part of their bounds. */
async function covered(part: number, runs: number): Promise<number> {
  const { errors, reach } = privateUncertainty(plan)!;
  let count = 0;
  for (let run = 0; run < runs; run++) {
    const random = seeded(run, 'rows');
    const spread = (middle: number, half: number): Float64Array =>
      Float64Array.from({ length: 20_000 }, () => middle + part * half * (2 * uniform(random) - 1));
    const [a, b] = [spread(5, 5), spread(0, 50)];
    const y = a.map((value, i) => truth[0] * value + truth[1] * b[i]! + truth[2] + normal(random));
    const { theta } = await fitPrivate(samplesOf(sampleBatch([a, b], y)), plan, {
      random: seeded(run, 'noise'),
      order: 'as-is',
    });
    theta.forEach((value, j) => {
      if (Math.abs(value - truth[j]!) <= reach * errors[j]!) count++;
    });
  }
  return count;
}

describe('privateUncertainty', () => {
  it('is in the units of the data', () => {
    const { errors, reach, radius, level } = privateUncertainty(plan)!;
    const [a, b, constant] = plan.predicted!.each as [number, number, number];
    expect(errors[0]).to.be.closeTo((a * 10) / 5, 1e-12);
    expect(errors[1]).to.be.closeTo((b * 10) / 50, 1e-12);
    expect(errors[2]).to.be.closeTo(Math.hypot(10 * constant, 5 * errors[0]!), 1e-12);
    expect([level, reach]).to.deep.equal([0.95, reach]);
    expect(reach).to.be.closeTo(1.959964, 1e-6);
    expect(radius).to.be.closeTo(2.39398, 1e-5);
  });

  it('covers, and more, where features fill their bounds or half of them', async () => {
    // Seeds are fixed. Of 30 intervals that cover 95 % each, 24 or fewer would with a probability of 3e-3.
    for (const part of [1, 0.5]) expect(await covered(part, 10)).to.be.at.least(25);
  });

  it('does not where they fill a fifth, which is why it says how much wider that would be', async () => {
    expect(await covered(0.2, 10)).to.be.below(25);
    expect(privateUncertainty(plan)!.ifNarrow).to.be.above(10);
  });

  it('has nothing to say of rules that the model does not describe', () => {
    expect(privateUncertainty({ predicted: null, predictedIfNarrow: null, moments: null, descent: null, scaling })).to.equal(null);
  });
});
