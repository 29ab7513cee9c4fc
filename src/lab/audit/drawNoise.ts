import type { SampleBatch } from '../../sample/sampleBatch.ts';
import { toDigits } from '../../words.ts';
import { type Audit, type Pair, run } from './audit.ts';
import { breach } from './breach.ts';
import { muLowerBound } from './muLowerBound.ts';
import { type NoiseTally, noiseTally } from './noiseTally.ts';

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
    from.projections.filter(value => value > halfway).length +
    to.projections.filter(value => value <= halfway).length;
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
    const onto = (values: Float64Array): number =>
      values.reduce((sum, value, k) => sum + value * difference[k]!, 0);
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
