import { scaled, type Vector } from '../../math/vector.ts';

/**
 * Moves a point that rounding may have left a few ulps outside the ball of `radius` toward 0, until its computed norm
 * is at most the radius. A projection is then feasible, and idempotent to the last bit.
 */
export function shrinkInto(radius: number, norm: (point: Vector) => number, point: Vector): Vector {
  let inside = point;
  // Doubling ends at a slack of 1, so the loop terminates for every radius, even a subnormal one.
  for (let slack = Number.EPSILON; norm(inside) > radius; slack *= 2) inside = scaled(point, 1 - slack);
  return inside;
}
