import { EigenvalueDecomposition, Matrix } from 'ml-matrix';
import { requireLength } from './check.ts';
import type { Vector } from './vector.ts';

export interface EigenPair {
  readonly value: number;
  readonly vector: Vector;
}

/** Eigenvalues, largest first, and orthonormal eigenvectors of a symmetric row-major matrix of size * size values. */
export function symmetricEigen(matrix: Float64Array, size: number): EigenPair[] {
  requireLength('matrix', matrix, size * size);
  // Said outright, because a last-bit asymmetry would silently choose the solver for general matrices.
  const eigen = new EigenvalueDecomposition(Matrix.from1DArray(size, size, matrix), {
    assumeSymmetric: true,
  });
  return eigen.realEigenvalues
    .map((value, k) => ({ value, vector: Float64Array.from(eigen.eigenvectorMatrix.getColumn(k)) }))
    .sort((a, b) => b.value - a.value);
}
