/**
 * Rows that a loss rejects, and what the slopes would be if they had weight.
 *
 *   omega_i = psi(r_i)/r_i, the weight of row i in the fit: 1 at residual 0, 0 far from the fit
 *
 * Losses are tuned to reject rows from 3.4 residual scales on. Fewer than one normal residual in a thousand is beyond
 * that, and one in forty of Student's t with 3 degrees of freedom: rejecting them is right as long as the slopes are
 * about the same with them. Pseudo-Huber's loss gives each of them the influence of a row at 1.345 scales, whatever its
 * leverage. Where a slope then differs by more than two standard errors, the choice needs knowledge of the rows.
 */

import type { Vector } from '../../math/vector.ts';
import type { Loss } from '../../method/loss/loss.ts';
import { HUBER_TUNING } from '../../method/loss/lossByName.ts';
import { pseudoHuber } from '../../method/loss/pseudoHuber.ts';
import { rowsBetween } from '../../sample/sampleBatch.ts';
import { standardErrors } from '../pilot/curvatureFactor.ts';
import { irls } from '../pilot/minimize.ts';
import type { Study } from '../pilot/study.ts';

export interface RejectedRows {
  /** By weight. */
  readonly share: number;
  /** In residual scales. */
  readonly beyond: number;
  /** The estimate of pseudo-Huber's loss, where a slope differs by more than two standard errors; otherwise null. */
  readonly huber: Vector | null;
  /** The same where no slope does; null otherwise, and where rows have a code for a missing value. */
  readonly unmovedHuber: Vector | null;
  /** The feature whose slope then differs most, in standard errors. */
  readonly most: number;
}

export interface RejectedOptions {
  /** A redescending loss. */
  readonly loss: Loss;
  readonly t: Vector;
  /** Case weights times leverage weights, where the fit has these. */
  readonly weights: Float64Array;
  readonly residuals: Float64Array;
  readonly scale: number;
  /** Whether a row has a code for a missing value, which is reported separately; null where none has. */
  readonly isCoded: ((row: number) => boolean) | null;
}

/** Null where they are too few to report. */
export function rejectedRows(
  study: Study,
  { loss, residuals, scale, isCoded, ...fitted }: RejectedOptions,
): RejectedRows | null {
  const beyond = reachOf(loss, scale);
  let [found, sum, total] = [0, 0, 0];
  residuals.forEach((residual, i) => {
    const weight = study.weights[i]!;
    total += weight;
    if (!(Math.abs(residual) > beyond) || isCoded?.(i)) return;
    found++;
    sum += weight;
  });
  const share = sum / total;
  if (found < LEAST_ROWS || share < LEAST_SHARE) return null;
  // An estimate that includes rows with a code describes the code.
  const other = isCoded === null ? huberSlopes(study, { loss, scale, ...fitted }) : null;
  const [huber, unmovedHuber] = other?.isMoved ? [other.huber, null] : [null, other?.huber ?? null];
  if (found < SOME_ROWS && huber === null) return null;
  return { share, beyond: beyond / scale, huber, unmovedHuber, most: other?.most ?? 0 };
}

const LEAST_ROWS = 2;
const LEAST_SHARE = 0.01;

/**
 * With normal noise, chance makes two among a few dozen rows in one sample of thirty, and three in one of a hundred.
 */
const SOME_ROWS = 3;

/** The residual beyond which omega is less than REJECTED of its value at the fit. */
function reachOf(loss: Loss, scale: number): number {
  const omega = (r: number): number => loss.slope(r, 0) / r;
  const least = REJECTED * omega(1e-6 * scale);
  let [near, far] = [1e-6 * scale, scale];
  while (omega(far) >= least) [near, far] = [far, 2 * far];
  for (let halving = 0; halving < 50; halving++) {
    const middle = (near + far) / 2;
    if (omega(middle) >= least) near = middle;
    else far = middle;
  }
  return far;
}

const REJECTED = 0.05;

function huberSlopes(
  given: Study,
  { loss, t, scale, ...fitted }: Pick<RejectedOptions, 'loss' | 't' | 'weights' | 'scale'>,
): { readonly huber: Vector; readonly most: number; readonly isMoved: boolean } {
  const rows = Math.min(given.batch.rows, Math.max(ENOUGH_ROWS, 50 * t.length));
  const batch = rowsBetween(given.batch, 0, rows);
  const study = { ...given, weights: given.weights.subarray(0, rows) };
  const huber = irls(batch, pseudoHuber(HUBER_TUNING * scale), t, study);

  const { intercept } = study;
  const weights = fitted.weights.subarray(0, rows);
  const errors = standardErrors(batch, { loss, t, weights, intercept }).subarray(0, batch.columns.length);
  const sizes = errors.map((error, j) => (error > 0 ? Math.abs(huber[j]! - t[j]!) / error : 0));
  const most = sizes.indexOf(Math.max(...sizes));
  return { huber, most, isMoved: sizes[most]! > LEAST_SHIFT };
}

/** Enough to see a difference that matters. */
const ENOUGH_ROWS = 20_000;

/** In standard errors of the fit. */
const LEAST_SHIFT = 2;
