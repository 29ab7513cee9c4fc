import { dot, unitAlong, type Vector } from '../../../math/vector.ts';
import type { FittedStudy } from '../../pilot/fittedStudy.ts';
import { digits, listing, quoted, type Tell } from '../notes.ts';
import { hasManyValues } from '../valueCounts.ts';

/**
 * Nearly collinear columns, by their variance inflation factor: the variance of a coefficient, over the variance that
 * it would have if its column were uncorrelated with all others.
 *
 *   v_j = (A_jj - A_j0^2/A_00) (A^-1)_jj,   A -> the curvature, 0 -> its intercept
 *
 * Above 1,000 the other columns explain all but a thousandth of the column: the rows determine what such columns do
 * together, and almost nothing of each. Two columns with a correlation of 0.9995 reach it, and so do powers of a
 * feature whose range is small compared with its distance from 0. Columns belong to one group where their estimates are
 * correlated, by A^-1; the other members of a group may have a lower factor, down to 100.
 *
 * Columns of two values are skipped: the levels of a text add up to nearly 1 where few rows have its reference level,
 * which is reported separately (weakCoefficients.ts).
 */
export function collinearColumns({
  curvature: { matrix },
  factor,
  study: { intercept },
  rows: { columns },
}: FittedStudy) {
  const { size, kept } = factor;
  const at = (i: number, j: number): number => matrix[i * size + j]!;
  const last = size - 1;
  const spreadOf = (j: number): number =>
    at(j, j) - (intercept && at(last, last) > 0 ? at(j, last) ** 2 / at(last, last) : 0);
  const found = kept
    .filter(j => j < columns.length)
    .sort((one, other) => one - other)
    .flatMap(column => {
      // The squared norm of `half` is (A^-1)_jj.
      const half = factor.solveFactor(unitAlong(column, size));
      const inflation = spreadOf(column) * dot(half, half);
      return inflation > LEAST_INFLATION_IN_GROUP && hasManyValues(columns[column]!)
        ? [{ column, half, inflation }]
        : [];
    });
  const groups: (typeof found)[] = [];
  for (const each of found) {
    const joined = groups.filter(group => group.some(other => areCorrelated(each.half, other.half)));
    for (const group of joined) groups.splice(groups.indexOf(group), 1);
    groups.push([...joined.flat(), each]);
  }
  return groups.flatMap(group => {
    const { column, inflation } = group.reduce((most, each) => (each.inflation > most.inflation ? each : most));
    if (group.length < 2 || inflation <= LEAST_INFLATION) return [];
    const columns = group.map(each => each.column).sort((one, other) => one - other);
    return [{ columns, most: column, inflation }];
  });
}

const LEAST_INFLATION = 1000;
const LEAST_INFLATION_IN_GROUP = 100;

/** The correlation of two estimates: 1 for near duplicates, 0 for uncorrelated columns. */
const areCorrelated = (a: Vector, b: Vector): boolean =>
  Math.abs(dot(a, b)) > LEAST_CORRELATION * Math.sqrt(dot(a, a) * dot(b, b));

const LEAST_CORRELATION = 0.3;

/** Nearly collinear columns keep their coefficients, which mean little one by one. */
export const collinearNotes: Tell = ({ pilot, uncertainty }, { names }) => {
  // Where classes are separated, the curvature is that of the few uncertain rows.
  const { collinear } = pilot.columns;
  if (pilot.estimate.isSeparated || collinear.length === 0) return null;
  const groups = collinear.map(({ columns }) => listing(columns.map(column => quoted(column, names))));
  const inflation = Math.max(...collinear.map(group => group.inflation));
  const wide = uncertainty === null ? '' : ' with wide intervals';
  return `${groups.join('; ')} are nearly collinear (variance inflation ${inflation > 1e6 ? 'over a million' : digits(inflation)}): only their joint effect is well determined, and single coefficients are erratic${wide}. Remove one, use differences, centre before taking powers, or add \`penalty\``;
};
