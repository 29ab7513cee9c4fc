/**
 * Statistics of the drawn noise: whether it is as large as declared, and whether it repeats.
 *
 * Guarantee. For noise of the declared distribution, P(largest scale < declared) <= falseAlarm, by Laurent and Massart:
 * P(chi^2_d <= d - 2 sqrt(d x)) <= e^-x; the discrete Gaussian has the moments of the continuous one to e^-(scale^2).
 * The probability that eight consecutive draws recur among 40,000 is below 1e-15, for scales from 2^9 on.
 */
export interface NoiseTally {
  add(release: number, values: Float64Array): void;
  /** Per release, the largest scale consistent with its noise; Infinity where there are too few draws. */
  largestScales(falseAlarm: number): readonly number[];
  repeats(): boolean;
}

const RUN = 8;
const KEPT_PER_RELEASE = 1000;
const KEPT = 40_000;

export function noiseTally(): NoiseTally {
  const releases: { squares: number; count: number }[] = [];
  const kept: number[] = [];
  return {
    add(release, values) {
      releases[release] ??= { squares: 0, count: 0 };
      const tally = releases[release]!;
      for (const value of values) {
        if (tally.count % (2 * KEPT_PER_RELEASE) < KEPT_PER_RELEASE && kept.length < KEPT) kept.push(value);
        tally.squares += value * value;
        tally.count++;
      }
    },
    largestScales(falseAlarm) {
      const x = Math.log(releases.length / falseAlarm);
      return releases.map(({ squares, count }) => {
        const least = count - 2 * Math.sqrt(count * x);
        return least > 0 ? Math.sqrt(squares / least) : Infinity;
      });
    },
    repeats() {
      const seen = new Set<string>();
      for (let end = RUN; end <= kept.length; end++) {
        const key = kept.slice(end - RUN, end).join();
        if (seen.has(key)) return true;
        seen.add(key);
      }
      return false;
    },
  };
}
