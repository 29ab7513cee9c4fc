/** Private plans over few rows, for audits. */
import { smallPlan } from '../../src/lab/audit/privatePipeline.ts';
import { l2Ball } from '../../src/method/constraint/l2Ball.ts';
import { pseudoHuber } from '../../src/method/loss/pseudoHuber.ts';
import { type PrivateOptions, type PrivatePlan, planPrivate } from '../../src/plan/private/planPrivate.ts';
import { type ScalingOptions, scalingOf } from '../../src/sample/transform/scaling.ts';

export const auditedScaling = (options: Partial<ScalingOptions> = {}) =>
  scalingOf({
    features: 2,
    bounds: {
      intervals: [
        { least: -1, most: 1 },
        { least: 5, most: 25 },
      ],
    },
    target: { least: 0, most: 1 },
    intercept: true,
    scalesTarget: false,
    ...options,
  });

export const auditedSet = { constraint: l2Ball(1), radius: 1 };

export function auditedPlan(options: Partial<PrivateOptions> = {}, rows = 24): PrivatePlan {
  const made = planPrivate({
    rows: 10_000_000,
    loss: pseudoHuber(1),
    scaling: auditedScaling(),
    epsilon: 0.9,
    delta: 1e-8,
    steps: 3,
    ...options,
  });
  return smallPlan(made, rows);
}
