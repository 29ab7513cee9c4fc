import { expect } from 'chai';
import { fitPrivate } from '../../src/flow/fitPrivate.ts';
import { pseudoHuber } from '../../src/loss/pseudoHuber.ts';
import { type PrivatePlan, planPrivate } from '../../src/plan/planPrivate.ts';
import { predictError } from '../../src/plan/predictError.ts';
import { privateUncertainty } from '../../src/plan/privateUncertainty.ts';
import { normal } from '../../src/random/normal.ts';
import { uniform } from '../../src/random/random.ts';
import { seeded } from '../../src/random/seeded.ts';
import { sampleBatch } from '../../src/sample/sampleBatch.ts';
import { samplesOf } from '../../src/sample/samples.ts';
import { scalingOf } from '../../src/sample/scaling.ts';
import type { Whitening } from '../../src/sample/whitening.ts';

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
const planWith = (moments: 'yes' | 'no'): PrivatePlan =>
  planPrivate({ rows: 20_000, loss: pseudoHuber(0.2), scaling, epsilon: 1, delta: 1e-6, moments });
const plan = planWith('no');
const knowing = planWith('yes');
const truth = [0.4, -0.06, -1] as const;

/** How many of the intervals of a few runs hold the truth, where features fill a part of their bounds, about a place in them. */
async function covered(plan: PrivatePlan, part: number, runs: number, place = 0): Promise<number> {
  let count = 0;
  for (let run = 0; run < runs; run++) {
    const random = seeded(run, 'rows');
    const spread = (middle: number, half: number): Float64Array =>
      Float64Array.from({ length: 20_000 }, () => middle + half * (place + part * (2 * uniform(random) - 1)));
    const [a, b] = [spread(5, 5), spread(0, 50)];
    const y = a.map((value, i) => truth[0] * value + truth[1] * b[i]! + truth[2] + normal(random));
    const { theta, ...released } = await fitPrivate(samplesOf(sampleBatch([a, b], y)), plan, {
      random: seeded(run, 'noise'),
      order: 'as-is',
    });
    const { errors, reach } = privateUncertainty(plan, released)!;
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
    for (const part of [1, 0.5]) expect(await covered(plan, part, 10)).to.be.at.least(25);
  });

  it('does not where they fill a fifth, which is why it says how much wider that would be', async () => {
    expect(await covered(plan, 0.2, 10)).to.be.below(25);
    expect(privateUncertainty(plan)!.ifNarrow).to.be.above(10);
  });

  it('covers whatever they fill, and wherever, once second moments are known', async () => {
    for (const [part, place] of [
      [1, 0],
      [0.5, 0],
      [0.2, 0],
      [0.1, 0],
      [0.1, -0.85],
      [0.02, 0.9],
    ] as const) {
      expect(await covered(knowing, part, 10, place), `${part} ${place}`).to.be.at.least(25);
    }
  });

  it('is along the axes of the moments, in the units of the data, the intercept with what slopes do to it', () => {
    const whitening: Whitening = {
      centre: Float64Array.of(0.3, -0.2),
      axes: [
        { direction: Float64Array.of(0.6, 0.8), moment: 0.2, floor: 0.01, spread: Math.sqrt(0.21) },
        { direction: Float64Array.of(-0.8, 0.6), moment: 0.05, floor: 0.01, spread: Math.sqrt(0.06) },
      ],
      intercept: true,
    };
    const still = { whitening, curvatures: null, rest: new Float64Array(3) };
    const { errors, ifNarrow } = privateUncertainty(knowing, still)!;
    expect(ifNarrow).to.equal(null);
    const { curvature } = knowing.moments!;
    const { each } = predictError({
      ...knowing.descent!,
      // All of the length along one axis, and two floors less than each moment.
      distance: Math.sqrt(3) * knowing.descent!.distance,
      curvatures: [(curvature * 0.18) / 0.21, (curvature * 0.03) / 0.06, curvature],
      units: [1 / Math.sqrt(0.21), 1 / Math.sqrt(0.06), 1],
    });
    const [e, f, g] = each as [number, number, number];
    expect(errors[0]).to.be.closeTo((10 / 5) * Math.hypot(0.6 * e, -0.8 * f), 1e-12);
    expect(errors[1]).to.be.closeTo((10 / 50) * Math.hypot(0.8 * e, 0.6 * f), 1e-12);
    // The first feature has its middle at 5, in units of 5: rows are about 1.3 of them, and -0.2 of the other's.
    const [first, second] = [0.6 * 1.3 - 0.8 * 0.2, -0.8 * 1.3 - 0.6 * 0.2];
    expect(errors[2]).to.be.closeTo(10 * Math.hypot(g, first * e, second * f), 1e-12);

    // A path that shows more curvature than the moments do makes less of it, and gradients that are left make more.
    const shown = privateUncertainty(knowing, { ...still, curvatures: Float64Array.of(0, curvature, 0) })!;
    expect(shown.errors[1]).to.be.below(errors[1]!);
    const pulled = privateUncertainty(knowing, { ...still, rest: Float64Array.of(0.01, 0, 0) })!;
    const missing = 0.01 / ((curvature * 0.18) / 0.21) / Math.sqrt(0.21);
    expect(pulled.errors[0]).to.be.closeTo(
      (10 / 5) * Math.hypot(0.6 * Math.hypot(e, missing), -0.8 * f),
      1e-12,
    );
  });

  it('has nothing to say of rules that the model does not describe', () => {
    expect(
      privateUncertainty({ predicted: null, predictedIfNarrow: null, moments: null, descent: null, scaling }),
    ).to.equal(null);
  });
});
