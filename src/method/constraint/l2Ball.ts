import { requirePositive, requireVector } from '../../errors.ts';
import { cholesky } from '../../math/cholesky.ts';
import { maxNorm, norm, scaled, subtract, times, type Vector, zeros } from '../../math/vector.ts';
import { type Constraint, rounding, shrinkInto } from './constraint.ts';

/**
 * The l2 ball around 0, the paper's C = B_2(D), 1/D-strongly convex (lemma STR_CONV_BALL).
 *
 *   P_C(x) = D x / ||x|| outside,   argmin over C of g.v = -D g / ||g||
 *
 *   D -> radius, alpha_C = 1/D -> strongConvexity, ||C||_2 = 2D -> diameter
 *
 * @example
 * l2Ball(1).project(Float64Array.of(3, 4)); // [0.6, 0.8]
 */
export function l2Ball(radius: number): Constraint {
  requirePositive('radius', radius);
  const onSphere = (point: Vector) => shrinkInto(radius, norm, scaled(unit(point), radius));
  return Object.freeze<Constraint>({
    name: `l2Ball(${radius})`,
    diameter: 2 * radius,
    strongConvexity: 1 / radius,
    contains: (point, tolerance = rounding) => norm(point) <= radius * (1 + tolerance),
    project: point => (norm(requireVector('point', point)) <= radius ? point.slice() : onSphere(point)),
    projectIn: (metric, point) => {
      const found = l2Nearest(radius, metric, requireVector('point', point));
      return found && shrinkInto(radius, norm, found);
    },
    minimizeLinear(gradient) {
      const centre = zeros(requireVector('gradient', gradient).length);
      return maxNorm(gradient) === 0 ? centre : onSphere(subtract(centre, gradient));
    },
  });
}

/** Divides by the largest coordinate first, because the norm may overflow, and loses precision if it underflows. */
function unit(point: Vector): Vector {
  const largest = maxNorm(point);
  const direction = point.map(coordinate => coordinate / largest);
  const length = norm(direction);
  return direction.map(coordinate => coordinate / length);
}

/**
 * The nearest point of an l2 ball in the norm of A, for a point z outside it:
 *
 *   v = (A + lambda I)^-1 A z,   lambda > 0 such that ||v|| is the radius
 *
 * by Newton's method on 1/||v||, which is nearly linear in lambda and converges to its root from the left (More and
 * Sorensen, 1983).
 */
function l2Nearest(radius: number, metric: Float64Array, point: Vector): Vector | undefined {
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
