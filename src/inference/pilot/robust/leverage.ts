import { tiledRows } from '../../../engine/kernel/riskTile.ts';
import type { RankFactor } from '../../../math/rankFactor.ts';
import { dot, unitAlong, zeros } from '../../../math/vector.ts';
import { squared } from '../../../method/loss/squared.ts';
import type { SampleBatch } from '../../../sample/sampleBatch.ts';
import { curvatureFactor } from '../risk/curvatureFactor.ts';
import { weightedRisk } from '../risk/weightedRisk.ts';

export interface Leverage {
  /** Factor of the second moments of the features, with the intercept if there is one. */
  readonly factor: RankFactor;
  /** p, the number of coordinates without the intercept's. */
  readonly slopes: number;
  /** d^2 of rows in the same standardized units. */
  squares(columns: readonly Float64Array[], rows: number): Float64Array;
  /** w of rows with these d^2. */
  weights(squares: Float64Array): Float64Array;
}

/**
 * Leverage: the Mahalanobis distance d of a row's features, by a robust covariance, and weights that bound its
 * influence:
 *
 *   d^2 = ||L^-1 (z - mean)||^2,   w = min(1, (3 + sqrt p)^2 / d^2)
 *
 *   L L' -> the covariance of rows without high leverage
 *
 * Rows are first weighted by each feature's scale, then by the covariance of the rows so weighted, which also shows
 * rows that are unusual only in the combination of their features. A few high-leverage rows then do not distort an
 * estimate. The weights depend on the features alone, so that the coefficients that are estimated stay the same.
 *
 * Of standardized features, with case weights `given`.
 */
export function leverageOf(batch: SampleBatch, given: Float64Array, intercept: boolean): Leverage {
  const { rows, columns } = batch;
  const size = columns.length + (intercept ? 1 : 0);
  const largest = (3 + Math.sqrt(columns.length)) ** 2;
  const weights = (squares: Float64Array): Float64Array => {
    const found = new Float64Array(squares.length);
    for (let i = 0; i < found.length; i++) found[i] = squares[i]! > largest ? largest / squares[i]! : 1;
    return found;
  };

  const first = weights(squaredNorms(batch));
  let sum = 0;
  for (let i = 0; i < rows; i++) {
    first[i]! *= given[i]!;
    sum += first[i]!;
  }
  for (let i = 0; i < rows; i++) first[i]! *= rows / sum;
  const risk = weightedRisk(batch, { intercept, weights: first });
  const factor = curvatureFactor(risk.derivatives(squared(), zeros(size)).curvature, size, intercept);
  const inverse = factor.kept.map((_, i) => {
    const unit = unitAlong(i, factor.kept.length);
    // Row i of L^-1: the weights of the columns in the i-th coordinate.
    return factor.solveTransposed(unit);
  });
  // The intercept's coordinate comes first, and is the same for all rows.
  const shares = intercept ? inverse.slice(1) : inverse;
  return {
    factor,
    slopes: shares.length,
    weights,
    squares(from, count) {
      const sums = new Float64Array(count);
      const { tile, visit } = tiledRows(from, count);
      visit((start, rows, first) => {
        tile.slopes.fill(0);
        for (const share of shares) {
          tile.score(share, first, rows);
          tile.addSquares(rows);
        }
        sums.set(tile.slopes.subarray(0, rows), start);
      });
      return sums;
    },
  };
}

/** sqrt(sum of d^4) / sum of d^2: the relative error of second moments, by the few rows with the highest leverage. */
export const concentrationOf = (squares: Float64Array): number => {
  const sum = squares.reduce((total, square) => total + square, 0);
  return sum > 0 ? Math.sqrt(dot(squares, squares)) / sum : 0;
};

/** ||z||^2 of every row. */
export function squaredNorms({ rows, columns }: SampleBatch): Float64Array {
  const norms = new Float64Array(rows);
  for (const column of columns) addSquares(norms, column);
  return norms;
}

/** A function of its own, so that it is compiled once for all columns. */
function addSquares(sums: Float64Array, column: Float64Array): void {
  for (let i = 0; i < sums.length; i++) sums[i]! += column[i]! * column[i]!;
}
