import { CholeskyDecomposition, Matrix } from 'ml-matrix';
import { requireLength, requireSymmetric } from '../errors.ts';
import type { Vector } from './vector.ts';

/** The factor L of a symmetric positive definite matrix A = L L', as the linear maps that algorithms need. */
export interface Cholesky {
  readonly size: number;
  /** L' v */
  timesTransposed(v: Vector): Vector;
  /** L^-1 v */
  solveFactor(v: Vector): Vector;
  /** L'^-1 v */
  solveTransposed(v: Vector): Vector;
  /** A^-1 v */
  solve(v: Vector): Vector;
}

/** Factors a row-major matrix of size * size values; `undefined` if it is not positive definite. */
export function cholesky(matrix: Float64Array, size: number): Cholesky | undefined {
  requireSymmetric('matrix', matrix, size);
  // ml-matrix requires exact symmetry, so the lower triangle is mirrored into the upper.
  const mirrored = matrix.map((value, at) => {
    const [i, j] = [Math.floor(at / size), at % size];
    return i < j ? matrix[j * size + i]! : value;
  });
  const factored = new CholeskyDecomposition(Matrix.from1DArray(size, size, mirrored));
  if (!factored.isPositiveDefinite()) return undefined;
  const lower = factored.lowerTriangularMatrix;
  const L = (i: number, j: number): number => lower.get(i, j);

  const solveFactor = (v: Vector): Vector => {
    const solution = requireLength('v', v, size).slice();
    for (let i = 0; i < size; i++) {
      for (let j = 0; j < i; j++) solution[i]! -= L(i, j) * solution[j]!;
      solution[i]! /= L(i, i);
    }
    return solution;
  };
  const solveTransposed = (v: Vector): Vector => {
    const solution = requireLength('v', v, size).slice();
    for (let i = size - 1; i >= 0; i--) {
      for (let j = i + 1; j < size; j++) solution[i]! -= L(j, i) * solution[j]!;
      solution[i]! /= L(i, i);
    }
    return solution;
  };
  const timesTransposed = (v: Vector): Vector =>
    requireLength('v', v, size).map((_, i) => {
      let sum = 0;
      for (let j = i; j < size; j++) sum += L(j, i) * v[j]!;
      return sum;
    });
  return Object.freeze({
    size,
    timesTransposed,
    solveFactor,
    solveTransposed,
    solve: (v: Vector) => solveTransposed(solveFactor(v)),
  });
}
