/**
 * How much the risk curves along each coordinate, from the path of a descent: near a minimum gradients grow in proportion to the distance from it, and released ones cost nothing more.
 *
 *   curvature = sum of (a_t - mean a) g_t / A,   error = sigma / sqrt(A),   A = sum of (a_t - mean a)^2
 *
 *   a_t -> `at`, g_t -> `gradient` there, of noise sigma
 *
 * Where the path is of noise alone, each place is the last one less its noise, as in a random walk: the curvature found is then too large more often than a normal number would be. `SURE` errors
 * less of it is too much in one case of a hundred (Dickey and Fuller, 1979).
 */
import { requirePositive } from '../math/check.ts';
import type { Vector } from '../math/vector.ts';

export interface PathPoint {
  readonly at: Vector;
  readonly gradient: Vector;
}

export const SURE = 3.43;

/** Per coordinate, what the curvature is at least. */
export function pathCurvatures(path: readonly PathPoint[], sigma: number): Vector {
  requirePositive('sigma', sigma);
  const size = path[0]!.at.length;
  return Float64Array.from({ length: size }, (_, j) => {
    const mean = path.reduce((sum, { at }) => sum + at[j]!, 0) / path.length;
    let [squares, products] = [0, 0];
    for (const { at, gradient } of path) {
      squares += (at[j]! - mean) ** 2;
      products += (at[j]! - mean) * gradient[j]!;
    }
    return squares === 0 ? 0 : Math.max(0, products / squares - (SURE * sigma) / Math.sqrt(squares));
  });
}
