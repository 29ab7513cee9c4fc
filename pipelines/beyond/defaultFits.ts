/**
 * What Sluice does with a figure's rows by default.
 *
 *   plots 4 to 7   fitRows(samples), nothing else: no theta*, no curvature, no radius
 *   plots 1 to 3   planPrivate and fitPrivate with the figure's loss, epsilon, delta and, for plot1, its ball, from whose
 *                  best point the excess risk is measured; features within the cube they are drawn from. Steps, mode,
 *                  noise and rule are left to the plan
 */

import { fitPrivate, fitRows } from '../../src/fit/index.ts';
import { samplesOf } from '../../src/flow/index.ts';
import type { SampleBatch } from '../../src/index.ts';
import { ArgumentError, l2Ball, type Plan, seeded } from '../../src/index.ts';
import type { Vector } from '../../src/method/index.ts';
import { type Interval, type PrivateOptions, type PrivatePlan, planPrivate, scalingOf } from '../../src/plan/index.ts';

interface Declared {
  /** The bound on |x_j|. */
  readonly halfWidth: number;
  readonly target: Interval;
  readonly set?: NonNullable<PrivateOptions['set']>;
}

const ball = (radius: number) => ({ constraint: l2Ball(radius), radius });

const DECLARED: Readonly<Record<string, Declared>> = {
  plot1: { halfWidth: 1, target: { least: -1, most: 1 }, set: ball(1 / (4 * Math.sqrt(10))) },
  plot2: { halfWidth: 1 / Math.sqrt(3), target: { least: 0, most: 1 } },
  // Student's t has no bounds; pseudo-Huber's gradients are bounded whatever the target.
  plot3: { halfWidth: 1 / Math.sqrt(10), target: { least: -1000, most: 1000 } },
};

/**
 * The default's theta for each of the paper's plans, or null where it refuses. Plans that differ only in method share
 * one fit.
 */
export function defaultFits(figure: string, data: SampleBatch, seed: number): (plan: Plan) => Promise<Vector | null> {
  const known = new Map<number, Promise<Vector | null>>();
  return plan => {
    const epsilon = plan.privacy?.epsilon ?? Infinity;
    const found = known.get(epsilon) ?? fitted(figure, data, plan, seed);
    known.set(epsilon, found);
    return found;
  };
}

async function fitted(figure: string, data: SampleBatch, plan: Plan, seed: number): Promise<Vector | null> {
  if (plan.privacy === null) {
    const { fit } = await fitRows(samplesOf(data));
    // The figures' models have no intercept; the default has one, last.
    return fit.theta.slice(0, plan.features);
  }
  const planned = privatePlan(DECLARED[figure]!, plan);
  const random = seeded(seed, `${figure}, default eps=${plan.privacy.epsilon}, ${data.rows}`);
  return planned && (await fitPrivate(samplesOf(data), planned, { random })).theta;
}

function privatePlan(
  { halfWidth, target, set }: Declared,
  { rows, features, loss, privacy }: Plan,
): PrivatePlan | null {
  const { epsilon, delta } = privacy!;
  const intervals = Array(features).fill({ least: -halfWidth, most: halfWidth });
  const scaling = scalingOf({
    features,
    bounds: { intervals },
    target,
    intercept: false,
    scalesTarget: false,
  });
  try {
    return planPrivate({
      ...{ rows, loss, scaling, epsilon, delta },
      // The figures' delta of 1/3 protects nobody, but both sides are to have the same.
      acceptLargeDelta: true,
      ...(set && { set }),
    });
  } catch (error) {
    if (error instanceof ArgumentError && error.code === 'ERR_TOO_FEW_ROWS') return null;
    throw error;
  }
}
