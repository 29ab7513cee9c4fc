import { requireChoice } from '../../errors.ts';
import { integratePanel } from '../../math/gaussLegendre.ts';
import { oddSeries } from '../../math/normalQuantile.ts';
import type { Budget } from '../../privacy/gaussianNoise.ts';
import { bound, log, type UpToConstant } from './bound.ts';
import { CONVEX_SETS, type ConvexSet } from './convexSet.ts';
import { paperPrivacy } from './paperPrivacy.ts';
import { type Numbers, type Prescription, prescription, requireNumbers, wholeSteps } from './prescription.ts';

export type Geometry = Numbers<'gaussianWidth' | 'curvature'>;

type Ball = Numbers<'features' | 'radius'> & { readonly set?: ConvexSet };

/**
 * The Gaussian width and the curvature constant of a set, for the squared loss on ||x||_inf <= 1: Gamma is the square of
 * the largest |x.(a - b)| over the set.
 */
export function squaredGeometry({ features, radius, set = 'l2' }: Ball): Geometry {
  const gaussianWidth = gaussianWidthOf({ features, radius, set });
  const widest = 2 * radius * { l2: Math.sqrt(features), l1: 1, box: features }[set];
  return { gaussianWidth, curvature: widest ** 2 };
}

/**
 * The l2 ball's geometry in the other reading: remark compare_dist_free_ACCFW writes ||C||_2 sqrt p = 2 D sqrt p for G,
 * about twice its value.
 */
export const remarkGeometry = (ball: Omit<Ball, 'set'>): Geometry => ({
  ...squaredGeometry(ball),
  gaussianWidth: 2 * ball.radius * Math.sqrt(ball.features),
});

/** The Gaussian width and the curvature constant of a set, for a generalized linear model on ||x||_2 <= L_x. */
export function glmGeometry({
  features,
  radius,
  varianceBound,
  featureNorm,
  set = 'l2',
}: Ball & Numbers<'varianceBound' | 'featureNorm'>): Geometry {
  requireNumbers({ varianceBound, featureNorm });
  const gaussianWidth = gaussianWidthOf({ features, radius, set });
  const diameter = 2 * radius * { l2: 1, l1: 1, box: Math.sqrt(features) }[set];
  return { gaussianWidth, curvature: varianceBound * featureNorm ** 2 * diameter ** 2 };
}

/** G = E sup over C of theta.b for b ~ N(0, I_p): D times the mean of the dual norm of b. */
function gaussianWidthOf({ features, radius, set }: Required<Ball>): number {
  requireNumbers({ features, radius });
  requireChoice('set', set, CONVEX_SETS);
  const meanNorm = {
    l2: meanGaussianNorm,
    l1: meanLargestCoordinate,
    box: (p: number): number => p * Math.sqrt(2 / Math.PI),
  };
  return radius * meanNorm[set](features);
}

/**
 * Lemma NOPLconvDPFW (Talwar et al.): private Frank-Wolfe (alg:PrivNon-accERM) for any convex L2-Lipschitz loss.
 *
 *   T = (n eps Gamma / (L2 G))^(2/3), eta_t = 2/(t + 2), excess risk (Gamma^(1/2) L2 G / (n eps))^(2/3)
 *
 *   C = B2(D):  G = D E||N(0, I_p)||_2, whatever the loss; for the squared loss on ||x||_inf <= 1 Gamma = 4 p D^2, for a
 *   GLM on ||x||_2 <= L_x Gamma = K_Phi'' L_x^2 (2 D)^2
 *
 * Remark compare_dist_free_ACCFW writes the order of G only (`remarkGeometry`). On other sets G and Gamma are given by `squaredGeometry` and `glmGeometry`, or by hand.
 *
 *   C -> set and radius, G -> gaussianWidth, Gamma -> curvature, L2 -> lipschitz, K_Phi'' -> varianceBound, L_x -> featureNorm
 */
export function noplConvDpFw({
  rows,
  radius,
  lipschitz,
  gaussianWidth,
  curvature,
  epsilon,
  delta,
  set = 'l2',
  claimConstant = 1,
}: Budget &
  Geometry &
  UpToConstant &
  Numbers<'rows' | 'radius' | 'lipschitz'> & { readonly set?: ConvexSet }): Prescription {
  requireNumbers({ rows, radius, lipschitz, gaussianWidth, curvature, claimConstant });
  requireChoice('set', set, CONVEX_SETS);
  const steps = wholeSteps(((rows * epsilon * curvature) / (lipschitz * gaussianWidth)) ** (2 / 3));
  const { run, smallEpsilon } = paperPrivacy('frankWolfe', { epsilon, delta, lipschitz, rows, steps });
  return prescription({
    theorem: 'NOPLconvDPFW',
    rule: 'frank-wolfe',
    ...run,
    stepSize: 'harmonic',
    radius,
    set,
    anySet: true,
    claim: { quantity: 'risk', rate: '(Gamma^(1/2) L2 G / (n eps))^(2/3)', exponent: -2 / 3 },
    bound: bound({
      formula: 'Gamma^(1/3) (L2 G)^(2/3) log^2(n/delta) / (n eps)^(2/3)',
      value:
        ((Math.sqrt(curvature) * lipschitz * gaussianWidth) / (rows * epsilon)) ** (2 / 3) * log(rows / delta) ** 2,
      claimConstant,
    }),
    conditions: [smallEpsilon],
  });
}

/** E||N(0, I_p)||_2, from E_1 = sqrt(2/pi) and E_p E_{p+1} = p. */
function meanGaussianNorm(features: number): number {
  let mean = Math.sqrt(2 / Math.PI);
  for (let p = 1; p < features; p++) mean = p / mean;
  return mean;
}

/** E max |b_j| for p independent standard normal b_j: the integral of 1 - P(|b| <= x)^p. */
function meanLargestCoordinate(features: number): number {
  const within = (x: number): number =>
    Math.min(1, 2 * Math.exp((-x * x) / 2) * (oddSeries(x) / Math.sqrt(2 * Math.PI)));
  let mean = 0;
  // Beyond 12 the integrand is below p 1e-32.
  for (let x = 0; x < 12; x += 0.5) mean += integratePanel(at => 1 - within(at) ** features, x, x + 0.5);
  return mean;
}
