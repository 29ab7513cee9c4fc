/**
 * How much rows may count by how unusual their features are:
 *
 *   w = min(1, (3 + sqrt p)^2 / d^2),   d -> the distance from the centre by the covariance of the rows that are not far off
 *
 * First by each feature's own scale, then by the covariance of the rows so weighted, which sees rows that are unusual only in how their features go together. A few far rows
 * then do not bend a first estimate. They depend on the features alone, so that what is estimated stays the same.
 */
import { rankFactor } from '../math/rankFactor.ts';
import type { SampleBatch } from '../sample/sampleBatch.ts';

/** Of features in units of their own, times the weights that the rows have. */
export function leverageWeights({ rows, columns, weights }: SampleBatch): Float64Array {
  const given = weights ?? new Float64Array(rows).fill(1);
  const largest = (3 + Math.sqrt(columns.length)) ** 2;
  const weighed = (squares: Float64Array): Float64Array =>
    squares.map((square, i) => (square > largest ? largest / square : 1) * given[i]!);
  const first = weighed(squaredNorms(columns, rows));
  return weighed(squaredNorms(whitened(columns, first, rows), rows));
}

function squaredNorms(columns: readonly Float64Array[], rows: number): Float64Array {
  const squares = new Float64Array(rows);
  for (const column of columns) for (let i = 0; i < rows; i++) squares[i]! += column[i]! ** 2;
  return squares;
}

/** L^-1 z, column by column. */
function whitened(
  columns: readonly Float64Array[],
  weights: Float64Array,
  rows: number,
): readonly Float64Array[] {
  const size = columns.length;
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const covariance = new Float64Array(size * size);
  const room = new Float64Array(rows);
  for (let j = 0; j < size; j++) {
    for (let i = 0; i < rows; i++) room[i] = (weights[i]! * columns[j]![i]!) / total;
    for (let k = 0; k <= j; k++) {
      let sum = 0;
      for (let i = 0; i < rows; i++) sum += room[i]! * columns[k]![i]!;
      covariance[j * size + k] = sum;
      covariance[k * size + j] = sum;
    }
  }
  const factor = rankFactor(covariance, size);
  const inverse = factor.kept.map((_, i) => {
    const unit = new Float64Array(factor.kept.length);
    unit[i] = 1;
    return factor.solveTransposed(unit);
  });
  // Row i of L^-1 holds what the i-th coordinate takes of every column.
  return inverse.map(shares => {
    const made = new Float64Array(rows);
    columns.forEach((column, j) => {
      const share = shares[j]!;
      if (share !== 0) for (let i = 0; i < rows; i++) made[i]! += share * column[i]!;
    });
    return made;
  });
}
