import { compiledLoss, type RiskTile, riskTile, TILE_ROWS } from '../../../engine/kernel/riskTile.ts';
import type { Vector } from '../../../math/vector.ts';
import type { LossKernel } from '../../../method/loss/loss.ts';

/** Rows of which samples are fitted again and again: the columns that are kept, and the residuals of a first fit. */
export interface BlendRows {
  readonly columns: readonly Float64Array[];
  /** y less the scores of the first fit: coefficients here are what is added to that. */
  readonly target: Float64Array;
  /** Case weights, and what rows count in a scale. */
  readonly weights: Float64Array;
  readonly counts: Float64Array;
  readonly intercept: boolean;
  /** Second moments of all rows, row-major: what a sample without some rows says nothing about stays as it is. */
  readonly moments: Float64Array;
}

/** A sample of rows in compiled memory. */
export interface RowsAtHand {
  readonly rows: number;
  readonly size: number;
  readonly target: Float64Array;
  readonly weights: Float64Array;
  readonly counts: Float64Array;
  /** The j-th value of a row; of an intercept 1. */
  valueAt(row: number, j: number): number;
  /** y - x.d of every row; overwritten by the next call. */
  residuals(d: Vector): Float64Array;
  /**
   * Moves d by a step of iteratively reweighted least squares, and returns the square of its length in the curvature.
   */
  step(d: Vector, kernel: LossKernel, weights: Float64Array): number;
}

/** The sample of the rows at these places, in this order. The sample that was taken before is overwritten. */
export function rowsAtHand(from: BlendRows, places: Uint32Array): RowsAtHand {
  const { columns, intercept, moments } = from;
  const features = columns.length;
  const rows = places.length;
  const size = features + (intercept ? 1 : 0);
  const { tile, room } = handFor(features, rows);
  const target = gathered(from.target, places, room.target);
  const weights = gathered(from.weights, places, room.weights);
  const counts = gathered(from.counts, places, room.counts);
  columns.forEach((column, j) => {
    gathered(column, places, tile.columns[j]!);
  });
  const found = room.residuals.subarray(0, rows);
  const matrix = new Float64Array(size * size);
  const rest = new Float64Array(size);
  return {
    rows,
    size,
    target,
    weights,
    counts,
    valueAt: (row, j) => (j === features ? 1 : tile.columns[j]![row]!),
    residuals(d) {
      for (let start = 0; start < rows; start += TILE_ROWS) {
        const count = Math.min(TILE_ROWS, rows - start);
        tile.score(d, start, count);
        for (let i = 0; i < count; i++) found[start + i] = target[start + i]! - tile.scores[i]!;
      }
      return found;
    },
    step(d, kernel, by) {
      const loss = compiledLoss(kernel)!;
      tile.clear();
      for (let start = 0; start < rows; start += TILE_ROWS) {
        const count = Math.min(TILE_ROWS, rows - start);
        tile.score(d, start, count);
        tile.targets.set(target.subarray(start, start + count));
        tile.weights.set(by.subarray(start, start + count));
        tile.weights[count] = 0;
        tile.derive(loss, true, count);
        tile.addDerivatives(start, count);
      }
      for (let j = 0; j < size; j++) {
        rest[j] = tile.sumOf(j) / rows;
        for (let k = 0; k <= j; k++) {
          matrix[j * size + k] = tile.momentOf(j, k) / rows + LITTLE * moments[j * size + k]!;
        }
      }
      let squareStep = 0;
      const gradient = rest.slice();
      solveInPlace(matrix, rest);
      for (let j = 0; j < size; j++) {
        squareStep += gradient[j]! * rest[j]!;
        d[j]! -= rest[j]!;
      }
      return squareStep;
    },
  };
}

/** Of the second moments of all rows: a step is 0 in a direction in which only these have any, and else as it was. */
const LITTLE = 1e-8;

/** The solution of A x = v for a positive definite A, of which only the lower triangle is read; both are overwritten. */
function solveInPlace(matrix: Float64Array, v: Vector): void {
  const size = v.length;
  for (let j = 0; j < size; j++) {
    for (let k = 0; k <= j; k++) {
      let sum = matrix[j * size + k]!;
      for (let m = 0; m < k; m++) sum -= matrix[j * size + m]! * matrix[k * size + m]!;
      // Rounding may leave less than nothing of a coordinate that others determine.
      matrix[j * size + k] = k < j ? sum / matrix[k * size + k]! : Math.sqrt(sum > 0 ? sum : Infinity);
    }
  }
  for (let j = 0; j < size; j++) {
    for (let k = 0; k < j; k++) v[j]! -= matrix[j * size + k]! * v[k]!;
    v[j]! /= matrix[j * size + j]!;
  }
  for (let j = size - 1; j >= 0; j--) {
    for (let k = j + 1; k < size; k++) v[j]! -= matrix[k * size + j]! * v[k]!;
    v[j]! /= matrix[j * size + j]!;
  }
}

function gathered(from: Float64Array, places: Uint32Array, into: Float64Array): Float64Array {
  for (let i = 0; i < places.length; i++) into[i] = from[places[i]!]!;
  return into.subarray(0, places.length);
}

interface Hand {
  readonly tile: RiskTile;
  readonly capacity: number;
  readonly room: Readonly<Record<'target' | 'weights' | 'counts' | 'residuals', Float64Array>>;
}

let last: Hand | undefined;

/** One is kept, because compiled memory takes longer to get than small samples to fit. */
function handFor(features: number, rows: number): Hand {
  if (last === undefined || last.tile.columns.length !== features || last.capacity < rows) {
    const array = (): Float64Array => new Float64Array(rows);
    last = {
      tile: riskTile(features, rows),
      capacity: rows,
      room: { target: array(), weights: array(), counts: array(), residuals: array() },
    };
  }
  return last;
}
