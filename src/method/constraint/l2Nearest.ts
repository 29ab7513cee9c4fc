/**
 * The nearest point of an l2 ball in the norm of A, for a point z outside it:
 *
 *   v = (A + lambda I)^-1 A z,   lambda > 0 such that ||v|| is the radius
 *
 * by Newton's method on 1/||v||, which is nearly linear in lambda and converges to its root from the left (More and
 * Sorensen, 1983).
 */
import { cholesky } from '../../math/cholesky.ts';
import { times } from '../../math/times.ts';
import { norm, type Vector } from '../../math/vector.ts';

export function l2Nearest(radius: number, metric: Float64Array, point: Vector): Vector | undefined {
  const size = point.length;
  const pulls = times(metric, point);
  let lambda = 0;
  let found = point;
  for (let turn = 0; turn < 100; turn++) {
    const factor = cholesky(
      metric.map((value, at) => (at % (size + 1) === 0 ? value + lambda : value)),
      size,
    );
    if (factor === undefined) return undefined;
    found = lambda === 0 ? point : factor.solve(pulls);
    const length = norm(found);
    const rise = (length / norm(factor.solveFactor(found))) ** 2 * (length / radius - 1);
    if (!(rise > 1e-15 * lambda)) break;
    lambda += rise;
  }
  return found;
}
