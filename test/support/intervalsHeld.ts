import { fitPrivate } from '../../src/fit/private/fitPrivate.ts';
import { privateUncertainty } from '../../src/inference/intervals/private/privateUncertainty.ts';
import { type Random, uniform } from '../../src/math/random/random.ts';
import { seeded } from '../../src/math/random/seeded.ts';
import type { Loss } from '../../src/method/loss/loss.ts';
import { poisson } from '../../src/method/loss/poisson.ts';
import { planPrivate } from '../../src/plan/private/planPrivate.ts';
import { sampleBatch } from '../../src/sample/sampleBatch.ts';
import { samplesOf } from '../../src/sample/samples.ts';
import { type Interval, scalingOf } from '../../src/sample/transform/scaling.ts';

interface Law {
  readonly bounds: number;
  readonly target: Interval;
  readonly truth: readonly [number, number, number];
  readonly loss: Loss;
  readonly draw: (score: number, random: Random) => number;
}

interface Held {
  readonly held: number;
  readonly mean: readonly number[];
}

/** How many of the intervals of some private fits hold the truth, three of each fit, and the mean of the estimates. */
export async function intervalsHeld(
  { bounds, target, truth, loss, draw }: Law,
  epsilon: number,
  runs = 20,
): Promise<Held> {
  const n = 10_000;
  const plan = planPrivate({
    rows: n,
    loss,
    scaling: scalingOf({
      features: 2,
      bounds: { intervals: Array(2).fill({ least: -bounds, most: bounds }) },
      target,
      intercept: true,
      scalesTarget: loss.targets.least < 0,
    }),
    epsilon,
    delta: 1e-6,
  });
  let held = 0;
  const mean = [0, 0, 0];
  for (let seed = 0; seed < runs; seed++) {
    const drawn = seeded(seed, 'intervalsHeld');
    const columns = truth.slice(1).map(() => Float64Array.from({ length: n }, () => 2 * uniform(drawn) - 1));
    const targets = Float64Array.from({ length: n }, (_, i) =>
      draw(truth[0] * columns[0]![i]! + truth[1] * columns[1]![i]! + truth[2], drawn),
    );
    const found = await fitPrivate(samplesOf(sampleBatch(columns, targets)), plan, {
      random: seeded(seed, 'noise of intervalsHeld'),
    });
    const { errors, reach } = privateUncertainty(plan, found.released)!;
    truth.forEach((value, j) => {
      if (Math.abs(found.theta[j]! - value) <= reach * errors[j]!) held++;
      mean[j]! += found.theta[j]! / runs;
    });
  }
  return { held, mean };
}

/** The same of rates of counts: about e^0.5 where 30 is declared, and about e^3 where 100 is. */
export function countsHeld(runs: number): Promise<(Held & Pick<Law, 'truth'>)[]> {
  const draw = (score: number, random: Random): number => {
    const least = Math.exp(-Math.exp(score));
    let count = 0;
    for (let product = uniform(random); product > least; product *= uniform(random)) count++;
    return count;
  };
  return Promise.all(
    (
      [
        [0.5, 30],
        [3, 100],
      ] as const
    ).map(async ([intercept, most]) => {
      const truth = [0.4, -0.4, intercept] as const;
      const law = { bounds: 1, target: { least: 0, most }, truth, loss: poisson(), draw };
      return { truth, ...(await intervalsHeld(law, 3, runs)) };
    }),
  );
}
