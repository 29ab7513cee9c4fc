import { requirePositive, requireVector } from '../../errors.ts';
import { maxNorm, oneNorm, type Vector, zeros } from '../../math/vector.ts';
import { type Constraint, rounding } from './constraint.ts';
import { l1Nearest } from './l1Nearest.ts';
import { shrinkInto } from './shrinkInto.ts';

/**
 * The l1 ball around 0. Projecting a point from outside reduces every |x_i| by the same threshold, to 0 at the least.
 * The threshold is computed from the top: with m = max |x_i| and gaps d_i = m - |x_i|,
 *
 *   |P(x)_i| = max(h - d_i, 0),   h = (radius + sum of the k least d_i) / k,   the largest k with d_k < h
 *
 * which adds numbers no larger than the radius, without any subtraction. The textbook threshold m - h subtracts the
 * radius from a sum as large as the point, and loses it entirely if the point is 1e16 times larger.
 *
 *   h -> height, d -> gaps, k -> count
 */
export function l1Ball(radius: number): Constraint {
  requirePositive('radius', radius);
  return Object.freeze<Constraint>({
    name: `l1Ball(${radius})`,
    diameter: 2 * radius,
    strongConvexity: 0,
    contains: (point, tolerance = rounding) => oneNorm(point) <= radius * (1 + tolerance),
    project: point =>
      oneNorm(requireVector('point', point)) <= radius
        ? point.slice()
        : shrinkInto(radius, oneNorm, soften(point, radius)),
    projectIn(metric, point) {
      const found = l1Nearest(radius, metric, requireVector('point', point));
      return found && shrinkInto(radius, oneNorm, found);
    },
    minimizeLinear(gradient) {
      const vertex = zeros(requireVector('gradient', gradient).length);
      const largest = maxNorm(gradient);
      const steepest = gradient.findIndex(slope => Math.abs(slope) === largest);
      if (largest > 0) vertex[steepest] = gradient[steepest]! > 0 ? -radius : radius;
      return vertex;
    },
  });
}

function soften(point: Vector, radius: number): Vector {
  const largest = maxNorm(point);
  const gaps = point.map(coordinate => largest - Math.abs(coordinate));
  let height = Infinity;
  let total = radius;
  let count = 0;
  for (const gap of gaps.toSorted()) {
    if (gap >= height) break;
    total += gap;
    height = total / ++count;
  }
  return point.map((coordinate, i) => (gaps[i]! < height ? Math.sign(coordinate) * (height - gaps[i]!) : 0));
}
