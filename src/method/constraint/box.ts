import { refuse, requireLength, requireVector } from '../../errors.ts';
import { cholesky } from '../../math/cholesky.ts';
import { distance, subtract, times, type Vector } from '../../math/vector.ts';
import { type Constraint, rounding } from './constraint.ts';

/**
 * lower <= theta <= upper, coordinate by coordinate.
 *
 * @example
 * box(Float64Array.of(0, 0), Float64Array.of(1, 1)).project(Float64Array.of(-2, 0.5)); // [0, 0.5]
 */
export function box(lower: Vector, upper: Vector): Constraint {
  const low = requireVector('lower', lower).slice();
  const high = requireVector('upper', upper, low.length).slice();
  const crossed = low.findIndex((end, j) => end > high[j]!);
  if (crossed >= 0) refuse(`lower[${crossed}]`, `be at most upper[${crossed}] = ${high[crossed]}`, low[crossed]);

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

/**
 * The nearest point of a box in the norm of A, by an active-set method. Coordinates held at a bound stay fixed while
 * the others move to their joint optimum. A coordinate that reaches a bound on the way is held there. Once none does,
 * the held coordinate that the gradient A(v - z) pulls inward most is released, until there is none.
 */

/** Undefined if the method does not terminate, because of ties that rounding resolves inconsistently. */
function boxNearest(low: Vector, high: Vector, metric: Float64Array, point: Vector): Vector | undefined {
  const size = point.length;
  const found = point.map((value, j) => Math.min(Math.max(value, low[j]!), high[j]!));
  const held = found.map((value, j) => (value === point[j] ? 0 : 1));
  for (let turn = 0; turn < 50 * (size + 1); turn++) {
    const slope = times(metric, subtract(found, point));
    const free = [...found.keys()].filter(j => held[j] === 0);
    const step = stepOf(free, slope);
    if (step === undefined) return undefined;
    let share = 1;
    let meets = -1;
    free.forEach((j, k) => {
      const room = (step[k]! > 0 ? high[j]! : low[j]!) - found[j]!;
      if (step[k] !== 0 && room / step[k]! < share) [share, meets] = [Math.max(0, room / step[k]!), k];
    });
    free.forEach((j, k) => {
      found[j]! += share * step[k]!;
    });
    if (meets >= 0) {
      const j = free[meets]!;
      found[j] = step[meets]! > 0 ? high[j]! : low[j]!;
      held[j] = 1;
      continue;
    }
    const drawn = mostDrawnInward();
    if (drawn < 0) return found;
    held[drawn] = 0;
  }
  return undefined;

  function stepOf(free: readonly number[], slope: Vector): Vector | undefined {
    if (free.length === 0) return new Float64Array(0);
    const part = new Float64Array(free.length ** 2);
    free.forEach((i, a) => {
      free.forEach((j, b) => {
        part[a * free.length + b] = metric[i * size + j]!;
      });
    });
    return cholesky(part, free.length)?.solve(Float64Array.from(free, j => -slope[j]!));
  }

  /** The held coordinate whose release would reduce the distance most; -1 if none should be released. */
  function mostDrawnInward(): number {
    const slope = times(metric, subtract(found, point));
    let [most, drawn] = [0, -1];
    for (let j = 0; j < size; j++) {
      if (held[j] === 0 || low[j] === high[j]) continue;
      const inward = found[j] === low[j] ? -slope[j]! : slope[j]!;
      const gain = inward > 0 ? inward ** 2 / metric[j * (size + 1)]! : 0;
      if (gain > most) [most, drawn] = [gain, j];
    }
    return drawn;
  }
}
