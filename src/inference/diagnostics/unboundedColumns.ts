/**
 * Columns along which a generalized linear model has no finite estimate (quasi-complete separation), such as a level in
 * whose rows every target is 0: the risk keeps falling, and a search for its minimum ends where the curvature is almost
 * 0. For the part of a column that the others do not explain, the loss should have about the curvature that it has over
 * all rows:
 *
 *   (M^-1)_jj / (A^-1)_jj  <  1e-5 min(1, b)
 *
 *   M -> second moments, A -> the curvature, b -> the mean curvature of a row
 *
 * A level with one event among a hundred thousand rows is above it, however many events the other rows have.
 */

import type { RankFactor } from '../../math/rankFactor.ts';
import { dot, unitAlong, type Vector } from '../../math/vector.ts';
import type { Loss } from '../../method/loss/loss.ts';
import { squared } from '../../method/loss/squared.ts';
import { curvatureFactor } from '../pilot/curvatureFactor.ts';
import type { WeightedRisk } from '../pilot/weightedRisk.ts';

export function unboundedColumns(
  risk: WeightedRisk,
  { loss, t, bend, intercept }: { loss: Loss; t: Vector; bend: number; intercept: boolean },
): readonly number[] {
  const factorOf = (matrix: Float64Array): RankFactor => curvatureFactor(matrix, risk.size, intercept);
  const moments = factorOf(risk.derivatives(squared(), t).curvature);
  const own = factorOf(risk.derivatives(loss, t).curvature);
  const inverseOf = ({ solveFactor }: RankFactor, j: number): number => {
    const unit = unitAlong(j, risk.size);
    const solved = solveFactor(unit);
    return dot(solved, solved);
  };
  const columns = risk.size - (intercept ? 1 : 0);
  const nothing = NOTHING * Math.min(1, bend);
  return moments.kept.filter(
    j => j < columns && (!own.kept.includes(j) || inverseOf(moments, j) < nothing * inverseOf(own, j)),
  );
}

const NOTHING = 1e-5;
