import { compiledLoss, tiledRows } from '../../../engine/kernel/riskTile.ts';
import { norm, type Vector, zeros } from '../../../math/vector.ts';
import { type LossName, lossByName, type NamedLoss, TUKEY_TUNING } from '../../../method/loss/lossByName.ts';
import type { SampleBatch } from '../../../sample/sampleBatch.ts';
import type { Leverage } from './leverage.ts';

/**
 * The most robust first. Its efficiency under normal noise is 80 %, that of the last of either kind 98 %; a larger
 * parameter would gain little there. At the same efficiency Tukey's loss rejects distant rows more, and Geman and
 * McClure's is nearer to the best for heavy tails.
 */
const TUNINGS: readonly { readonly name: LossName; readonly scales: number }[] = [
  { name: 'tukey', scales: 3.4 },
  { name: 'tukey', scales: 4 },
  { name: 'tukey', scales: TUKEY_TUNING },
  { name: 'tukey', scales: 6 },
  { name: 'geman-mcclure', scales: 2 },
  { name: 'geman-mcclure', scales: 2.5 },
  { name: 'geman-mcclure', scales: 3 },
  { name: 'geman-mcclure', scales: 4 },
  { name: 'geman-mcclure', scales: 5 },
];

const lossOf = ({ name, scales }: (typeof TUNINGS)[number], scale: number): NamedLoss =>
  lossByName(name, { parameter: scales * scale });

export const mostRobustLoss = (scale: number): NamedLoss => lossOf(TUNINGS[0]!, scale);

/** It rejects almost no normal residual. */
export const mostEfficientLoss = (scale: number): NamedLoss => lossByName('tukey', { parameter: 6 * scale });

export interface Tuning {
  readonly loss: NamedLoss;
  /** Whether rows are weighted by leverage. */
  readonly isWeighted: boolean;
}

/** A loss and its estimate. */
export interface TunedEstimate {
  readonly tuning: Tuning;
  readonly t: Vector;
}

interface TuningOptions {
  readonly intercept: boolean;
  readonly leverage: Leverage;
  /** d^2 of the rows. */
  readonly squares: Float64Array;
  /** Case weights, and the same times leverage weights. */
  readonly weights: Float64Array;
  readonly leverageWeights: Float64Array;
  /** At the most robust estimate. */
  readonly residuals: Float64Array;
  readonly scale: number;
  /** n */
  readonly rows: number;
}

/**
 * Chooses a redescending loss, its parameter in residual scales, and whether rows are weighted by leverage: the tuning
 * with the smallest expected squared error of the slopes over n rows.
 *
 *   bias^2 + v/n,   v = mean of psi^2 d^2 / a^2,   a = mean of psi' d^2 / p
 *   bias^2 = |m|^2 - (1 + 2 sqrt(2/p)) u/N, or 0,   m = L^-1 g / a,   u = mean of (psi/a - psi_0/a_0)^2 d^2
 *
 *   psi -> weight times slope of the loss, psi_0 -> of the most robust tuning, g -> mean of psi x over the N rows here, d and L -> leverage.ts
 *
 * m is the shift of the estimate from the most robust one, which outliers can hardly move; by sampling noise alone
 * |m|^2 is u/N on average, with a standard deviation of sqrt(2/p) of that. Heavy tails favour a small parameter, normal
 * noise a large one, and outliers on one side Tukey's loss, which rejects them altogether. High-leverage rows that
 * disagree with the others favour leverage weights; those that agree are worth more than other rows. The intercept is
 * ignored: with skewed noise it depends on the tuning in any case.
 */
export function chooseTuning(batch: SampleBatch, options: TuningOptions): Tuning {
  const { scale, rows, leverage } = options;
  const tunings = TUNINGS.flatMap(tuning => {
    const loss = lossOf(tuning, scale);
    return [true, false].map(isWeighted => ({ loss, isWeighted }));
  });
  const influences = addInfluences(batch, tunings, options);
  const robust = influences[0]!;
  // Without curvature, the most robust loss rejects too much to compare others with.
  const unit = robust.a > 0 ? robust.a : Infinity;
  const p = leverage.slopes;
  const errors = influences.map(({ a, gradient, own, mixed }) => {
    if (!(a > 0)) return Infinity;
    const variance = own / a ** 2 - (2 * mixed) / (a * unit) + robust.own / unit ** 2;
    const chance = ((1 + 2 * Math.sqrt(2 / p)) * variance) / batch.rows ** 2;
    const moved = leverage.factor.solveFactor(gradient.map(value => value / (a * batch.rows)));
    const movement = norm(options.intercept ? moved.subarray(1) : moved);
    return Math.max(0, movement ** 2 - chance) + own / (a ** 2 * batch.rows * rows);
  });
  // NaN, from an overflow, is never the smallest.
  const best = errors.reduce((least, error, at) => (error < errors[least]! ? at : least), 0);
  // Leverage weights cost time in every row of the run. The next entry is the same loss without them.
  const isWorthIt = errors[best]! < WORTH * errors[best + 1]!;
  return tunings[tunings[best]!.isWeighted && !isWorthIt ? best + 1 : best]!;
}

const WORTH = 0.97;

/** Sums of one tuning over all rows. */
interface Influences {
  /** a */
  a: number;
  /** Sum of psi x. */
  readonly gradient: Vector;
  /** Sums of psi^2 d^2 and psi psi_0 d^2. */
  own: number;
  mixed: number;
}

/** Every tile of rows is read once, for all tunings. */
function addInfluences(
  { rows, columns }: SampleBatch,
  tunings: readonly Tuning[],
  { squares, residuals, weights, leverageWeights, leverage, intercept }: TuningOptions,
): readonly Influences[] {
  const size = columns.length + (intercept ? 1 : 0);
  const found = tunings.map((): Influences => ({ a: 0, gradient: zeros(size), own: 0, mixed: 0 }));
  const { tile, visit } = tiledRows(columns, rows);
  const [ownSquares, robust] = tile.spare;
  visit((start, count, first) => {
    const end = start + count;
    ownSquares.set(squares.subarray(start, end));
    ownSquares[count] = 0;
    tile.scores.set(residuals.subarray(start, end));
    tile.targets.fill(0);
    tunings.forEach(({ loss, isWeighted }, at) => {
      tile.weights.set((isWeighted ? leverageWeights : weights).subarray(start, end));
      tile.weights[count] = 0;
      tile.derive(compiledLoss(loss.loss.kernel)!, false, count);
      if (at === 0) robust.set(tile.slopes);
      tile.clear();
      tile.addInfluences(size, first, count);
      const sums = found[at]!;
      for (let j = 0; j < size; j++) sums.gradient[j]! += tile.sumOf(j);
      const [bends, own, mixed] = tile.totals as unknown as readonly [number, number, number];
      sums.a += bends / (rows * leverage.slopes);
      sums.own += own;
      sums.mixed += mixed;
    });
  });
  return found;
}
