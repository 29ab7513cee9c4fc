import { meanOf } from '../../../math/median.ts';
import type { RankFactor } from '../../../math/rankFactor.ts';
import { addScaled, dot, type Vector } from '../../../math/vector.ts';
import type { Loss } from '../../../method/loss/loss.ts';
import type { SampleBatch } from '../../../sample/sampleBatch.ts';
import { curvatureFactor, solveBy } from './curvatureFactor.ts';
import { type Derivatives, type RiskOptions, type WeightedRisk, weightedRisk } from './weightedRisk.ts';

/**
 * Minimisers of a risk over rows in memory.
 *
 * Newton's method with step halving. Coordinates that the rows do not determine stay where they are.
 */
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
    // The last step: convergence is quadratic.
    if (dot(step, gradient) <= LITTLE * Math.abs(value)) return addScaled(theta, -1, step);
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
 * Directions that few rows of little weight determine may need a long step for a fall that is small compared with
 * others.
 */
const LITTLE = 1e-12;

/**
 * Iteratively reweighted least squares, with weights slope(r)/r at the residuals r of the round before (slopes are odd
 * in r): the risk falls in every round, even if the loss is not convex, where Newton steps may climb. Convergence is
 * linear, though, so that Newton steps take over near the minimum, as long as the risk falls.
 */
export function irls(batch: SampleBatch, loss: Loss, from: Vector, options: RiskOptions): Vector {
  const risk = weightedRisk(batch, options);
  let theta = from;
  let before = { theta, value: Infinity, rank: 0 };
  const still = STILL ** 2 * varianceOf(batch.target);
  let least = new Float64Array(0);
  let isNewton = false;
  let mayNewton = true;
  for (let round = 0; round < 50; round++) {
    const at: Derivatives = isNewton ? risk.derivatives(loss, theta) : risk.reweighted(loss, theta);
    const { value, gradient, curvature } = at;
    const factorOf = (matrix: Float64Array): RankFactor => curvatureFactor(matrix, risk.size, options.intercept);
    const factor = factorOf(curvature);
    const rank = factor.kept.length;
    const isSteep = (): boolean => factorOf(curvature.map((own, at) => own - least[at]!)).kept.length >= before.rank;
    if (isNewton && (value > (1 + SETTLED) * before.value || !isSteep())) {
      // The last step climbed, or the curvature is almost 0 or negative: go back, and on by reweighting alone.
      ({ theta } = before);
      isNewton = false;
      mayNewton = false;
      continue;
    }
    before = { theta, value, rank };
    if (!isNewton) least = curvature.map(own => LEAST_CURVATURE * own);
    const step = solveBy(factor, gradient);
    theta = addScaled(theta, -1, step);
    // By the expected fall of the risk, compared with what sampling noise leaves in it.
    const fall = dot(step, gradient);
    if (fall <= Math.max(SETTLED * value, still)) break;
    isNewton = mayNewton && fall <= NEAR * value;
  }
  return theta;
}

const SETTLED = 1e-9;

/** Of the scale of the targets: where the fit goes through all of them, only rounding is left. */
const STILL = 1e-11;

function varianceOf(values: Float64Array): number {
  const mean = meanOf(values);
  let squares = 0;
  for (let i = 0; i < values.length; i++) squares += (values[i]! - mean) ** 2;
  return squares / values.length;
}

/** Of the curvature of reweighted least squares: along a direction with less, a Newton step may go anywhere. */
const LEAST_CURVATURE = 0.1;

/** Residuals then move by about a tenth of their size. */
const NEAR = 1e-2;

/**
 * The curvature of a risk at a point, and a substitute where it is unsafe.
 *
 * The Hessian of a non-convex loss may be nearly 0 or negative along directions that few rows determine, and Newton
 * steps would go anywhere. The curvature of iteratively reweighted least squares, with weights slope/r, is larger.
 * Losses of generalized linear models are convex. The Hessian is safe where `margin`, which is the Hessian less
 * LEAST_CURVATURE of the reweighted curvature, has full rank.
 */
export function lossCurvatures(risk: WeightedRisk, loss: Loss, at: Vector) {
  const hessian = risk.derivatives(loss, at).curvature;
  if (loss.targets.least > -Infinity) return { hessian, reweighted: hessian, margin: hessian };
  const reweighted = risk.reweighted(loss, at).curvature;
  return {
    hessian,
    reweighted,
    margin: hessian.map((value, place) => value - LEAST_CURVATURE * reweighted[place]!),
  };
}
