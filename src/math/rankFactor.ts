import type { Vector } from './vector.ts';

export interface RankFactor {
  /** The number of coordinates of A. */
  readonly size: number;
  /** The coordinates kept, in increasing order. */
  readonly kept: readonly number[];
  /** Coordinates dropped although their residual exceeds rounding error: nearly collinear ones. */
  readonly near: readonly number[];
  /** L^-1 v over the kept coordinates of v, in new memory unless `into` is given. */
  solveFactor(v: Vector, into?: Float64Array): Vector;
  /** L'^-1 u, with 0 in the dropped coordinates. */
  solveTransposed(u: Vector): Vector;
}

const LEAST = 1e-11;

/** A few units in the last place, relative to the terms that are added up. */
const ROUNDING = 1e-14;

/** With a residual share above this, rounding cannot matter. */
const SURE = 0.01;

/**
 * The Cholesky factor of a positive semidefinite matrix, over the coordinates that are not linear combinations of those
 * before them:
 *
 *   A_kk' = L L' over the kept coordinates, first to last
 *
 * A coordinate is dropped if the residual of A_jj, after regressing it on the coordinates kept before it, is less than
 * a share `least` of A_jj, 1e-11 unless given, or within rounding error. Rounding matters if the kept coordinates are nearly collinear: the
 * terms that combine to coordinate j may then be much larger than it, and cancel its digits.
 *
 * Takes a row-major matrix and reads only its lower triangle.
 */
export function rankFactor(matrix: Float64Array, size: number, least = LEAST): RankFactor {
  const kept: number[] = [];
  const near: number[] = [];
  const rows: Float64Array[] = [];
  for (let j = 0; j < size; j++) {
    const row = new Float64Array(kept.length + 1);
    for (let i = 0; i < kept.length; i++) {
      const before = rows[i]!;
      let sum = matrix[j * size + kept[i]!]!;
      for (let m = 0; m < i; m++) sum -= row[m]! * before[m]!;
      row[i] = sum / before[i]!;
    }
    const own = matrix[j * size + j]!;
    let rest = own;
    for (let m = 0; m < kept.length; m++) rest -= row[m]! ** 2;
    const rounding = rest > SURE * own ? 0 : ROUNDING * (own + madeUpOf(row));
    if (!(rest > Math.max(least * own, rounding))) {
      if (rest > rounding) near.push(j);
      continue;
    }
    row[kept.length] = Math.sqrt(rest);
    kept.push(j);
    rows.push(row);
  }
  return Object.freeze({
    size,
    kept: Object.freeze(kept),
    near: Object.freeze(near),
    solveFactor(v: Vector, into?: Float64Array): Vector {
      const solution = into?.subarray(0, kept.length) ?? new Float64Array(kept.length);
      // Unit vectors are half of what is solved for, and begin with zeros.
      let first = 0;
      while (first < kept.length && v[kept[first]!] === 0) solution[first++] = 0;
      for (let i = first; i < kept.length; i++) {
        const row = rows[i]!;
        let value = v[kept[i]!]!;
        for (let m = first; m < i; m++) value -= row[m]! * solution[m]!;
        solution[i] = value / row[i]!;
      }
      return solution;
    },
    solveTransposed(u: Vector): Vector {
      const solution = solveUp(u);
      const whole = new Float64Array(size);
      for (let i = 0; i < kept.length; i++) whole[kept[i]!] = solution[i]!;
      return whole;
    },
  });

  function solveUp(u: Vector): Vector {
    const solution = u.slice();
    for (let i = kept.length - 1; i >= 0; i--) {
      for (let m = i + 1; m < kept.length; m++) solution[i]! -= rows[m]![i]! * solution[m]!;
      solution[i]! /= rows[i]![i]!;
    }
    return solution;
  }

  /** The sum of c_k^2 A_kk, where c are the coefficients of this row's coordinate regressed on the kept ones. */
  function madeUpOf(row: Float64Array): number {
    const shares = solveUp(row.subarray(0, kept.length));
    return kept.reduce((sum, k, i) => sum + shares[i]! ** 2 * matrix[k * (size + 1)]!, 0);
  }
}
