import { refuse, requireVector } from '../../errors.ts';
import { dot, subtract, type Vector } from '../../math/vector.ts';
import type { Constraint } from './constraint.ts';
import { nearestIn } from './nearestIn.ts';

/** A set for all coordinates but the last, which is free: it constrains the slopes but not the intercept. */
export function allButLast(constraint: Constraint): Constraint {
  const head = (point: Vector): Vector => point.subarray(0, point.length - 1);
  return Object.freeze({
    name: `${constraint.name} for all but the last`,
    diameter: Infinity,
    strongConvexity: 0,
    contains: (point: Vector, tolerance?: number) =>
      Number.isFinite(point.at(-1)) && constraint.contains(head(point), tolerance),
    project: (point: Vector): Vector => {
      const free = requireVector('point', point).at(-1)!;
      return Float64Array.of(...constraint.project(head(point)), free);
    },
    projectIn: (metric: Float64Array, point: Vector): Vector => {
      const size = requireVector('point', point).length;
      const last = size - 1;
      const own = metric[last * size + last]!;
      const ties = Float64Array.from({ length: last }, (_, j) => metric[last * size + j]! / own);
      // The metric after minimising over the free last coordinate: its Schur complement.
      const rest = new Float64Array(last * last);
      for (let i = 0; i < last; i++) {
        for (let j = 0; j < last; j++) rest[i * last + j] = metric[i * size + j]! - metric[i * size + last]! * ties[j]!;
      }
      const found = nearestIn(constraint, rest, head(point));
      return Float64Array.of(...found, point[last]! - dot(ties, subtract(found, head(point))));
    },
    minimizeLinear: () =>
      refuse(
        'constraint',
        'be bounded in every direction',
        constraint.name,
        'use l2Ball without an intercept, or projectedGradient',
      ),
  });
}
