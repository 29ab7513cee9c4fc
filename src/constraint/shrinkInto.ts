import { scaled, type Vector } from '../math/vector.ts';

/**
 * A point that rounding may have left a few ulps outside the ball of `radius`, moved toward 0 until the
 * norm, as computed, agrees. So a projection is feasible and its own projection to the last bit.
 */
export function shrinkInto(radius: number, norm: (point: Vector) => number, point: Vector): Vector {
  let inside = point;
  // Doubling ends at a slack of 1, so the loop ends for every radius, also one with no digits to spare.
  for (let slack = Number.EPSILON; norm(inside) > radius; slack *= 2) inside = scaled(point, 1 - slack);
  return inside;
}
