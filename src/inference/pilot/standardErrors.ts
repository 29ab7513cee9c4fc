import { times } from '../../math/times.ts';
import { dot, unitAlong, type Vector } from '../../math/vector.ts';
import type { Loss } from '../../method/loss/loss.ts';
import { squared } from '../../method/loss/squared.ts';
import type { SampleBatch } from '../../sample/sampleBatch.ts';
import { curvatureFactor, solveBy } from './curvatureFactor.ts';
import { weightedRisk } from './weightedRisk.ts';

/**
 * Standard errors of an estimate: square roots of the diagonal of the sandwich H^-1 B H^-1/n.
 *
 *   H = mean of w psi' x x',   B = mean of (w psi)^2 x x'
 */
export function standardErrors(
  batch: SampleBatch,
  {
    loss,
    t,
    weights,
    intercept,
  }: { readonly loss: Loss; readonly t: Vector; readonly weights: Float64Array; readonly intercept: boolean },
): Vector {
  const { rows, target } = batch;
  const risk = weightedRisk(batch, { intercept, weights });
  const pulls = risk
    .residuals(t, new Float64Array(rows))
    .map((r, i) => (weights[i]! * loss.slope(target[i]! - r, target[i]!)) ** 2);
  const moments = weightedRisk(batch, { intercept, weights: pulls }).derivatives(squared(), t).curvature;
  const factor = curvatureFactor(risk.derivatives(loss, t).curvature, t.length, intercept);
  return t.map((_, j) => {
    const direction = solveBy(factor, unitAlong(j, t.length));
    return Math.sqrt(dot(direction, times(moments, direction)) / rows);
  });
}
