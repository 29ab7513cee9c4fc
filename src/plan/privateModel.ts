/**
 * What a private plan assumes where it may not look: rows scaled to [-1, 1] by their declared bounds, features spread evenly over them and not strongly correlated, and
 * coefficients of length about 1. Where the assumptions are wrong a fit is less accurate than predicted, never less private.
 *
 *   second moments: 1/3 for an even spread over [-1, 1]; 1/(3p) for each of p features held to a norm of 1; 1 for the intercept
 *   largest eigenvalue of the second moments: 2, or the bound on the squared norm where that is less
 */

import { type Domain, domain } from '../loss/domain.ts';
import type { Loss } from '../loss/loss.ts';
import { type Scaling, scaledNorm, scaledTarget } from '../sample/scaling.ts';

export interface PrivateModel {
  /** Bounds that hold for every row, whatever the model assumes. */
  readonly domain: Domain;
  readonly curvatures: readonly number[];
  readonly largestCurvature: number;
  /** Of one row's gradient, per coordinate. */
  readonly variance: number;
  /** Per coordinate. */
  readonly distance: number;
}

const LARGEST_MOMENT = 2;
/** Away from their minimum losses curve less than at it. */
const FLATTENING = 1 / 4;
/** The size of a typical slope beside the largest; for the squared loss, of a typical residual. */
const TYPICAL_SLOPE = 0.3;

export function privateModel(loss: Loss, scaling: Scaling, radius: number): PrivateModel {
  const { byNorm, intercept, features } = scaling;
  const size = features.length + (intercept ? 1 : 0);
  const norm = scaledNorm(scaling);
  const bounds = domain({ features: size, norm, target: scaledTarget(scaling), radius });
  const bend = (loss.smoothness(bounds) - loss.penalty) / norm ** 2;
  const moment = 1 / 3 / (byNorm ? features.length : 1);
  const steepest = loss.lipschitz(bounds) / norm;
  const slope = Number.isFinite(steepest) && loss.kernel?.kind !== 'squared' ? steepest : TYPICAL_SLOPE;
  return {
    domain: bounds,
    curvatures: [
      ...features.map(() => bend * moment * FLATTENING + loss.penalty),
      ...(intercept ? [bend * FLATTENING + loss.penalty] : []),
    ],
    largestCurvature: bend * Math.min(LARGEST_MOMENT, norm ** 2) + loss.penalty,
    variance: slope ** 2 * moment,
    distance: 1 / Math.sqrt(size),
  };
}
