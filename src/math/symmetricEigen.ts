import { EigenvalueDecomposition, Matrix } from 'ml-matrix';
import { requireSymmetric } from '../errors.ts';
import { maxNorm, type Vector } from './vector.ts';

export interface EigenPair {
  readonly value: number;
  readonly vector: Vector;
}

/**
 * Eigenvalues, in decreasing order, and orthonormal eigenvectors of a symmetric row-major matrix of size * size values.
 */
export function symmetricEigen(matrix: Float64Array, size: number): EigenPair[] {
  const largest = maxNorm(requireSymmetric('matrix', matrix, size));
  // ml-matrix squares the entries without scaling them: beyond 1e±150 it is wrong or fails. A power of two is exact.
  const unit = largest === 0 ? 1 : 2 ** Math.floor(Math.log2(largest));
  // Symmetry is asserted, because a last-bit asymmetry would silently select the solver for general matrices.
  const eigen = new EigenvalueDecomposition(
    Matrix.from1DArray(
      size,
      size,
      matrix.map(value => value / unit),
    ),
    { assumeSymmetric: true },
  );
  return eigen.realEigenvalues
    .map((value, k) => ({
      value: value * unit,
      vector: Float64Array.from(eigen.eigenvectorMatrix.getColumn(k)),
    }))
    .sort((a, b) => b.value - a.value);
}
