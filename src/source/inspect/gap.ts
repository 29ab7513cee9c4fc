/**
 * Values separated from all others: recorded in other units, or codes for missing values. With D(s) the distance from
 * the median exceeded by a share s of the values, on either side,
 *
 *   D(s/2) > 10 D(s) for an s of at most 10 %
 *
 * A tail P(d > t) ~ t^-a has D(s/2) = 2^(1/a) D(s), so tails that decay regularly, however heavy, have such a jump only
 * if a is below 0.3.
 */
export interface GapOptions {
  readonly values: number;
  readonly quantile: (share: number) => number;
}

/** The share of the values beyond the gap; null if there is none. */
export function gapOf({ values, quantile }: GapOptions): number | null {
  const median = quantile(0.5);
  const upper = (share: number): number => quantile(1 - share) - median;
  const lower = (share: number): number => median - quantile(share);
  const shares = [upper, lower].map(distance => beyondGap(distance, values));
  return shares[0] === null
    ? shares[1]!
    : shares[1] === null
      ? shares[0]!
      : Math.max(...(shares as number[]));
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
