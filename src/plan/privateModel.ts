/**
 * What a private plan assumes where it may not look: rows scaled to [-1, 1] by their declared bounds, features spread evenly over them and not strongly correlated, and
 * coefficients of length about 1, or 3 where the target is not scaled: log-odds that go from -3 to 3 are what classes worth telling apart have. Where the
 * assumptions are wrong a fit is less accurate than predicted, never less private.
 *
 *   second moments: 1/3 for an even spread over [-1, 1]; 1/(3p) for each of p features held to a norm of 1; 1/k for each of k levels; 1 for the intercept
 *
 * Nothing is assumed of the largest curvature, which steps follow from: a step that is too long for the data would not settle. Features that lean to one end of
 * their bounds make it about p times what it is for an even spread. In a full batch shorter steps cost no accuracy, since more of them have as much noise in all.
 */

import { type Domain, domain } from '../loss/domain.ts';
import type { Loss } from '../loss/loss.ts';
import { levelCounts, type Scaling, scaledNorm, scaledTarget } from '../sample/scaling.ts';

export interface PrivateModel {
  /** Bounds that hold for every row, whatever the model assumes. */
  readonly domain: Domain;
  readonly curvatures: readonly number[];
  /** The same where numbers fill a part of their bounds only, as much as NARROW. */
  readonly narrowCurvatures: readonly number[];
  /** No data have a larger one. */
  readonly largestCurvature: number;
  /** Of one row's gradient, per coordinate. */
  readonly variance: number;
  /** Of all coefficients. */
  readonly length: number;
  /** Per coordinate. */
  readonly distance: number;
}

/** Bounds that were declared with care are five times too wide, say. */
const NARROW = 1 / 5;
/** Away from their minimum losses curve less than at it. */
const FLATTENING = 1 / 4;
/** The size of a typical residual under the squared loss, whose slopes have no bound of their own. */
const TYPICAL_RESIDUAL = 0.3;
/** Of classes: the variance of a 0 or 1 is 1/4 at most. */
const LARGEST_DEVIATION = 1 / 2;
const LENGTH = 1;
const LENGTH_OF_LOG_ODDS = 3;

export function privateModel(loss: Loss, scaling: Scaling, radius: number): PrivateModel {
  const { intercept, features } = scaling;
  const size = features.length + (intercept ? 1 : 0);
  const norm = scaledNorm(scaling);
  const bounds = domain({ features: size, norm, target: scaledTarget(scaling), radius });
  const largestCurvature = loss.smoothness(bounds);
  const bend = (largestCurvature - loss.penalty) / norm ** 2;
  const moments = momentsOf(scaling, 1);
  const curvaturesOf = (spread: number): readonly number[] =>
    [...momentsOf(scaling, spread), ...(intercept ? [1] : [])].map(
      moment => bend * moment * FLATTENING + loss.penalty,
    );
  const isScaled = loss.targets.least === -Infinity;
  const length = isScaled ? LENGTH : LENGTH_OF_LOG_ODDS;
  const slope = slopeOf(loss, loss.lipschitz(bounds) / norm);
  return {
    domain: bounds,
    curvatures: curvaturesOf(1),
    narrowCurvatures: curvaturesOf(NARROW),
    largestCurvature,
    variance: (slope ** 2 * moments.reduce((sum, moment) => sum + moment, 0)) / moments.length,
    length,
    distance: length / Math.sqrt(size),
  };
}

/** The size of a row's slope: the steepest, but for losses of which more is known. */
function slopeOf({ kernel }: Loss, steepest: number): number {
  if (kernel?.kind === 'logistic') return LARGEST_DEVIATION;
  return Number.isFinite(steepest) && kernel?.kind !== 'squared' ? steepest : TYPICAL_RESIDUAL;
}

/** Of every feature, where numbers fill such a part of their bounds. */
function momentsOf({ features, byNorm }: Scaling, spread: number): readonly number[] {
  const counts = levelCounts(features);
  const even = spread ** 2 / 3 / (byNorm ? features.length : 1);
  return features.map(({ levelOf }) => (levelOf === undefined ? even : 1 / counts.get(levelOf)!));
}
