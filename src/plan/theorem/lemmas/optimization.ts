/** What the paper's lemmas bound without data: descent with exact, inexact and approximately minimised gradients. */
import { requireInteger, requireNonNegative } from '../../../errors.ts';
import { acceleratedContraction, acceleratedStep } from '../../../method/rule/acceleratedFrankWolfe.ts';
import { type Numbers, requireNumbers } from '../prescription.ts';

/**
 * Theorem ACCFWV3: relaxed accelerated Frank-Wolfe after t steps, from an excess h0.
 *
 *   F(x_t) - F(x*) <= c^t h0 + 3 Delta eta/(2 (1 - c)),   c = max{1/2, 1 - alpha_C r/(8 tau_u)}, eta = min{1, alpha_C r/(4 tau_u)}
 *
 *   h0 -> startExcess, Delta -> inexactness, t -> steps, alpha_C -> strongConvexity, r -> gradientFloor, tau_u -> smoothness
 */
export function acceleratedExcess({
  startExcess,
  inexactness,
  steps,
  ...curve
}: Numbers<'startExcess' | 'inexactness' | 'steps' | 'strongConvexity' | 'gradientFloor' | 'smoothness'>): number {
  requireNonNegative('startExcess', startExcess);
  requireNonNegative('inexactness', inexactness);
  requireInteger('steps', steps, 0);
  const [c, eta] = [acceleratedContraction(curve), acceleratedStep(curve)];
  return c ** steps * startExcess + (3 * inexactness * eta) / (2 * (1 - c));
}

/**
 * Lemma NonAccRel_FW: plain Frank-Wolfe whose linear minimisers are within Delta mu_t Gamma/2 of the least, T steps.
 *
 *   F(x_T) - min F <= 2 Gamma (1 + Delta)/(T + 2)
 *
 *   Gamma -> curvature, Delta -> inexactness. With Delta = 0 and Gamma <= tau_u ||C||^2 it is lemma Optimiz_FW_Conv.
 */
export function frankWolfeExcess({
  curvature,
  inexactness,
  steps,
}: Numbers<'curvature' | 'inexactness' | 'steps'>): number {
  requireNumbers({ curvature });
  requireNonNegative('inexactness', inexactness);
  requireInteger('steps', steps, 0);
  return (2 * curvature * (1 + inexactness)) / (steps + 2);
}

interface Inexact extends Numbers<'smoothness' | 'startDistance'> {
  /** ||e_0||, ||e_1||, ...: the errors of the gradients, of which t enter after t steps. */
  readonly errors: readonly number[];
}

/**
 * Lemma Inexact_GD_lemma: gradient descent of step 1/beta_F on a convex risk, after t = errors.length steps.
 *
 *   F(x_t) - F(x*) <= (beta_F d^2/2 + (2 a + d)(beta_F a + 2 sum_{i=2..t} (i-1) ||e_{i-1}||))/t,  a = sum ||e_{i-1}||/beta_F
 *
 *   d -> startDistance, beta_F -> smoothness
 */
export function inexactGradientExcess({ smoothness, startDistance: d, errors }: Inexact): number {
  checkInexact({ smoothness, startDistance: d, errors });
  const a = errors.reduce((sum, error) => sum + error, 0) / smoothness;
  const late = errors.reduce((sum, error, i) => sum + i * error, 0);
  return ((smoothness / 2) * d ** 2 + (2 * a + d) * (smoothness * a + 2 * late)) / errors.length;
}

/**
 * Lemma Inexact_AGD_lemma: Nesterov's method with momentum (t - 1)/(t + 2), after t = errors.length steps.
 *
 *   F(x_t) - F(x*) <= 2 beta_F/(t + 1)^2 (d + 2 sum_{i=1..t} i ||e_{i-1}||/beta_F)^2
 */
export function inexactNesterovExcess({ smoothness, startDistance, errors }: Inexact): number {
  checkInexact({ smoothness, startDistance, errors });
  const weighted = errors.reduce((sum, error, i) => sum + (i + 1) * error, 0) / smoothness;
  return ((2 * smoothness) / (errors.length + 1) ** 2) * (startDistance + 2 * weighted) ** 2;
}

function checkInexact({ smoothness, startDistance, errors }: Inexact): void {
  requireNumbers({ smoothness });
  requireNonNegative('startDistance', startDistance);
  requireInteger('errors.length', errors.length, 1);
  errors.forEach((error, i) => {
    requireNonNegative(`errors[${i}]`, error);
  });
}

/**
 * Figure my_label: how much slower a step of gradient descent contracts than one of Nesterov's method by their bounds,
 * 1 - 1/sqrt x - ((x - 1)/(x + 1))^2 for the condition number x. Above 0 gradient descent's bound is the better one:
 * for 1 < x < x'' = 11.44.
 */
export const nesterovLag = (conditionNumber: number): number =>
  1 - 1 / Math.sqrt(conditionNumber) - ((conditionNumber - 1) / (conditionNumber + 1)) ** 2;
