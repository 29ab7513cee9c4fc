import { norm } from '../math/vector.ts';

/** Points of R^size, one after the other, in memory that is written over by the next search. */
export interface Cloud {
  readonly count: number;
  readonly size: number;
  readonly points: Float64Array;
}

/** Somewhere among the points of a cloud, and how they pull from there: all but `y` is written by `weigh`. */
export interface Place {
  readonly y: Float64Array;
  readonly distances: Float64Array;
  /** R: the sum of unit vectors from y to the points away from it. */
  readonly pull: Float64Array;
  /** ||R|| */
  strength: number;
  /** The sum of 1/d_i over the points away from y. */
  inverses: number;
  /** How many points lie at y. */
  atPoint: number;
  /** The index of a nearest point. */
  nearest: number;
}

export const emptyCloud = (count: number, size: number): Cloud => ({
  count,
  size,
  points: new Float64Array(count * size),
});

export const emptyPlace = ({ count, size }: Cloud): Place => ({
  y: new Float64Array(size),
  distances: new Float64Array(count),
  pull: new Float64Array(size),
  strength: 0,
  inverses: 0,
  atPoint: 0,
  nearest: 0,
});

/** Looks around from `place.y`. */
export function weigh({ count, size, points }: Cloud, place: Place): void {
  const { y, distances, pull } = place;
  let inverses = 0;
  let atPoint = 0;
  let nearest = 0;
  pull.fill(0);
  for (let i = 0, first = 0; i < count; i++, first += size) {
    let square = 0;
    for (let j = 0; j < size; j++) {
      const away = points[first + j]! - y[j]!;
      square += away * away;
    }
    const isSafe = square > 1e-280 && square < 1e280;
    const distance = isSafe ? Math.sqrt(square) : safeDistance(points.subarray(first, first + size), y);
    distances[i] = distance;
    if (distance < distances[nearest]!) nearest = i;
    if (distance === 0) {
      atPoint++;
      continue;
    }
    const inverse = 1 / distance;
    inverses += inverse;
    for (let j = 0; j < size; j++) pull[j]! += (points[first + j]! - y[j]!) * inverse;
  }
  place.strength = norm(pull);
  place.inverses = inverses;
  place.atPoint = atPoint;
  place.nearest = nearest;
}

const safeDistance = (point: Float64Array, y: Float64Array): number =>
  norm(point.map((coordinate, j) => coordinate - y[j]!));

/**
 * How much the sum of distances rises from one place to another: the sum of (d'^2 - d^2)/(d' + d), in which nothing cancels.
 * The sums themselves agree to the last bit long before the places do.
 */
export function rise({ count, size, points }: Cloud, from: Place, to: Place): number {
  const { y: a, distances } = from;
  const { y: b, distances: others } = to;
  let sum = 0;
  for (let i = 0, first = 0; i < count; i++, first += size) {
    const both = distances[i]! + others[i]!;
    if (both === 0) continue;
    let change = 0;
    for (let j = 0; j < size; j++) {
      const point = points[first + j]!;
      change += (b[j]! - a[j]!) * (a[j]! - point + (b[j]! - point));
    }
    sum += change / both;
  }
  return sum;
}
