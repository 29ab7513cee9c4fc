/**
 * Coefficients that few rows determine though no column is rare. Where almost no row has the undeclared level of a
 * text, the intercept is what these rows say, and the coefficient of every level a difference from them.
 *
 *   c_ij = (A^-1 x_i)_j, the effect of row i's slope on coefficient j; (sum of c^2)^2 / sum of c^4 -> the effective number of rows that determine it
 */

import type { Coordinates } from '../../math/coordinates.ts';
import { addTimes, unitAlong } from '../../math/vector.ts';
import type { SampleBatch } from '../../sample/sampleBatch.ts';
import { hasManyValues } from './hasManyValues.ts';

export interface WeakCoefficient {
  /** The intercept's place is behind all columns. */
  readonly column: number;
  /** The effective number of rows that determine it. */
  readonly rows: number;
  /** Whether the column has two values, as the level of a text has. */
  readonly isLevel: boolean;
  /** Whether all values are above 0, so that they have logarithms. */
  readonly isPositive: boolean;
}

export interface WeakOptions {
  /** In which the curvature is the identity. */
  readonly coordinates: Coordinates;
  /** The mean curvature of a row: that of an uncorrelated column, over its mean square. */
  readonly bend: number;
  /** Fewer rows than this are few. */
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
    // Without near collinearity, the rows that vary in the column determine it, and none need be looked at.
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
  // Collinearity involves several columns. A single one is determined by its extreme rows.
  return found.length > 1 ? found : [];
}

/** Variance inflation: common among correlated features. */
const ALIKE = 5;

/**
 * So that a level that a fifth of the rows have is looked at where others leave it to few rows, or to several times as
 * many.
 */
const MANY_TIMES = 20;

/** The variance of a column; 1 for the intercept. */
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
