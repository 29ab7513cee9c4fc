/** Estimates of a risk over rows in memory. */
import type { Loss } from '../loss/loss.ts';
import { addScaled, dot, type Vector } from '../math/vector.ts';
import type { SampleBatch } from '../sample/sampleBatch.ts';
import { curvatureFactor, solveBy } from './curvatureFactor.ts';
import { type RiskOptions, type WeightedRisk, weightedRisk } from './weightedRisk.ts';

/** Newton steps, each halved until the risk falls. Coordinates that say nothing of their own stay where they are. */
export function minimize(
  risk: WeightedRisk,
  loss: Loss,
  from: Vector,
  { intercept }: Pick<RiskOptions, 'intercept'>,
): Vector {
  let theta = from;
  let value = risk.value(loss, theta);
  for (let iteration = 0; iteration < 30; iteration++) {
    const { gradient, curvature } = risk.derivatives(loss, theta);
    const step = solveBy(curvatureFactor(curvature, risk.size, intercept), gradient);
    let share = 1;
    let next = theta;
    let reached = value;
    do {
      next = addScaled(theta, -share, step);
      reached = risk.value(loss, next);
      share /= 2;
    } while (!(reached <= value) && share > 1e-6);
    if (!(reached <= value)) return theta;
    const settled = value - reached <= 1e-10 * Math.abs(value);
    theta = next;
    value = reached;
    if (settled) break;
  }
  return theta;
}

/**
 * Least squares over and over, rows weighted by slope(r)/r at the residuals r of the round before (slopes are odd in r): the risk falls with every round, also of a loss that is not convex, where Newton steps may climb.
 */
export function reweigh(batch: SampleBatch, loss: Loss, from: Vector, options: RiskOptions): Vector {
  const risk = weightedRisk(batch, options);
  let theta = from;
  for (let round = 0; round < 50; round++) {
    const { value, gradient, curvature } = risk.reweighted(loss, theta);
    const step = solveBy(curvatureFactor(curvature, risk.size, options.intercept), gradient);
    theta = addScaled(theta, -1, step);
    // By the fall that the step promises, beside what sampling noise leaves in the risk.
    if (dot(step, gradient) <= SETTLED * value) break;
  }
  return theta;
}

const SETTLED = 1e-9;
