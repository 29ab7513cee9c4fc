import { requireInteger, requireProbability } from '../../errors.ts';
import { normalQuantile } from '../../math/normalQuantile.ts';
import { solveIncreasing } from '../../math/solveIncreasing.ts';
import type { SampleBatch } from '../../sample/sampleBatch.ts';
import { toDigits } from '../../words.ts';
import { type Audit, breach, type Pair, run } from './audit.ts';

/** Noise draws from releases that a pair does not move. */
const FEW_DRAWS = 200;
/** Draws from one data set, and noise values in them, unless more are asked for. */
const USUAL_DRAWS = 20_000;
const USUAL_NOISE = 2e6;

export interface NoiseTest {
  readonly draws: number;
  readonly lower: number;
  readonly scale: number;
  readonly ledger: number;
}

/** Draws the releases of the furthest pair many times, and tries to distinguish its data sets by them. */
export async function drawNoise(
  audit: Audit,
  asked: number | undefined,
  falseAlarm: number,
): Promise<NoiseTest | null> {
  const { furthest: pair } = audit;
  if (pair === null) return null;
  const { scale } = audit.declared.noise;
  const tally = noiseTally();
  const perDraw = pair.moved.differences.reduce(
    (sum, { length }, index) => sum + (pair.moved.squares[index]! > 0n ? length : 0),
    0,
  );
  const count = asked ?? Math.max(1, Math.min(USUAL_DRAWS, Math.floor(USUAL_NOISE / Math.max(1, perDraw))));
  const from = await project(audit, pair, pair.from, count, tally);
  const to = await project(audit, pair, pair.to, count, tally);
  // Halfway between the exact sums, which were known before any noise was drawn.
  const halfway = (from.exact + to.exact) / 2;
  const mistakes =
    from.projections.filter(value => value > halfway).length + to.projections.filter(value => value <= halfway).length;
  const lower = muLowerBound({ draws: 2 * count, mistakes }, falseAlarm / 2);
  const scales = tally.largestScales(falseAlarm / 2);
  const weakest = scales.reduce((least, value) => Math.min(least, value), Infinity);
  if (!(weakest >= scale)) {
    breach(
      audit,
      'noise',
      `the noise of release ${scales.indexOf(weakest) + 1} has a standard deviation of at most ${toDigits(weakest, 4)} grid steps, but ${scale} are declared`,
    );
  }
  if (tally.repeats()) {
    breach(
      audit,
      'repeated noise',
      'the noise repeats itself, so anyone who sees two releases can remove it; draw it from secure()',
    );
  }
  if (lower > from.ledger) {
    breach(
      audit,
      'mu',
      `the draws show a mu of at least ${toDigits(lower, 4)}, but the ledger charges ${toDigits(from.ledger, 4)}`,
    );
  }
  return { draws: count, lower, scale: weakest, ledger: from.ledger };
}

/**
 * Releases of one data set, in grid steps, projected on the difference of the pair; `exact` is the projection of the
 * sums.
 */
async function project(
  audit: Audit,
  { moved, answers }: Pair,
  rows: SampleBatch,
  count: number,
  tally: NoiseTally,
): Promise<{ projections: Float64Array; exact: number; ledger: number }> {
  const projections = new Float64Array(count);
  let exact = 0;
  const seen = await run(audit, rows, (index, { sums, grid = NaN }, draw) => {
    const difference = moved.differences[index]!;
    const isMoved = moved.squares[index]! > 0n;
    const onto = (values: Float64Array): number => values.reduce((sum, value, k) => sum + value * difference[k]!, 0);
    if (isMoved) exact += onto(sums);
    for (let i = 0; i < (isMoved ? count : Math.min(count, FEW_DRAWS)); i++) {
      const drawn = draw().map(value => value / grid);
      tally.add(
        index,
        drawn.map((value, k) => value - sums[k]!),
      );
      if (isMoved) projections[i]! += onto(drawn);
    }
    return answers[index]!;
  });
  return { projections, exact, ledger: seen.ledger?.mu ?? NaN };
}

export interface TestCounts {
  /** From both data sets in total. */
  readonly draws: number;
  readonly mistakes: number;
}

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
