/**
 * The Cholesky factor of a positive semidefinite matrix, over the coordinates that are no combination of those before them:
 *
 *   A_kk' = L L' over the kept coordinates, first to last
 *
 * A coordinate is left out where less than a share `LEAST` of its own A_jj is left once the kept ones before it are taken out.
 */
import type { Vector } from './vector.ts';

export interface RankFactor {
  /** Coordinates of A. */
  readonly size: number;
  /** Those that count, rising. */
  readonly kept: readonly number[];
  /** L^-1 v over the kept coordinates of v. */
  solveFactor(v: Vector): Vector;
  /** L'^-1 u, and 0 in the coordinates left out. */
  solveTransposed(u: Vector): Vector;
}

const LEAST = 1e-9;

/** Of a row-major matrix, of which the lower triangle is read. */
export function rankFactor(matrix: Float64Array, size: number): RankFactor {
  const kept: number[] = [];
  const rows: Float64Array[] = [];
  for (let j = 0; j < size; j++) {
    const row = new Float64Array(kept.length + 1);
    kept.forEach((k, i) => {
      let sum = matrix[j * size + k]!;
      for (let m = 0; m < i; m++) sum -= row[m]! * rows[i]![m]!;
      row[i] = sum / rows[i]![i]!;
    });
    const own = matrix[j * size + j]!;
    let rest = own;
    for (let m = 0; m < kept.length; m++) rest -= row[m]! ** 2;
    if (!(rest > LEAST * own)) continue;
    row[kept.length] = Math.sqrt(rest);
    kept.push(j);
    rows.push(row);
  }
  return Object.freeze({
    size,
    kept: Object.freeze(kept),
    solveFactor(v: Vector): Vector {
      const solution = Float64Array.from(kept, j => v[j]!);
      for (let i = 0; i < kept.length; i++) {
        for (let m = 0; m < i; m++) solution[i]! -= rows[i]![m]! * solution[m]!;
        solution[i]! /= rows[i]![i]!;
      }
      return solution;
    },
    solveTransposed(u: Vector): Vector {
      const solution = u.slice();
      const whole = new Float64Array(size);
      for (let i = kept.length - 1; i >= 0; i--) {
        for (let m = i + 1; m < kept.length; m++) solution[i]! -= rows[m]![i]! * solution[m]!;
        solution[i]! /= rows[i]![i]!;
        whole[kept[i]!] = solution[i]!;
      }
      return whole;
    },
  });
}
