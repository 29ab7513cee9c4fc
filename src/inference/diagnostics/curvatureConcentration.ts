/**
 * How concentrated the curvature of a generalized linear model is in a few rows, which is how far off it may be:
 *
 *   sqrt(sum of h^2) / sum of h,   h = w b x'A^-1 x,   A = mean of w b x x'
 *
 *   b -> d slope/d score of the row's loss, w -> its weight
 *
 * Leverage alone does not show these rows. The curvature of a count is its expected value, which grows exponentially
 * along a feature: with a log-normal feature, one row in a thousand may have most of the curvature without having high
 * leverage.
 */

import type { RankFactor } from '../../math/rankFactor.ts';
import { dot, type Vector } from '../../math/vector.ts';
import { type Loss, slopeOfSlope } from '../../method/loss/loss.ts';
import { concentrationOf } from '../pilot/leverage.ts';
import type { Study } from '../pilot/study.ts';
import type { WeightedRisk } from '../pilot/weightedRisk.ts';

export function curvatureConcentration(
  { batch, weights, intercept }: Study,
  { loss, t, risk, factor }: { loss: Loss; t: Vector; risk: WeightedRisk; factor: RankFactor },
): number {
  const { columns, target } = batch;
  const residuals = risk.residuals(t, new Float64Array(batch.rows));
  const row = new Float64Array(risk.size);
  if (intercept) row[row.length - 1] = 1;
  const shares = new Float64Array(Math.min(batch.rows, CONCENTRATION_ROWS));
  for (let i = 0; i < shares.length; i++) {
    for (let j = 0; j < columns.length; j++) row[j] = columns[j]![i]!;
    const inner = factor.solveFactor(row);
    const bend = slopeOfSlope(loss, target[i]! - residuals[i]!, target[i]!);
    shares[i] = weights[i]! * bend * dot(inner, inner);
  }
  return concentrationOf(shares);
}

/** Enough to see whether a few rows have most of the curvature. */
export const CONCENTRATION_ROWS = 20_000;
