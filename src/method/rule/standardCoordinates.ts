import { dot, filled, type Vector, zeros } from '../../math/vector.ts';
import { COLUMNS } from './informationQuestion.ts';
import type { Placement } from './updateRule.ts';

/** A point in the coordinates z = ((x - centre)/scale, 1); a scale of 0 is that of a column that has not varied. */
interface Placed extends Placement {
  readonly theta: Vector;
}

/** Centre and scale of a column; without an intercept it has no centre, and does not vary while it is 0. */
export function placeOf(answer: Vector, j: number, intercept: boolean): [number, number] {
  const [mean, spread] = [answer[COLUMNS.length + 2 * j]!, answer[COLUMNS.length + 2 * j + 1]!];
  return intercept ? [mean, spread] : [0, Math.hypot(mean, spread)];
}

/** The coefficients of the data: `directionsOf` times theta. */
export function pointOf({ centre, scale, theta }: Placed, intercept: boolean): Vector {
  const features = scale.length;
  const point = zeros(theta.length);
  for (let j = 0; j < features; j++) {
    if (!(scale[j]! > 0)) continue;
    point[j] = (1 / scale[j]!) * theta[j]!;
    if (intercept) point[features]! += (-centre[j]! / scale[j]!) * theta[j]!;
  }
  if (intercept) point[features]! += theta[features]!;
  return point;
}

/**
 * a_j with coefficient_j = a_j.theta: 1/s_j for a feature, and for the intercept 1 and -c_j/s_j. `unscaled`: 1 for a
 * feature.
 */
export function directionsOf(
  { centre, scale, theta }: Placed,
  intercept: boolean,
  unscaled = false,
): readonly Vector[] {
  const size = theta.length;
  return Array.from({ length: size }, (_, j) => {
    const direction = zeros(size);
    if (j < scale.length) {
      if (scale[j]! > 0 || unscaled) direction[j] = unscaled ? 1 : 1 / scale[j]!;
      return direction;
    }
    if (intercept) for (let l = 0; l < j; l++) if (scale[l]! > 0) direction[l] = -centre[l]! / scale[l]!;
    direction[j] = 1;
    return direction;
  });
}

/**
 * From coordinates to others, in which columns that had no scale may have one:
 *
 *   z = T z',   T_jj = s'_j/s_j,   T_j0 = (c'_j - c_j)/s_j;   th' = T' th,   g' = T^-1 g,   A' = T^-1 A T'^-1
 */
export function moveTo(to: Placement, from: Placement, intercept: boolean) {
  const features = to.scale.length;
  const size = features + (intercept ? 1 : 0);
  const stretch = filled(size, 1);
  const shift = zeros(size);
  for (let j = 0; j < features; j++) {
    const own = from.scale[j]! || 1;
    stretch[j] = (to.scale[j]! || 1) / own;
    shift[j] = intercept ? (to.centre[j]! - from.centre[j]!) / own : 0;
  }
  const gradient = (g: Vector): Vector =>
    g.map((value, j) => (value - (j < features && intercept ? shift[j]! * g[features]! : 0)) / stretch[j]!);
  const rows = (matrix: Float64Array): Float64Array => {
    const turned = new Float64Array(size * size);
    for (let j = 0; j < size; j++)
      gradient(matrix.subarray(j * size, (j + 1) * size)).forEach((value, k) => {
        turned[k * size + j] = value;
      });
    return turned;
  };
  return {
    point: (theta: Vector): Vector => {
      const moved = theta.map((value, j) => stretch[j]! * value);
      if (intercept) moved[features]! += dot(shift, theta);
      return moved;
    },
    gradient,
    matrix: (matrix: Float64Array): Float64Array => rows(rows(matrix)),
  };
}
