/**
 * Coefficients that a few rows decide though no column is rare: where next to no row has the level of a text that was
 * not declared, the intercept is what these rows say, and every level's coefficient is a difference from them.
 *
 *   c_ij = (A^-1 x_i)_j: what the slope of row i does to coefficient j; of which so many rows tell as (sum of c^2)^2 / sum of c^4
 */
import { addTimes } from '../math/addTimes.ts';
import type { Coordinates } from '../math/coordinates.ts';
import { unitAlong } from '../math/vector.ts';
import type { SampleBatch } from '../sample/sampleBatch.ts';
import { hasManyValues } from './hasManyValues.ts';

export interface WeakCoefficient {
  /** The intercept is the one behind all columns. */
  readonly column: number;
  /** About how many tell of it. */
  readonly rows: number;
  /** Whether it has two values, as a level of a text has. */
  readonly isLevel: boolean;
  /** Whether every value is above 0, so that it has a logarithm. */
  readonly isPositive: boolean;
}

export interface WeakOptions {
  /** In which the curvature of the rows is the identity. */
  readonly coordinates: Coordinates;
  /** The mean bend of the loss: the curvature of a column of its own, in units of its mean square. */
  readonly bend: number;
  /** Fewer rows are few. */
  readonly few: number;
}

export function weakCoefficients(
  batch: SampleBatch,
  { coordinates: { size, toTheta, ofGradient }, bend, few }: WeakOptions,
): readonly WeakCoefficient[] {
  const limit = Math.max(ALIKE, batch.rows / (MANY_TIMES * few));
  const found = Array.from({ length: size }, (_, column) => column).flatMap(column => {
    const unit = unitAlong(column, size);
    const direction = toTheta(ofGradient(unit));
    // Where other columns leave much of this one, rows that have it tell of it, and no row need be looked at.
    if (direction[column]! * bend * spreadOf(batch, column) < limit) return [];
    const rows = informativeRows(batch, direction);
    if (rows >= few) return [];
    const values = batch.columns[column];
    return [
      {
        column,
        rows: Math.max(1, Math.round(rows)),
        isLevel: values !== undefined && !hasManyValues(values),
        isPositive: values?.every(value => value > 0) ?? false,
      },
    ];
  });
  // Columns make each other up together: one alone is decided by rows that lie far out in it.
  return found.length > 1 ? found : [];
}

/**
 * Of a column's variance, what others leave of it is the n-th part of this where they make up all but the n-th part:
 * common among features that are alike.
 */
const ALIKE = 5;

/**
 * A level of a fifth of the rows or more is looked at where the others leave it to few rows, or to several times as
 * many.
 */
const MANY_TIMES = 20;

/** The variance; 1 for the intercept. */
function spreadOf({ columns, weights }: SampleBatch, column: number): number {
  const values = columns[column];
  if (values === undefined) return 1;
  let [count, sum, squares] = [0, 0, 0];
  const first = values[0]!;
  for (let i = 0; i < values.length; i++) {
    const weight = weights?.[i] ?? 1;
    const value = values[i]! - first;
    count += weight;
    sum += weight * value;
    squares += weight * value * value;
  }
  return (squares - (sum * sum) / count) / count;
}

function informativeRows({ rows, columns, weights }: SampleBatch, direction: Float64Array): number {
  const shares = new Float64Array(rows).fill(direction[columns.length] ?? 0);
  columns.forEach((values, j) => {
    addTimes(shares, values, direction[j]!);
  });
  let [squares, fourths] = [0, 0];
  for (let i = 0; i < rows; i++) {
    const square = (shares[i]! * (weights?.[i] ?? 1)) ** 2;
    squares += square;
    fourths += square * square;
  }
  return squares ** 2 / fourths;
}
