import { type RankFactor, rankFactor } from '../../math/rankFactor.ts';
import type { Vector } from '../../math/vector.ts';

/**
 * The factor of a curvature whose last coordinate is the intercept's, if there is one. The intercept comes first in the
 * factor: if columns add up to it, one of them is dropped, and not the intercept.
 */
export function curvatureFactor(curvature: Float64Array, size: number, intercept: boolean): RankFactor {
  if (!intercept) return rankFactor(curvature, size);
  const from = (i: number): number => (i === 0 ? size - 1 : i - 1);
  const turned = (v: Vector): Vector => v.map((_, i) => v[from(i)]!);
  const moved = new Float64Array(size * size);
  for (let i = 0; i < size; i++) {
    for (let j = 0; j < size; j++) moved[i * size + j] = curvature[from(i) * size + from(j)]!;
  }
  const { kept, near, solveFactor, solveTransposed } = rankFactor(moved, size);
  return Object.freeze({
    size,
    kept: kept.map(from),
    near: near.map(from),
    solveFactor: (v: Vector) => solveFactor(turned(v)),
    solveTransposed: (u: Vector) => {
      const found = solveTransposed(u);
      return found.map((_, i) => found[(i + 1) % size]!);
    },
  });
}

/** A^-1 v over the coordinates that are kept, and 0 in the others. */
export const solveBy = ({ solveFactor, solveTransposed }: RankFactor, v: Vector): Vector =>
  solveTransposed(solveFactor(v));
