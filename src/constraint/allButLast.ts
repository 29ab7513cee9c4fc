import { refuse, requireVector } from '../math/check.ts';
import type { Vector } from '../math/vector.ts';
import type { Constraint } from './constraint.ts';

/** A set for all coordinates but the last, which is free: coefficients are constrained, an intercept is not. */
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
    minimizeLinear: () =>
      refuse(
        'constraint',
        'be bounded in every direction',
        constraint.name,
        'use l2Ball without an intercept, or projectedGradient',
      ),
  });
}
