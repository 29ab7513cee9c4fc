/**
 * Plain dense algebra for tests, independent of ml-matrix and of src/math: matrices are arrays of rows,
 * systems are solved by elimination with pivoting, directions come from seeded normals.
 */

import { normal } from '../../src/math/random/normal.ts';
import type { Random } from '../../src/math/random/random.ts';
import { addScaled, dot, norm, scaled, type Vector } from '../../src/math/vector.ts';

export type Rows = readonly Vector[];

export const normals = (random: Random, length: number): Vector => Float64Array.from({ length }, () => normal(random));

export const direction = (random: Random, length: number): Vector => {
  const draw = normals(random, length);
  return scaled(draw, 1 / norm(draw));
};

/** A rotation (or reflection) of R^size: normals made orthonormal, twice over so that rounding stays rounding. */
export function orthogonal(random: Random, size: number): Rows {
  const rows: Vector[] = [];
  while (rows.length < size) {
    let row = normals(random, size);
    for (let pass = 0; pass < 2; pass++) {
      for (const other of rows) row = addScaled(row, -dot(row, other), other);
      row = scaled(row, 1 / norm(row));
    }
    rows.push(row);
  }
  return rows;
}

export const times = (matrix: Rows, v: Vector): Vector => Float64Array.from(matrix, row => dot(row, v));

/** sum_k values_k q_k q_k': symmetric to the last bit. */
export function withSpectrum(values: readonly number[], axes: Rows): Rows {
  const size = values.length;
  return Array.from({ length: size }, (_, i) =>
    Float64Array.from({ length: size }, (_, j) =>
      values.reduce((sum, value, k) => sum + value * (axes[k]![i]! * axes[k]![j]!), 0),
    ),
  );
}

export const flat = (matrix: Rows): Float64Array => Float64Array.from(matrix.flatMap(row => [...row]));

/** A^-1 v by Gaussian elimination with partial pivoting; NaN or infinite where A is singular. */
export function solveBy(matrix: Rows, v: Vector): Vector {
  const size = v.length;
  const rows: Vector[] = matrix.map((row, i) => Float64Array.of(...row, v[i]!));
  for (let k = 0; k < size; k++) {
    let pivot = k;
    for (let i = k + 1; i < size; i++) {
      if (Math.abs(rows[i]![k]!) > Math.abs(rows[pivot]![k]!)) pivot = i;
    }
    [rows[k], rows[pivot]] = [rows[pivot]!, rows[k]!];
    for (let i = k + 1; i < size; i++) {
      rows[i] = addScaled(rows[i]!, -rows[i]![k]! / rows[k]![k]!, rows[k]!);
    }
  }
  const solution = new Float64Array(size);
  for (let i = size - 1; i >= 0; i--) {
    let rest = rows[i]![size]!;
    for (let j = i + 1; j < size; j++) rest -= rows[i]![j]! * solution[j]!;
    solution[i] = rest / rows[i]![i]!;
  }
  return solution;
}
