import { requirePositive, requireVector } from '../../errors.ts';
import { addScaled, dot, maxNorm, oneNorm, type Vector, zeros } from '../../math/vector.ts';
import { type Constraint, rounding, shrinkInto } from './constraint.ts';

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
 *
 * @example
 * l1Ball(1).project(Float64Array.of(2, 0.5)); // [1, 0]
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

/**
 * The nearest point of an l1 ball in the norm of A, for a point z outside it. With c = Az,
 *
 *   v(lambda) = argmin of v'Av/2 - c.v + lambda ||v||_1
 *
 * is 0 at lambda = max |c_j|, and is piecewise linear as lambda decreases (Osborne, Presnell and Turlach, 2000). Over
 * the nonzero coordinates K, with signs s,
 *
 *   v_K = A_KK^-1 (c_K - lambda s),   |c_j - (Av)_j| = lambda in K and less elsewhere
 *
 * K changes when a coordinate returns to 0, or when |c_j - (Av)_j| of another one reaches lambda. The path ends where
 * ||v||_1 equals the radius.
 */

/** Undefined if the path cannot be followed, because of ties that rounding resolves inconsistently. */
function l1Nearest(radius: number, metric: Float64Array, point: Vector): Vector | undefined {
  const size = point.length;
  const row = (j: number): Float64Array => metric.subarray(j * size, (j + 1) * size);
  const pulls = point.map((_, j) => dot(row(j), point));
  const kept = growingFactor(metric, size);
  const signs: number[] = [];
  let lambda = pulls.reduce((most, pull) => Math.max(most, Math.abs(pull)), 0);
  let joins = pulls.findIndex(pull => Math.abs(pull) === lambda);
  let left = -1;
  for (let turn = 0; turn < 20 * (size + 1); turn++) {
    if (joins >= 0) {
      const sign = Math.sign(pulls[joins]! - dot(row(joins), valuesAt(lambda))) || 1;
      if (!kept.add(joins)) return undefined;
      signs.push(sign);
    }
    const values = valuesAt(lambda);
    const way = spreadOut(kept.solve(Float64Array.from(signs)));
    const growth = lengthOf(way);
    let fall = Math.max(0, (radius - lengthOf(values)) / growth);
    let leaves = -1;
    joins = -1;
    kept.places.forEach((j, k) => {
      const meets = -values[j]! / way[j]!;
      // A coordinate that has just entered is 0 and moves in the direction of its sign.
      if (signs[k]! * way[j]! < 0 && meets < fall) [fall, leaves] = [Math.max(0, meets), k];
    });
    for (let j = 0; j < size; j++) {
      if (j === left || kept.places.includes(j)) continue;
      const rest = pulls[j]! - dot(row(j), values);
      const change = dot(row(j), way);
      for (const sign of [1, -1]) {
        const meets = (lambda - sign * rest) / (1 - sign * change);
        if (1 - sign * change > 0 && meets < fall) [fall, leaves, joins] = [Math.max(0, meets), -1, j];
      }
    }
    // Recomputed from the radius, which is more accurate than the accumulated decrements of lambda.
    if (leaves < 0 && joins < 0) return addScaled(valuesAt(0), (radius - lengthOf(valuesAt(0))) / growth, way);
    lambda -= fall;
    left = leaves < 0 ? -1 : kept.places[leaves]!;
    if (leaves >= 0) {
      kept.remove(leaves);
      signs.splice(leaves, 1);
    }
  }
  return undefined;

  function valuesAt(level: number): Vector {
    return spreadOut(kept.solve(Float64Array.from(signs, (sign, k) => pulls[kept.places[k]!]! - level * sign)));
  }
  function lengthOf(values: Vector): number {
    return kept.places.reduce((sum, j, k) => sum + signs[k]! * values[j]!, 0);
  }
  function spreadOut(values: Vector): Vector {
    const whole = zeros(size);
    values.forEach((value, k) => {
      whole[kept.places[k]!] = value;
    });
    return whole;
  }
}

/** The Cholesky factor of A restricted to a set of coordinates that are added and removed. */
function growingFactor(A: Float64Array, size: number) {
  const places: number[] = [];
  const rows: Float64Array[] = [];
  const add = (j: number): boolean => {
    const row = new Float64Array(places.length + 1);
    for (let i = 0; i < places.length; i++) {
      let sum = A[j * size + places[i]!]!;
      for (let m = 0; m < i; m++) sum -= row[m]! * rows[i]![m]!;
      row[i] = sum / rows[i]![i]!;
    }
    const rest = A[j * size + j]! - dot(row, row);
    if (!(rest > 0)) return false;
    row[places.length] = Math.sqrt(rest);
    places.push(j);
    rows.push(row);
    return true;
  };
  return {
    places,
    add,
    remove(index: number): void {
      const later = places.slice(index + 1);
      places.length = index;
      rows.length = index;
      later.forEach(add);
    },
    solve(v: Vector): Vector {
      const solution = v.slice();
      const count = places.length;
      for (let i = 0; i < count; i++) {
        for (let m = 0; m < i; m++) solution[i]! -= rows[i]![m]! * solution[m]!;
        solution[i]! /= rows[i]![i]!;
      }
      for (let i = count - 1; i >= 0; i--) {
        for (let m = i + 1; m < count; m++) solution[i]! -= rows[m]![i]! * solution[m]!;
        solution[i]! /= rows[i]![i]!;
      }
      return solution;
    },
  };
}
