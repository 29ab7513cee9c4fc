/**
 * Columns that others make up all but for a small part, though not so small that rounding hides it: rows tell what such
 * columns do together, and next to nothing of each. By what others leave of it, the variance of a coefficient is so
 * many times that of a column of its own:
 *
 *   v_j = (A_jj - A_j0^2/A_00) (A^-1)_jj,   A the curvature, 0 its intercept
 *
 * Above 1,000 others leave less than a thousandth: of two columns a correlation of 0.9995 does it, of powers of one
 * feature those of a range that is small beside its distance from 0. Columns go together where their estimates do, by
 * the correlation of A^-1; those that one of them is made of may have less, down to 100.
 *
 * Columns of two values are not named: levels of a text add up to nearly 1 where its reference has few rows, which is
 * told apart (weakCoefficients.ts).
 */
import type { RankFactor } from '../math/rankFactor.ts';
import { dot, unitAlong, type Vector } from '../math/vector.ts';
import { hasManyValues } from './hasManyValues.ts';

export interface CollinearColumns {
  /** Two or more. */
  readonly columns: readonly number[];
  /** The one that others leave least of, and its v. */
  readonly most: number;
  readonly inflation: number;
}

export interface CollinearOptions {
  readonly factor: RankFactor;
  readonly intercept: boolean;
  /** In any units. */
  readonly columns: readonly Float64Array[];
}

export function collinearColumns(
  curvature: Float64Array,
  { factor, intercept, columns }: CollinearOptions,
): readonly CollinearColumns[] {
  const { size, kept } = factor;
  const at = (i: number, j: number): number => curvature[i * size + j]!;
  const last = size - 1;
  const spreadOf = (j: number): number =>
    at(j, j) - (intercept && at(last, last) > 0 ? at(j, last) ** 2 / at(last, last) : 0);
  const found = kept
    .filter(j => j < columns.length)
    .sort((one, other) => one - other)
    .flatMap(column => {
      const unit = unitAlong(column, size);
      // Its square is (A^-1)_jj.
      const half = factor.solveFactor(unit);
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
    const { column, inflation } = group.reduce((most, each) =>
      each.inflation > most.inflation ? each : most,
    );
    if (group.length < 2 || inflation <= LEAST_INFLATION) return [];
    const columns = group.map(each => each.column).sort((one, other) => one - other);
    return [{ columns, most: column, inflation }];
  });
}

const LEAST_INFLATION = 1000;
const LEAST_INFLATION_IN_GROUP = 100;

/** Of near copies it is 1, and of columns that have nothing to do with each other 0. */
const areCorrelated = (a: Vector, b: Vector): boolean =>
  Math.abs(dot(a, b)) > LEAST_CORRELATION * Math.sqrt(dot(a, a) * dot(b, b));

const LEAST_CORRELATION = 0.3;
