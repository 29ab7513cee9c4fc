/**
 * A lower confidence bound on mu from a test that distinguishes two neighbouring data sets, each drawn equally often:
 *
 *   mu >= -2 Phi^-1(e),   e -> an upper bound on the share of draws that the test gets wrong
 *
 * Why. A test of a mu-GDP mechanism with false positive rate a has a false negative rate b >= Phi(Phi^-1(1 - a) - mu),
 * so mu >= -Phi^-1(a) - Phi^-1(b), which is at least -2 Phi^-1((a + b)/2) where a + b <= 1, since -Phi^-1 is convex up
 * to 1/2 and odd around it. The share is bounded from the count by Chernoff, for draws of unequal rates by Hoeffding: k
 * of n wrong where n KL(k/n, e) > log(1/f) happens with probability at most f. No distribution of the noise is assumed.
 *
 * Guarantee. The bound exceeds the true mu with probability at most `falseAlarm`, if the test was fixed before the
 * draws.
 */

import { requireInteger, requireProbability } from '../../errors.ts';
import { normalQuantile } from '../../math/normalQuantile.ts';
import { solveIncreasing } from '../../math/solveIncreasing.ts';

export interface TestCounts {
  /** From both data sets in total. */
  readonly draws: number;
  readonly mistakes: number;
}

export function muLowerBound(counts: TestCounts, falseAlarm: number): number {
  const rate = rateUpperBound(counts, falseAlarm);
  return rate < 1 / 2 ? -2 * normalQuantile(rate) : 0;
}

/** The largest error rate consistent with the count. */
function rateUpperBound({ draws, mistakes }: TestCounts, falseAlarm: number): number {
  requireInteger('draws', draws, 1);
  requireInteger('mistakes', mistakes, 0, draws);
  const most = -Math.log(requireProbability('falseAlarm', falseAlarm)) / draws;
  const seen = mistakes / draws;
  if (seen >= 1 / 2) return 1;
  // In log-odds, where KL is smooth up to the ends.
  const odds = solveIncreasing(
    x => {
      const rate = 1 / (1 + Math.exp(-x));
      const kept = seen === 0 ? 0 : seen * Math.log(seen / rate);
      const lost = (1 - seen) * (Math.log1p(-seen) + Math.log1p(Math.exp(x)));
      return { value: kept + lost - most, slope: rate - seen };
    },
    { low: seen === 0 ? -50 : Math.log(seen / (1 - seen)), high: 50 },
  );
  return 1 / (1 + Math.exp(-odds));
}
