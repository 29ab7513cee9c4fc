import type { Budget } from '../../privacy/gaussianNoise.ts';
import { paperPrivacy } from './paperPrivacy.ts';
import { type Numbers, type Prescription, prescription, requireNumbers, wholeSteps } from './prescription.ts';

export type Geometry = Numbers<'gaussianWidth' | 'curvature'>;

/** The Gaussian width and the curvature constant of a ball, for the squared loss. */
export function squaredGeometry({ features, radius }: Numbers<'features' | 'radius'>): Geometry {
  requireNumbers({ features, radius });
  return { gaussianWidth: 2 * radius * Math.sqrt(features), curvature: 4 * features * radius ** 2 };
}

/** The Gaussian width and the curvature constant of a ball, for a generalized linear model. */
export function glmGeometry({
  features,
  radius,
  varianceBound,
  featureNorm,
}: Numbers<'features' | 'radius' | 'varianceBound' | 'featureNorm'>): Geometry {
  requireNumbers({ features, radius, varianceBound, featureNorm });
  return {
    gaussianWidth: radius * meanGaussianNorm(features),
    curvature: varianceBound * featureNorm ** 2 * (2 * radius) ** 2,
  };
}

/**
 * Lemma NOPLconvDPFW (Talwar et al.): private Frank-Wolfe (alg:PrivNon-accERM) for any convex L2-Lipschitz loss.
 *
 *   T = (n eps Gamma / (L2 G))^(2/3), eta_t = 2/(t + 2), excess risk (Gamma^(1/2) L2 G / (n eps))^(2/3)
 *
 *   squared loss, ||x||_inf <= 1, C = B2(D):  G = 2 D sqrt p,          Gamma = 4 p D^2
 *   GLM, ||x||_2 <= L_x, C = B2(D):           G = D E||N(0, I_p)||_2,  Gamma = K_Phi'' L_x^2 (2 D)^2
 *
 *   G -> gaussianWidth, Gamma -> curvature, L2 -> lipschitz, K_Phi'' -> varianceBound, L_x -> featureNorm
 */
export function noplConvDpFw({
  rows,
  radius,
  lipschitz,
  gaussianWidth,
  curvature,
  epsilon,
  delta,
}: Budget & Geometry & Numbers<'rows' | 'radius' | 'lipschitz'>): Prescription {
  requireNumbers({ rows, radius, lipschitz, gaussianWidth, curvature });
  const steps = wholeSteps(((rows * epsilon * curvature) / (lipschitz * gaussianWidth)) ** (2 / 3));
  const { run, smallEpsilon } = paperPrivacy('frankWolfe', { epsilon, delta, lipschitz, rows, steps });
  return prescription({
    theorem: 'NOPLconvDPFW',
    rule: 'frank-wolfe',
    ...run,
    stepSize: 'harmonic',
    radius,
    claim: { quantity: 'risk', rate: '(Gamma^(1/2) L2 G / (n eps))^(2/3)', exponent: -2 / 3 },
    conditions: [smallEpsilon],
  });
}

/** E||N(0, I_p)||_2, from E_1 = sqrt(2/pi) and E_p E_{p+1} = p. */
function meanGaussianNorm(features: number): number {
  let mean = Math.sqrt(2 / Math.PI);
  for (let p = 1; p < features; p++) mean = p / mean;
  return mean;
}
