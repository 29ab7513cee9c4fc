/** Smoothness and strong convexity of risks, and the model under which theorem UPRidge's hypothesis holds. */
import { refuse, requireNonNegative } from '../../../errors.ts';
import type { Glm } from '../../../method/loss/glm.ts';
import { glmConstants } from '../glmHypotheses.ts';
import { type Condition, type Numbers, required, requireNumbers } from '../prescription.ts';

export interface RiskCurvature {
  /** tau_u */
  readonly smoothness: number;
  /** tau_l */
  readonly strongConvexity: number;
}

/**
 * Lemma GLM_prelim_lem: the risk of a GLM, where ||x|| <= L_x and ||theta|| <= K_B over C.
 *
 *   tau_u = K_Phi'' lambda_max(Sigma), tau_l = Phi''(L_x K_B) lambda_min(Sigma)
 *
 *   K_B -> radius, L_x -> featureNorm, lambda_max and lambda_min -> largestEigenvalue, smallestEigenvalue
 */
export function glmCurvature({
  loss,
  featureNorm,
  radius,
  smallestEigenvalue,
  largestEigenvalue,
}: Numbers<'featureNorm' | 'radius' | 'smallestEigenvalue' | 'largestEigenvalue'> & {
  readonly loss: Glm;
}): RiskCurvature {
  requireNumbers({ featureNorm, radius, smallestEigenvalue, largestEigenvalue });
  const { varianceBound, varianceAtTruth } = glmConstants(loss, { featureNorm, truthNorm: radius });
  return {
    smoothness: varianceBound * largestEigenvalue,
    strongConvexity: varianceAtTruth * smallestEigenvalue,
  };
}

/**
 * Lemma pHu_prelim: the risk of the pseudo-Huber loss with parameter q in the linear model, where the eigenvalues of
 * Sigma are between C1'/p and C2'/p, ||C|| <= C1'' sqrt p, and E (x.v)^4 <= C4 (E (x.v)^2)^2.
 *
 *   tau_u = C2'/p,   tau_l = q^3 C1'^4 / (4p (C1'^2 q^2 + 8 C1''^2 C2'^3 C4 + 2 C1'^2 sigma_2^2)^(3/2))
 *
 *   C1' -> smallest, C2' -> largest, C1'' -> reach, C4 -> kurtosis, sigma_2 -> noise, p -> features
 */
export function pseudoHuberCurvature({
  q,
  features: p,
  smallest,
  largest,
  reach,
  kurtosis,
  noise,
}: Numbers<'q' | 'features' | 'smallest' | 'largest' | 'reach' | 'kurtosis' | 'noise'>): RiskCurvature {
  requireNumbers({ q, features: p, smallest, largest, reach, kurtosis });
  requireNonNegative('noise', noise);
  if (smallest > largest) refuse('smallest', `be at most largest = ${largest}`, smallest);
  const spread = smallest ** 2 * q ** 2 + 8 * reach ** 2 * largest ** 3 * kurtosis + 2 * smallest ** 2 * noise ** 2;
  return { smoothness: largest / p, strongConvexity: (q ** 3 * smallest ** 4) / (4 * p * spread ** (3 / 2)) };
}

/**
 * Proposition achievab_UP_ERM: the linear model in which theorem UPRidge's hypothesis, inf over B2(D) of alpha_C
 * ||gradient||/beta_L >= S1, holds, and with which probability.
 *
 *   |y| <= 1, ||x||_inf <= 1, C1 <= eigenvalues of Sigma <= C2 <= 1, noise w of |w| <= 1 + sqrt p K1, sub-Gaussian with
 *   sigma^2 (a normal truncated there will do), (2 S1 (2 C2/C1 + 1) + 1) D <= ||theta*|| <= K1
 *   p >= (sqrt 2/(S1 sqrt(2 C2 + C1)))^8
 *   probability >= 1 - 2p exp(-n C1^2/(8p (C2 + C1/3))) - 2p exp(-n D^2/(2 p^(5/4) sigma^2))
 *
 *   S1 -> gradientRatio, C1, C2 -> smallestEigenvalue, largestEigenvalue, K1 -> largestTruth, sigma -> noise
 *
 * The proof bounds the norm of the noise as if it had p entries, while it has n; the probability is the one it states.
 */
export function gradientRatioModel({
  rows: n,
  features: p,
  radius,
  gradientRatio,
  smallestEigenvalue: C1,
  largestEigenvalue: C2,
  truthNorm,
  largestTruth,
  noise,
}: Numbers<
  | 'rows'
  | 'features'
  | 'radius'
  | 'gradientRatio'
  | 'smallestEigenvalue'
  | 'largestEigenvalue'
  | 'truthNorm'
  | 'largestTruth'
  | 'noise'
>): {
  readonly probability: number;
  readonly largestNoise: number;
  readonly conditions: readonly Condition[];
} {
  requireNumbers({ rows: n, features: p, radius, gradientRatio, truthNorm, largestTruth, noise });
  requireNumbers({ smallestEigenvalue: C1, largestEigenvalue: C2 });
  const leastTruth = (2 * gradientRatio * ((2 * C2) / C1 + 1) + 1) * radius;
  const leastFeatures = (Math.SQRT2 / (gradientRatio * Math.sqrt(2 * C2 + C1))) ** 8;
  const moments = 2 * p * Math.exp((-n * C1 ** 2) / (8 * p * (C2 + C1 / 3)));
  const noises = 2 * p * Math.exp((-n * radius ** 2) / (2 * p ** (5 / 4) * noise ** 2));
  return Object.freeze({
    probability: Math.max(0, 1 - moments - noises),
    largestNoise: 1 + Math.sqrt(p) * largestTruth,
    conditions: Object.freeze([
      required('C1 <= C2 <= 1', C1 <= C2 && C2 <= 1, { C1, C2 }),
      required('(2 S1 (2 C2/C1 + 1) + 1) D <= ||theta*|| <= K1', truthNorm >= leastTruth && truthNorm <= largestTruth, {
        '||theta*||': truthNorm,
        bound: leastTruth,
        K1: largestTruth,
      }),
      required('p >= (sqrt 2/(S1 sqrt(2 C2 + C1)))^8', p >= leastFeatures, { p, bound: leastFeatures }),
    ]),
  });
}
