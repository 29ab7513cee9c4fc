import { type RankFactor, rankFactor } from '../../../math/rankFactor.ts';
import { dot, times, unitAlong, type Vector } from '../../../math/vector.ts';
import type { Loss } from '../../../method/loss/loss.ts';
import { squared } from '../../../method/loss/squared.ts';
import type { SampleBatch } from '../../../sample/sampleBatch.ts';
import { weightedRisk } from './weightedRisk.ts';

/**
 * The factor of a curvature whose last coordinate is the intercept's, if there is one. The intercept comes first in the
 * factor: if columns add up to it, one of them is dropped, and not the intercept.
 */
export function curvatureFactor(curvature: Float64Array, size: number, intercept: boolean): RankFactor {
  if (!intercept) return rankFactor(curvature, size);
  const from = (i: number): number => (i === 0 ? size - 1 : i - 1);
  const turned = (v: Vector): Vector => v.map((_, i) => v[from(i)]!);
  const moved = new Float64Array(size * size);
  for (let i = 0; i < size; i++) {
    for (let j = 0; j < size; j++) moved[i * size + j] = curvature[from(i) * size + from(j)]!;
  }
  const { kept, near, solveFactor, solveTransposed } = rankFactor(moved, size);
  return Object.freeze({
    size,
    kept: kept.map(from),
    near: near.map(from),
    solveFactor: (v: Vector) => solveFactor(turned(v)),
    solveTransposed: (u: Vector) => {
      const found = solveTransposed(u);
      return found.map((_, i) => found[(i + 1) % size]!);
    },
  });
}

/** A^-1 v over the coordinates that are kept, and 0 in the others. */
export const solveBy = ({ solveFactor, solveTransposed }: RankFactor, v: Vector): Vector =>
  solveTransposed(solveFactor(v));

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
