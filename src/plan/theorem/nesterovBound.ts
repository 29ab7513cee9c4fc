import { type Bound, bound } from './bound.ts';
import type { GradientError } from './lemmas/estimators.ts';
import { R_CORRECTION, stableNesterov } from './lemmas/stableDescent.ts';
import type { Numbers } from './prescription.ts';
import type { FromTwoPoints } from './stability.ts';

/** The bound of theorems htAGD and Hu_eps_Nester after T steps, by theorem AGD. */
export function nesterovBound(
  { alpha, beta }: GradientError,
  {
    smoothness,
    strongConvexity,
    startDistance,
    startRisk = (smoothness / 2) * startDistance ** 2,
    iterateConstant = 1,
    noise,
    concentration,
    failureProbability,
    steps,
    claimConstant,
  }: FromTwoPoints &
    Numbers<'smoothness' | 'strongConvexity' | 'startDistance' | 'noise' | 'concentration' | 'failureProbability'> &
    Numbers<'steps' | 'claimConstant'>,
): Bound {
  const after = (): number =>
    stableNesterov({
      ...{ smoothness, strongConvexity, alpha, beta, startDistance, startRisk, iterateConstant },
    }).distanceAfter(steps);
  return bound({
    formula:
      'sqrt(2 (R(theta_0) - R(theta*))/tau_l + ||theta_0 - theta*||^2) rho^T + (tau_u/tau_l)^(1/4) sqrt(R/tau_l), rho^2 = 1 - sqrt(tau_l/tau_u)',
    value: Number.isFinite(alpha) && Number.isFinite(steps) ? after() : Infinity,
    open: {
      C1: concentration,
      C3: iterateConstant,
      sigma_2: noise,
      '||theta_0 - theta*||': startDistance,
      'R(theta_0) - R(theta*)': startRisk,
    },
    failure: { zeta: failureProbability, times: 1 },
    correction: R_CORRECTION,
    claimConstant,
  });
}
