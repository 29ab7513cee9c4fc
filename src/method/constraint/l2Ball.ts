import { requirePositive, requireVector } from '../../errors.ts';
import { maxNorm, norm, scaled, subtract, type Vector, zeros } from '../../math/vector.ts';
import { type Constraint, rounding } from './constraint.ts';
import { l2Nearest } from './l2Nearest.ts';
import { shrinkInto } from './shrinkInto.ts';

/**
 * The l2 ball around 0, the paper's C = B_2(D), 1/D-strongly convex (lemma STR_CONV_BALL).
 *
 *   P_C(x) = D x / ||x|| outside,   argmin over C of g.v = -D g / ||g||
 *
 *   D -> radius, alpha_C = 1/D -> strongConvexity, ||C||_2 = 2D -> diameter
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
