/**
 * How far off the curvature of a generalized linear model may be, by the few rows that have most of it:
 *
 *   sqrt(sum of h^2) / sum of h,   h = w b x'A^-1 x,   A = mean of w b x x'
 *
 *   b -> how much the loss bends at the row's score, w -> how often the row counts
 *
 * Leverage alone does not see these rows. A count bends by what is expected of it, which grows exponentially along a
 * feature: with a log-normal one, a row in a thousand may have most of the curvature without being far out by the
 * standards of the others.
 */
import type { Loss } from '../loss/loss.ts';
import { slopeOfSlope } from '../loss/slopeOfSlope.ts';
import type { RankFactor } from '../math/rankFactor.ts';
import { dot, type Vector } from '../math/vector.ts';
import { concentrationOf } from './leverage.ts';
import type { Study } from './study.ts';
import type { WeightedRisk } from './weightedRisk.ts';

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

/** To see whether a few of them have most of it. */
export const CONCENTRATION_ROWS = 20_000;
