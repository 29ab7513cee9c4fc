import type { Coordinates } from '../../../math/coordinates.ts';
import { addTimes, unitAlong } from '../../../math/vector.ts';
import type { SampleBatch } from '../../../sample/sampleBatch.ts';
import { counted } from '../../../words.ts';
import type { FittedStudy } from '../../pilot/fittedStudy.ts';
import { listing, quoted, quotedCoefficient, type Tell } from '../notes.ts';
import { hasManyValues } from '../valueCounts.ts';

/** Fewer rows than this are few. */
const FEW_ROWS = 100;

/**
 * Columns where so few rows have another value than the usual one, which is 0 in standardized units, that the curvature
 * along them is rough: fewer than FEW_ROWS, and than a tenth of all. `rows` are those that have another value.
 */
export const rareColumns = ({ study: { batch }, standardized: { constant } }: FittedStudy) =>
  batch.columns.flatMap((values, column) => {
    if (constant.includes(column)) return [];
    const others = values.length - zerosIn(values);
    return others < Math.min(FEW_ROWS, batch.rows / 10) ? [{ column, rows: others }] : [];
  });

/** A function of its own, so that it is compiled once for all columns. */
function zerosIn(values: Float64Array): number {
  let count = 0;
  for (let i = 0; i < values.length; i++) if (values[i] === 0) count++;
  return count;
}

/** Steps over all rows measure the curvature themselves; two or three on fresh chunks rely on the pilot's. */
export const rareColumnNotes: Tell = ({ pilot, layout, uncertainty }, { names }) => {
  const isFull = layout.mode === 'full';
  // Columns without a finite estimate have a note of their own.
  const rare = pilot.columns.rare.filter(
    ({ column, rows }) => !isFull || (rows < FEW_OF_ALL && !pilot.columns.unbounded.includes(column)),
  );
  if (rare.length === 0) return null;
  const isOne = rare.length === 1;
  const each = rare.map(({ column, rows }) => `${quoted(column, names)} (${rows})`);
  const { column, rows } = rare[0]!;
  const differs = isOne
    ? `${quoted(column, names)} differs from its usual value in only ${isFull ? counted(rows, 'row') : `${rows} of ${pilot.rows.count} pilot rows`}`
    : `${listing(each)} differ from their usual values in only that many ${isFull ? 'rows' : `of ${pilot.rows.count} pilot rows`}`;
  const [coefficient, interval] = isOne ? ['its coefficient', 'its interval'] : ['coefficients', 'intervals'];
  if (isFull) {
    const assumption =
      uncertainty === null ? '' : `, and ${interval} ${isOne ? 'assumes' : 'assume'} the same noise there as elsewhere`;
    return `${differs}: ${coefficient} ${isOne ? 'rests' : 'rest'} on these alone${assumption}`;
  }
  const narrow = uncertainty === null ? '' : `, and ${interval} too narrow`;
  return `${differs}: ${coefficient} ${isOne ? 'is' : 'are'} imprecise${narrow}; use \`mode: 'full'\``;
};

/** With more rows, their residuals show their noise. */
const FEW_OF_ALL = 5;

/**
 * Coefficients that few rows determine though no column is rare. Where almost no row has the undeclared level of a
 * text, the intercept is what these rows say, and the coefficient of every level a difference from them.
 *
 *   c_ij = (A^-1 x_i)_j, the effect of row i's slope on coefficient j; (sum of c^2)^2 / sum of c^4 -> the effective number of rows that determine it
 */
export function weakCoefficients(
  { rows: given, study: { weights }, curvature }: FittedStudy,
  { coordinates, meanWeight }: { readonly coordinates: Coordinates; readonly meanWeight: number },
) {
  const { size, toTheta, ofGradient } = coordinates;
  const batch = { ...given, weights };
  // The mean curvature of a row: that of an uncorrelated column, over its mean square.
  const bend = (meanWeight * curvature.total) / batch.rows;
  const few = Math.min(FEW_ROWS, batch.rows / FAR_FEWER);
  const limit = Math.max(ALIKE, batch.rows / (MANY_TIMES * few));
  const found = Array.from({ length: size }, (_, column) => column).flatMap(column => {
    const direction = toTheta(ofGradient(unitAlong(column, size)));
    // Without near collinearity, the rows that vary in the column determine it, and none need be looked at.
    if (direction[column]! * bend * spreadOf(batch, column) < limit) return [];
    const rows = informativeRows(batch, direction);
    if (rows >= few) return [];
    const values = batch.columns[column];
    return [
      {
        /** The intercept's place is behind all columns. */
        column,
        /** The effective number of rows that determine it. */
        rows: Math.max(1, Math.round(rows)),
        /** Whether the column has two values, as the level of a text has. */
        isLevel: values !== undefined && !hasManyValues(values),
        /** Whether all values have logarithms. */
        isPositive: values?.every(value => value > 0) ?? false,
      },
    ];
  });
  // Collinearity involves several columns. A single one is determined by its extreme rows.
  return found.length > 1 ? found : [];
}

/**
 * With normal features a third of the rows determine a coefficient; with features of ten times their kurtosis a
 * thirtieth, though no columns are collinear.
 */
const FAR_FEWER = 30;

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

/** Columns that are not levels of a text may also leave a coefficient to few rows. */
export const weakCoefficientNotes: Tell = ({ pilot, plan, fit, uncertainty }, { names }) => {
  const few = pilot.columns.weak;
  // Where classes are separated, hardly any row is uncertain, whatever the columns.
  if (few.length === 0 || pilot.estimate.isSeparated) return null;
  const isIntercept = (column: number): boolean => plan.intercept && column === fit.theta.length - 1;
  const found = few.map(({ column }) => quotedCoefficient(column, names, plan));
  const rows = Math.max(...few.map(row => row.rows));
  const numbers = few.filter(({ column, isLevel }) => !isLevel && !isIntercept(column));
  const [why, advice] =
    numbers.length === 0
      ? ['the columns add up to a constant in all others', 'leave a frequent level undeclared']
      : [
          'only these have extreme enough features',
          `use ${numbers.every(({ isPositive }) => isPositive) ? 'logarithms or ranks' : 'ranks'} of the features`,
        ];
  const assumption = uncertainty === null ? '' : '. Intervals assume the same noise there as elsewhere';
  return `about ${rows} of ${counted(pilot.rows.count, 'row')} in the pilot ${rows === 1 ? 'determines' : 'determine'} ${listing(found)}: ${why}${assumption}; ${advice}, or drop a column`;
};
