import { moments } from '../../math/moments.ts';
import { type Quantile, type QuantileSketch, quantileSketch } from '../../math/quantileSketch.ts';
import { orderWatch, type SortOrder } from './sortOrder.ts';
import { type Tail, tailWatch } from './tail.ts';

/**
 * A one-pass summary of finite numbers. Extremes, mean and deviation are exact, and so is the median of up to 1,000
 * distinct values; other quantiles come with an error bound.
 */
export interface NumberSummary {
  readonly values: number;
  readonly least: number;
  readonly most: number;
  readonly mean: number;
  /** With divisor n - 1; 0 for a single value. */
  readonly deviation: number;
  readonly p01: Quantile;
  readonly median: Quantile;
  readonly p99: Quantile;
  /** Null if there are more than 1,000. */
  readonly distinct: number | null;
  readonly tail: Tail | null;
  /** The share of values separated from all others by a gap; null if there is no gap. */
  readonly apart: number | null;
  readonly order: SortOrder;
}

export const MOST_DISTINCT = 1000;

export function numberProfile() {
  const spread = moments();
  const tails = tailWatch();
  const order = orderWatch();
  // Bins around 0 resolve magnitudes well; bins around a value of the column resolve values far from 0, such as
  // temperatures in kelvin and times.
  let sketches: readonly QuantileSketch[] = [];
  /** The number of occurrences of each value. */
  let counts: Map<number, number> | null = new Map();
  const ends = { least: Infinity, most: -Infinity };

  const quantile = (share: number): Quantile =>
    sketches.map(sketch => sketch.quantile(share)).reduce((a, b) => (b.within < a.within ? b : a));

  return Object.freeze({
    /** Takes finite values, in row order. */
    add(value: number): void {
      if (spread.weight === 0) sketches = [quantileSketch(), quantileSketch({ origin: value })];
      spread.add(value);
      for (const sketch of sketches) sketch.add(value);
      tails.add(value);
      order.add(value);
      if (value < ends.least) ends.least = value;
      if (value > ends.most) ends.most = value;
      counts?.set(value, (counts.get(value) ?? 0) + 1);
      if (counts !== null && counts.size > MOST_DISTINCT) counts = null;
    },
    /** Null before the first value. */
    summary(): NumberSummary | null {
      const { weight: values, mean, squares } = spread;
      if (values === 0) return null;
      const median = counts === null ? quantile(0.5) : { value: middleOf(counts, values), within: 0 };
      return Object.freeze({
        values,
        ...ends,
        mean,
        deviation: Math.sqrt(squares / Math.max(1, values - 1)),
        p01: quantile(0.01),
        median,
        p99: quantile(0.99),
        distinct: counts?.size ?? null,
        tail: tails.tail(median.value),
        apart: gapOf(values, share => quantile(share).value),
        order: order.order(sketches.map(sketch => sketch.bins())),
      });
    },
  });
}

/** The middle value, or the mean of the two middle ones. */
function middleOf(counts: ReadonlyMap<number, number>, values: number): number {
  const sorted = [...counts].sort(([a], [b]) => a - b);
  const at = (place: number): number => {
    let below = 0;
    return sorted.find(([, count]) => {
      below += count;
      return place < below;
    })![0];
  };
  const [low, high] = [at(Math.floor((values - 1) / 2)), at(Math.floor(values / 2))];
  // Halved first, because sums and differences may overflow even if values do not.
  return low === high ? low : low / 2 + high / 2;
}

/**
 * Values separated from all others: recorded in other units, or codes for missing values. With D(s) the distance from
 * the median exceeded by a share s of the values, on either side,
 *
 *   D(s/2) > 10 D(s) for an s of at most 10 %
 *
 * A tail P(d > t) ~ t^-a has D(s/2) = 2^(1/a) D(s), so tails that decay regularly, however heavy, have such a jump only
 * if a is below 0.3.
 *
 * Returns the share of the values beyond the gap; null if there is none.
 */
export function gapOf(values: number, quantile: (share: number) => number): number | null {
  const median = quantile(0.5);
  const upper = (share: number): number => quantile(1 - share) - median;
  const lower = (share: number): number => median - quantile(share);
  const shares = [upper, lower].map(distance => beyondGap(distance, values));
  return shares[0] === null ? shares[1]! : shares[1] === null ? shares[0]! : Math.max(...(shares as number[]));
}

const LARGEST_SHARE = 0.1;
const JUMP = 10;

function beyondGap(distance: (share: number) => number, values: number): number | null {
  for (let share = LARGEST_SHARE; share * values >= LEAST; share /= 2) {
    const near = distance(share);
    // If most values are equal, there is no scale to compare other distances with.
    if (near <= 0 || distance(share / 2) <= JUMP * near) continue;
    let [outer, inner] = [share / 2, share];
    for (let k = 0; k < 12; k++) {
      const between = (outer + inner) / 2;
      if (distance(between) > JUMP * near) outer = between;
      else inner = between;
    }
    return outer;
  }
  return null;
}

/** With fewer values a share is meaningless. */
const LEAST = 4;
