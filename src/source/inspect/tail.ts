import { type Largest, largest } from './largest.ts';

/**
 * How fast a column's extremes thin out: Hill's estimate (1975) of the index a of a tail P(|x - median| > t) ~ t^-a,
 *
 *   1/a = mean of log(d_i / d_(k+1)) over i = 1 .. k,   d_1 >= d_2 >= … the distances from the median
 *
 * with k = 1 % of the values, but at most 500. Moments of order a and more are infinite, so below 4 the variance of a squared residual is. The
 * standard error is a / sqrt k; a tail is called heavy where a is below 4 by two of them, since light tails have no index that a small sample
 * could show.
 */
export interface Tail {
  readonly index: number;
  readonly weight: 'heavy' | 'light';
}

export interface TailWatch {
  add(value: number): void;
  /** Null where there are too few values to tell: fewer than 1,000. */
  tail(median: number): Tail | null;
}

export function tailWatch(): TailWatch {
  // The values farthest from the median are among the largest and the smallest, whatever the median turns out to be.
  const high: Largest = largest(MOST + 1);
  const low: Largest = largest(MOST + 1);
  let count = 0;
  return Object.freeze({
    add(value: number) {
      count++;
      high.add(value);
      low.add(-value);
    },
    tail(median: number) {
      const k = Math.min(MOST, Math.floor(count / 100));
      if (k < LEAST) return null;
      const above = high.values().subarray(0, k + 1);
      const below = low.values().subarray(0, k + 1);
      const distances = Float64Array.of(
        ...above.map(value => value - median),
        ...below.map(value => value + median),
      );
      return tailOf(distances.sort().reverse(), k);
    },
  });
}

const MOST = 500;
const LEAST = 10;
const HEAVY = 4;

/** Distances from the largest down, more than k of them. */
function tailOf(distances: Float64Array, k: number): Tail | null {
  const threshold = distances[k]!;
  // More than 99 % of the values are equal: what is left says nothing about a power of the distance.
  if (!(threshold > 0)) return null;
  let sum = 0;
  for (let i = 0; i < k; i++) sum += Math.log(distances[i]! / threshold);
  const index = k / sum;
  return Object.freeze({ index, weight: index * (1 + 2 / Math.sqrt(k)) < HEAVY ? 'heavy' : 'light' });
}
