import { requireInteger, requirePositive } from '../../errors.ts';
import type { Budget } from '../../privacy/gaussianNoise.ts';
import { paperPrivacy } from './paperPrivacy.ts';
import { type Prescription, prescription, wholeSteps } from './prescription.ts';

export interface Geometry {
  readonly gaussianWidth: number;
  readonly curvature: number;
}

/** The Gaussian width and the curvature constant of a ball, for the squared loss. */
export function squaredGeometry({
  features,
  radius,
}: {
  readonly features: number;
  readonly radius: number;
}): Geometry {
  requireInteger('features', features, 1);
  requirePositive('radius', radius);
  return { gaussianWidth: 2 * radius * Math.sqrt(features), curvature: 4 * features * radius ** 2 };
}

/** The Gaussian width and the curvature constant of a ball, for a generalized linear model. */
export function glmGeometry({
  features,
  radius,
  varianceBound,
  featureNorm,
}: {
  readonly features: number;
  readonly radius: number;
  readonly varianceBound: number;
  readonly featureNorm: number;
}): Geometry {
  requireInteger('features', features, 1);
  requirePositive('radius', radius);
  requirePositive('varianceBound', varianceBound);
  requirePositive('featureNorm', featureNorm);
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
}: Budget & Geometry & { readonly rows: number; readonly radius: number; readonly lipschitz: number }): Prescription {
  requireInteger('rows', rows, 1);
  requirePositive('radius', radius);
  requirePositive('lipschitz', lipschitz);
  requirePositive('gaussianWidth', gaussianWidth);
  requirePositive('curvature', curvature);
  const steps = wholeSteps(((rows * epsilon * curvature) / (lipschitz * gaussianWidth)) ** (2 / 3));
  const { privacy, smallEpsilon } = paperPrivacy('frankWolfe', { epsilon, delta, lipschitz, rows, steps });
  return prescription({
    theorem: 'NOPLconvDPFW',
    rule: 'frank-wolfe',
    mode: 'full',
    steps,
    chunkRows: rows,
    stepSize: 'harmonic',
    radius,
    estimator: { kind: 'mean' },
    privacy,
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
