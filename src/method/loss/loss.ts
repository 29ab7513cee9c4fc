import type { Domain } from './domain.ts';

/**
 * A loss of a linear score s = x.theta and a target y, convex unless its file says otherwise. The gradient of one row
 * is slope(s, y) * x, plus penalty * theta if the loss is penalised. The penalty does not depend on the data, so it is
 * added after aggregation and noise.
 */
export interface Loss {
  /** The factory and its parameters, such as `pseudoHuber(0.2)`: equal names mean equal losses. */
  readonly name: string;
  /** The targets the loss is defined for. */
  readonly targets: { readonly least: number; readonly most: number };
  /**
   * How compiled kernels identify the slope; a loss without it uses the reference kernel. Code that overrides `slope`
   * must remove it.
   */
  readonly kernel?: LossKernel;
  /** The weight gamma of gamma/2 ||theta||^2; 0 if there is none. */
  readonly penalty: number;
  value(score: number, target: number): number;
  /** The derivative of `value` with respect to the score. */
  slope(score: number, target: number): number;
  /** An upper bound on ||slope * x||_2 over the domain: the sensitivity of a row's gradient. */
  lipschitz(domain: Domain): number;
  /** An upper bound on the largest eigenvalue of a row's Hessian over the domain, penalty included. */
  smoothness(domain: Domain): number;
}

/** The compiled slope of a loss, and its parameter. */
export interface LossKernel {
  readonly kind: 'squared' | 'logistic' | 'weighted-logistic' | 'pseudo-huber' | 'geman-mcclure' | 'tukey';
  /** The q of pseudo-Huber and Geman-McClure, the c of Tukey's; 0 for the others. */
  readonly parameter: number;
}

export const anyTarget = /* @__PURE__ */ Object.freeze({ least: -Infinity, most: Infinity });

/**
 * The minimum of the loss over scores for a given target: at the score log y for counts; 0 if a score can match the
 * target exactly.
 */
export const leastValue = (loss: Loss, target: number): number =>
  isOfCounts(loss) && target > 0 ? loss.value(Math.log(target), target) : 0;

const isOfCounts = ({ targets }: Loss): boolean => targets.least === 0 && targets.most === Infinity;

/** The second derivative of a loss at a score, by a difference of slopes. */
export function slopeOfSlope(loss: Loss, score: number, target: number): number {
  // The step is relative to q, the scale on which the slope changes, not to the score: with targets far from 0 the step
  // would otherwise exceed q.
  const h = 1e-5 * (loss.kernel?.parameter || Math.max(1, Math.abs(score)));
  // If the loss depends on the residual alone, difference in the residual: next to a large target, h would be lost to
  // rounding.
  const isOfResidual = loss.kernel !== undefined && loss.targets.least === -Infinity;
  const [at, y] = isOfResidual ? [score - target, 0] : [score, target];
  return (loss.slope(at + h, y) - loss.slope(at - h, y)) / (2 * h);
}
