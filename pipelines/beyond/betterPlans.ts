/**
 * A plan of the paper with one change, everything else being equal: rule, T, blocks, start, epsilon and delta.
 *
 *   geometric        step t sees 1/RATIO times as many rows as step t - 1, so that the last ones, whose errors no later
 *                    step contracts, see most
 *   preconditioned   theta <- theta - A^-1 g, A = X'X/n: at condition number 1 gradient descent takes steps of 1, and
 *                    Nesterov's momentum is 0
 *   least noise      calibration `exact` over full batches, `parallel` over chunks, instead of the paper's formula
 *
 * Each is present only where it applies. A full batch has no chunks. In other coordinates Frank-Wolfe's ball would be
 * an ellipsoid, and a private plan may not read X'X for free: preconditioning is for non-private rules over all of R^p.
 */

import type { SampleBatch } from '../../src/index.ts';
import { type Plan, planFit, projectedGradient } from '../../src/index.ts';
import { cholesky, dot, preconditioned } from '../../src/method/index.ts';
import { type Aggregate, type FitOptions, geometricChunks, type PrivacyTarget } from '../../src/plan/index.ts';

export type Change = 'geometric' | 'preconditioned' | 'least noise';

export function betterPlans(plan: Plan, data: SampleBatch): Readonly<Partial<Record<Change, Plan>>> {
  return {
    ...(plan.mode === 'fresh' && { geometric: withGeometricChunks(plan) }),
    ...(plan.privacy === null && isAnywhere(plan) && { preconditioned: withPreconditioning(plan, data) }),
    ...(plan.privacy !== null && { 'least noise': withLeastNoise(plan, plan.privacy) }),
  };
}

const isAnywhere = ({ rule }: Plan): boolean => ['projected-gradient', 'nesterov'].includes(rule.name);

/** Smaller ratios leave so few rows to the first chunks of plot3 that later steps cannot undo their noise. */
const RATIO = 0.7;

function withGeometricChunks(plan: Plan): Plan {
  const { rows, steps } = plan;
  const { blocks } = steps[0]!;
  const schedule = geometricChunks({ rows, steps: steps.length, ratio: RATIO, least: 2 * blocks });
  return planFit({ ...asBefore(plan), schedule });
}

function withLeastNoise(plan: Plan, privacy: PrivacyTarget): Plan {
  const calibration = plan.mode === 'full' ? 'exact' : 'parallel';
  return planFit({ ...asBefore(plan), privacy: { ...privacy, calibration } });
}

const asBefore = (plan: Plan): FitOptions => ({
  rows: plan.rows,
  features: plan.features,
  loss: plan.loss,
  rule: plan.rule,
  start: plan.start,
  mode: plan.mode,
  steps: plan.steps.length,
  blocks: plan.steps[0]!.blocks,
  aggregate: aggregateOf(plan),
  ...(plan.mode === 'fresh' && { schedule: { chunks: plan.steps.map(({ rows }) => rows) } }),
  ...(plan.privacy && { privacy: plan.privacy }),
});

function aggregateOf({ estimation, privacy }: Plan): Aggregate {
  if (privacy !== null) return 'mean';
  return estimation.kind === 'huber' ? { huber: estimation.contamination } : estimation.aggregator;
}

function withPreconditioning(plan: Plan, { rows, columns }: SampleBatch): Plan {
  const size = columns.length;
  const moments = Float64Array.from(
    { length: size * size },
    (_, at) => dot(columns[Math.floor(at / size)]!, columns[at % size]!) / rows,
  );
  const factor = cholesky(moments, size)!;
  return { ...plan, rule: preconditioned(projectedGradient({ stepSize: 1 }), factor) };
}
