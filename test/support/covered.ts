import { fitPrivate } from '../../src/fit/private/fitPrivate.ts';
import { privateUncertainty } from '../../src/inference/intervals/private/privateUncertainty.ts';
import { normal } from '../../src/math/random/normal.ts';
import { uniform } from '../../src/math/random/random.ts';
import { seeded } from '../../src/math/random/seeded.ts';
import { pseudoHuber } from '../../src/method/loss/pseudoHuber.ts';
import { type PrivatePlan, planPrivate } from '../../src/plan/private/planPrivate.ts';
import { sampleBatch } from '../../src/sample/sampleBatch.ts';
import { samplesOf } from '../../src/sample/samples.ts';
import { scalingOf } from '../../src/sample/transform/scaling.ts';

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
export const plan = planWith('no');
/** With second moments released first. */
export const knowing = planWith('yes');
const truth = [0.4, -0.06, -1] as const;

/**
 * How many of the intervals of a few runs hold the truth, where features fill a part of their bounds, about a place in
 * them.
 */
export async function covered(plan: PrivatePlan, part: number, runs: number, place = 0): Promise<number> {
  let count = 0;
  for (let run = 0; run < runs; run++) {
    const random = seeded(run, 'rows');
    const spread = (middle: number, half: number): Float64Array =>
      Float64Array.from({ length: 20_000 }, () => middle + half * (place + part * (2 * uniform(random) - 1)));
    const [a, b] = [spread(5, 5), spread(0, 50)];
    const y = a.map((value, i) => truth[0] * value + truth[1] * b[i]! + truth[2] + normal(random));
    const { theta, released } = await fitPrivate(samplesOf(sampleBatch([a, b], y)), plan, {
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
