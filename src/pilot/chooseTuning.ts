/**
 * Which redescending loss to take, where it should begin to leave rows out of account, and whether rows of unusual
 * features should count less. Of several tunings, each in units of the residuals' scale, with weights and without, the
 * one that promises the smallest squared error of the slopes over n rows:
 *
 *   bias^2 + v/n,   v = mean of psi^2 d^2 / a^2,   a = mean of psi' d^2 / p
 *   bias^2 = |m|^2 - (1 + 2 sqrt(2/p)) u/N, or 0,   m = L^-1 g / a,   u = mean of (psi/a - psi_0/a_0)^2 d^2
 *
 *   psi -> weight times slope of the loss, psi_0 -> the surest of them, g -> mean of psi x over the N rows here, d and L -> leverage.ts
 *
 * m is how far the estimate would be carried away from that of the surest, which rows that do not belong can hardly
 * move; by sampling noise alone |m|^2 is u/N on average, give or take sqrt(2/p) of it. Long tails ask for a small
 * parameter, normal noise for a large one, and rows that are all on one side for Tukey's loss, which leaves them out
 * altogether; rows far out that do not follow the others ask for weights, and such as do are worth more than others.
 * The intercept is not looked at: for skewed noise it depends on the tuning by its nature.
 */
import { type LossName, lossByName, type NamedLoss } from '../loss/lossByName.ts';
import { TUKEY_TUNING } from '../loss/tunings.ts';
import { norm, type Vector, zeros } from '../math/vector.ts';
import type { SampleBatch } from '../sample/sampleBatch.ts';
import type { Leverage } from './leverage.ts';
import { compiledLoss } from './riskTile.ts';
import { tiledRows } from './tiledRows.ts';

/**
 * The surest first. Under normal noise it costs 20 % of the rows, the last of either kind 2 %; a larger one would win
 * little there. Tukey's of the same cost lets far rows count less, Geman and McClure's is nearer to the best for long
 * tails.
 */
const TUNINGS: readonly { readonly name: LossName; readonly scales: number }[] = [
  ...[3.4, 4, TUKEY_TUNING, 6].map(scales => ({ name: 'tukey' as const, scales })),
  ...[2, 2.5, 3, 4, 5].map(scales => ({ name: 'geman-mcclure' as const, scales })),
];

const lossOf = ({ name, scales }: (typeof TUNINGS)[number], scale: number): NamedLoss =>
  lossByName(name, { parameter: scales * scale });

export const mostRobustLoss = (scale: number): NamedLoss => lossOf(TUNINGS[0]!, scale);

/** Of normal residuals it leaves out none. */
export const mostEfficientLoss = (scale: number): NamedLoss => lossByName('tukey', { parameter: 6 * scale });

export interface Tuning {
  readonly loss: NamedLoss;
  /** Whether rows count by their leverage. */
  readonly isWeighted: boolean;
}

export interface TuningOptions {
  readonly intercept: boolean;
  readonly leverage: Leverage;
  /** d^2 of the rows. */
  readonly squares: Float64Array;
  /** The weights that the rows have in any case, and those that they have by their leverage too. */
  readonly weights: Float64Array;
  readonly leverageWeights: Float64Array;
  /** At the estimate of the surest loss, with weights by leverage. */
  readonly residuals: Float64Array;
  readonly scale: number;
  /** n */
  readonly rows: number;
}

export function chooseTuning(batch: SampleBatch, options: TuningOptions): Tuning {
  const { scale, rows, leverage } = options;
  const tunings = TUNINGS.flatMap(tuning => {
    const loss = lossOf(tuning, scale);
    return [true, false].map(isWeighted => ({ loss, isWeighted }));
  });
  const influences = addInfluences(batch, tunings, options);
  const surest = influences[0]!;
  // Where nothing is left to curve, a loss leaves out too much to be of use, or to be held against.
  const unit = surest.a > 0 ? surest.a : Infinity;
  const p = leverage.slopes;
  const errors = influences.map(({ a, gradient, own, mixed }) => {
    if (!(a > 0)) return Infinity;
    const apart = own / a ** 2 - (2 * mixed) / (a * unit) + surest.own / unit ** 2;
    const chance = ((1 + 2 * Math.sqrt(2 / p)) * apart) / batch.rows ** 2;
    const moved = leverage.factor.solveFactor(gradient.map(value => value / (a * batch.rows)));
    const movement = norm(options.intercept ? moved.subarray(1) : moved);
    return Math.max(0, movement ** 2 - chance) + own / (a ** 2 * batch.rows * rows);
  });
  // What overflows is never below.
  const best = errors.reduce((least, error, at) => (error < errors[least]! ? at : least), 0);
  // Weights are work for every row of the run; the same loss without them comes next.
  const isWorthIt = errors[best]! < WORTH * errors[best + 1]!;
  return tunings[tunings[best]!.isWeighted && !isWorthIt ? best + 1 : best]!;
}

const WORTH = 0.97;

/** Of one tuning, over all rows. */
interface Influences {
  /** a */
  a: number;
  /** Sum of psi x. */
  readonly gradient: Vector;
  /** Sums of psi^2 d^2 and psi psi_0 d^2. */
  own: number;
  mixed: number;
}

/** All tunings over one tile of rows after the other, so that rows are read once. */
function addInfluences(
  { rows, columns }: SampleBatch,
  tunings: readonly Tuning[],
  { squares, residuals, weights, leverageWeights, leverage, intercept }: TuningOptions,
): readonly Influences[] {
  const size = columns.length + (intercept ? 1 : 0);
  const found = tunings.map((): Influences => ({ a: 0, gradient: zeros(size), own: 0, mixed: 0 }));
  const { tile, visit } = tiledRows(columns, rows);
  const [ownSquares, surest] = tile.spare;
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
      if (at === 0) surest.set(tile.slopes);
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
