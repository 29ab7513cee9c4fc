import type { RankFactor } from '../../../math/rankFactor.ts';
import { dot, unitAlong } from '../../../math/vector.ts';
import { isGlm } from '../../../method/loss/glm.ts';
import { squared } from '../../../method/loss/squared.ts';
import type { FittedStudy } from '../../pilot/fittedStudy.ts';
import { curvatureFactor } from '../../pilot/risk/curvatureFactor.ts';
import { digits, listing, quoted, severe, type Tell } from '../notes.ts';

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
export function unboundedColumns({
  study: { batch, penalties, intercept },
  estimate: { loss: named, t, isSeparated = false },
  risk,
  curvature,
}: FittedStudy): readonly number[] {
  if (!isGlm(named) || isSeparated || penalties.some(penalty => penalty !== 0)) return [];
  const { loss } = named;
  const factorOf = (matrix: Float64Array): RankFactor => curvatureFactor(matrix, risk.size, intercept);
  const moments = factorOf(risk.derivatives(squared(), t).curvature);
  const own = factorOf(risk.derivatives(loss, t).curvature);
  const inverseOf = ({ solveFactor }: RankFactor, j: number): number => {
    const solved = solveFactor(unitAlong(j, risk.size));
    return dot(solved, solved);
  };
  const columns = risk.size - (intercept ? 1 : 0);
  const nothing = NOTHING * Math.min(1, curvature.total / batch.rows);
  return moments.kept.filter(
    j => j < columns && (!own.kept.includes(j) || inverseOf(moments, j) < nothing * inverseOf(own, j)),
  );
}

const NOTHING = 1e-5;

/** Notes on columns: those left out, and those whose coefficients need an explanation. */
export const unboundedNotes: Tell = ({ pilot, loss, fit }, { names }) => {
  const found = pilot.columns.unbounded;
  if (found.length === 0) return null;
  const isOne = found.length === 1;
  const same = loss.name === 'poisson' ? 'every target is 0' : 'every target is the same';
  const value = isOne ? `${digits(fit.theta[found[0]!]!)} is` : 'the values shown are';
  return severe(
    `${listing(found.map(column => quoted(column, names)))} ${isOne ? 'has' : 'have'} no finite estimate: in the rows that determine ${isOne ? 'it' : 'each'}, ${same}; ${value} where the search stopped. Remove ${isOne ? 'the column' : 'these columns'} and ${isOne ? 'its' : 'their'} rows, or add \`penalty\``,
  );
};
