/**
 * How fast a column's extremes decay: Hill's estimate (1975) of the index a of a tail P(|x - median| > t) ~ t^-a,
 *
 *   1/a = mean of log(d_i / d_(k+1)) over i = 1 .. k,   d_1 >= d_2 >= … the distances from the median
 *
 * with k = 1 % of the values, but at most 500. Moments of order a and more are infinite, so below 4 the variance of a
 * squared residual is infinite. A tail is called heavy if a is below 4 by two of its standard errors, a / sqrt k, and
 * also below 4 among the k/4 farthest values: bounded tails, such as those of distances on Earth, have an index that
 * grows towards the end.
 */
export interface Tail {
  readonly index: number;
  readonly weight: 'heavy' | 'light';
}

export function tailWatch() {
  // The values farthest from the median are among the largest and the smallest, whatever the median is.
  const [high, low] = [largest(MOST + 1), largest(MOST + 1)];
  let count = 0;
  return Object.freeze({
    add(value: number): void {
      count++;
      high.add(value);
      low.add(-value);
    },
    /** Null if there are too few values to tell: fewer than 1,000. */
    tail(median: number): Tail | null {
      const k = Math.min(MOST, Math.floor(count / 100));
      if (k < LEAST) return null;
      const above = high.values().subarray(0, k + 1);
      const below = low.values().subarray(0, k + 1);
      const distances = Float64Array.of(...above.map(value => value - median), ...below.map(value => value + median));
      return tailOf(distances.sort().reverse(), k);
    },
  });
}

const MOST = 500;
const LEAST = 10;
const HEAVY = 4;

/** Takes more than k distances, in decreasing order. */
function tailOf(distances: Float64Array, k: number): Tail | null {
  // More than 99 % of the values are equal: the rest says nothing about a power law.
  if (!(distances[k]! > 0)) return null;
  const index = hill(distances, k);
  const isHeavy = index * (1 + 2 / Math.sqrt(k)) < HEAVY && hill(distances, Math.ceil(k / 4)) < HEAVY;
  return Object.freeze({ index, weight: isHeavy ? 'heavy' : 'light' });
}

function hill(distances: Float64Array, k: number): number {
  let sum = 0;
  for (let i = 0; i < k; i++) sum += Math.log(distances[i]! / distances[k]!);
  return k / sum;
}

/** Keeps the `count` largest of a stream of numbers, in a heap whose root is the smallest of them. */
export function largest(count: number) {
  const heap = new Float64Array(count);
  let size = 0;

  const sink = (value: number): void => {
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= size) break;
      if (child + 1 < size && heap[child + 1]! < heap[child]!) child++;
      if (heap[child]! >= value) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = value;
  };

  const rise = (value: number): void => {
    let at = size++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (heap[parent]! <= value) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = value;
  };

  return Object.freeze({
    add(value: number): void {
      if (size < count) rise(value);
      else if (value > heap[0]!) sink(value);
    },
    /** The largest values seen, up to the number kept, in decreasing order. */
    values: (): Float64Array => heap.slice(0, size).sort().reverse(),
  });
}
