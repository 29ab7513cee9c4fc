import { refuse, requirePositive } from '../../errors.ts';
import type { Constraint } from '../constraint/constraint.ts';
import { type FrankWolfeState, frankWolfe } from './frankWolfe.ts';
import type { UpdateRule } from './updateRule.ts';

export interface Acceleration {
  readonly strongConvexity: number;
  readonly gradientFloor: number;
  readonly smoothness: number;
}

/** eta of alg:ReAccFW. */
export const acceleratedStep = ({ strongConvexity, gradientFloor, smoothness }: Acceleration): number =>
  Math.min(1, (strongConvexity * gradientFloor) / (4 * smoothness));

/** c of theorem ACCFWV3. */
export const acceleratedContraction = ({ strongConvexity, gradientFloor, smoothness }: Acceleration): number =>
  Math.max(1 / 2, 1 - (strongConvexity * gradientFloor) / (8 * smoothness));

/**
 * Accelerated Frank-Wolfe (alg:ReAccFW, alg:PrivFWERM): over a strongly convex set on which the gradient never
 * vanishes, a constant step makes the error decrease geometrically (theorem ACCFWV3).
 *
 *   eta = min{1, alpha_C r / (4 tau_u)},   c = max{1/2, 1 - alpha_C r / (8 tau_u)}
 *   F(theta_t) - F* <= c^t (F(theta_0) - F*) + 3 Delta eta / (2 (1 - c))   for Delta-inexact minimisers v
 *
 *   alpha_C -> constraint.strongConvexity, r -> gradientFloor (||gradient|| >= r over C), tau_u -> smoothness
 */
export function acceleratedFrankWolfe({
  constraint,
  gradientFloor,
  smoothness,
}: {
  readonly constraint: Constraint;
  readonly gradientFloor: number;
  readonly smoothness: number;
}): UpdateRule<FrankWolfeState> {
  requirePositive('gradientFloor', gradientFloor);
  requirePositive('smoothness', smoothness);
  const { strongConvexity } = constraint;
  if (!(strongConvexity > 0)) refuse('constraint', 'be strongly convex', constraint.name, 'use l2Ball, or frankWolfe');
  const stepSize = acceleratedStep({ strongConvexity, gradientFloor, smoothness });
  return Object.freeze({ ...frankWolfe({ constraint, stepSize }), name: 'accelerated-frank-wolfe' });
}
