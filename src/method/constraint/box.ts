import { refuse, requireLength, requireVector } from '../../errors.ts';
import { distance, type Vector } from '../../math/vector.ts';
import { boxNearest } from './boxNearest.ts';
import { type Constraint, rounding } from './constraint.ts';

/** lower <= theta <= upper, coordinate by coordinate. */
export function box(lower: Vector, upper: Vector): Constraint {
  const low = requireVector('lower', lower).slice();
  const high = requireVector('upper', upper, low.length).slice();
  const crossed = low.findIndex((end, j) => end > high[j]!);
  if (crossed >= 0)
    refuse(`lower[${crossed}]`, `be at most upper[${crossed}] = ${high[crossed]}`, low[crossed]);

  return Object.freeze<Constraint>({
    name: 'box',
    diameter: distance(high, low),
    strongConvexity: 0,
    contains: (point, tolerance = rounding) =>
      requireLength('point', point, low.length).every((coordinate, j) => {
        const slack = tolerance * Math.max(Math.abs(low[j]!), Math.abs(high[j]!));
        return low[j]! - slack <= coordinate && coordinate <= high[j]! + slack;
      }),
    project: point =>
      requireVector('point', point, low.length).map((coordinate, j) =>
        Math.min(Math.max(coordinate, low[j]!), high[j]!),
      ),
    projectIn: (metric, point) => boxNearest(low, high, metric, requireVector('point', point, low.length)),
    minimizeLinear: gradient =>
      requireVector('gradient', gradient, low.length).map((slope, j) => {
        if (slope === 0) return low[j]! / 2 + high[j]! / 2;
        return slope > 0 ? low[j]! : high[j]!;
      }),
  });
}
