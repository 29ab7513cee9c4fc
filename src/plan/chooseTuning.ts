/**
 * Which redescending loss to take, where it should begin to leave rows out of account, and whether rows of unusual features should count less. Of several tunings, each in units of the
 * residuals' scale, with weights and without, the one that promises the smallest squared error of the slopes over n rows:
 *
 *   bias^2 + v/n,   v = mean of psi^2 d^2 / a^2,   a = mean of psi' d^2 / p
 *   bias^2 = |m|^2 - (1 + 2 sqrt(2/p)) u/N, or 0,   m = L^-1 g / a,   u = mean of (psi/a - psi_0/a_0)^2 d^2
 *
 *   psi -> weight times slope of the loss, psi_0 -> the surest of them, g -> mean of psi x over the N rows here, d and L -> leverage.ts
 *
 * m is how far the estimate would be carried away from that of the surest, which rows that do not belong can hardly move; by sampling noise alone |m|^2 is u/N on average, give or take
 * sqrt(2/p) of it. Long tails ask for a small parameter, normal noise for a large one, and rows that are all on one side for Tukey's loss, which leaves them out altogether; rows far out
 * that do not follow the others ask for weights, and such as do are worth more than others. The intercept is not looked at: for skewed noise it depends on the tuning by its nature.
 */
import type { Loss } from '../loss/loss.ts';
import { type LossName, lossByName, type NamedLoss } from '../loss/lossByName.ts';
import { dot, norm, type Vector } from '../math/vector.ts';
import type { SampleBatch } from '../sample/sampleBatch.ts';
import type { Leverage } from './leverage.ts';
import { compiledLoss } from './riskTile.ts';
import { tiledRows } from './tiledRows.ts';

/**
 * The surest first. Under normal noise it costs 20 % of the rows, the last of either kind 2 %; a larger one would win little there. Tukey's of the same cost lets far rows count less,
 * Geman and McClure's is nearer to the best for long tails.
 */
const TUNINGS: readonly { readonly name: LossName; readonly scales: number }[] = [
  ...[3.4, 4, 4.685, 6].map(scales => ({ name: 'tukey' as const, scales })),
  ...[2, 2.5, 3, 4, 5].map(scales => ({ name: 'geman-mcclure' as const, scales })),
];

const lossOf = ({ name, scales }: (typeof TUNINGS)[number], scale: number): NamedLoss =>
  lossByName(name, { parameter: scales * scale });

export const surestLoss = (scale: number): Loss => lossOf(TUNINGS[0]!, scale).loss;

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
  /** The weights that the rows have in any case. */
  readonly weights: Float64Array;
  /** At the estimate of the surest loss, with weights by leverage. */
  readonly residuals: Float64Array;
  readonly scale: number;
  /** n */
  readonly rows: number;
}

export function chooseTuning(batch: SampleBatch, options: TuningOptions): Tuning {
  const { scale, rows, leverage, squares } = options;
  const byLeverage = leverage.weights(squares);
  for (let i = 0; i < batch.rows; i++) byLeverage[i]! *= options.weights[i]!;
  const tunings = TUNINGS.flatMap(tuning => {
    const loss = lossOf(tuning, scale);
    return [true, false].map(isWeighted => ({ loss, isWeighted }));
  });
  const promises = TUNINGS.flatMap(tuning => {
    const bent = slopesAndBends(lossOf(tuning, scale).loss, options.residuals);
    return [byLeverage, options.weights].map(weights => influences(batch, bent, weights, options));
  });
  const [surest] = promises;
  const p = leverage.slopes;
  const errors = promises.map(({ values, movement, variance }) => {
    let apart = 0;
    for (let i = 0; i < batch.rows; i++) apart += (values[i]! - surest!.values[i]!) ** 2 * squares[i]!;
    const chance = ((1 + 2 * Math.sqrt(2 / p)) * apart) / batch.rows ** 2;
    return Math.max(0, movement ** 2 - chance) + variance / rows;
  });
  // What overflows is never below.
  const best = errors.reduce((least, error, at) => (error < errors[least]! ? at : least), 0);
  // Weights are work for every row of the run; the same loss without them comes next.
  const isWorthIt = errors[best]! < WORTH * errors[best + 1]!;
  return tunings[tunings[best]!.isWeighted && !isWorthIt ? best + 1 : best]!;
}

const WORTH = 0.97;

interface Influences {
  /** psi/a, row by row. */
  readonly values: Float64Array;
  /** |m| */
  readonly movement: number;
  /** v */
  readonly variance: number;
}

interface Bent {
  readonly slopes: Float64Array;
  readonly bends: Float64Array;
}

/** psi and psi' of every row, before weights. */
function slopesAndBends(loss: Loss, residuals: Float64Array): Bent {
  const rows = residuals.length;
  const found = { slopes: new Float64Array(rows), bends: new Float64Array(rows) };
  const { tile, visit } = tiledRows([], rows);
  tile.weights.fill(1);
  tile.targets.fill(0);
  visit((start, count) => {
    tile.scores.set(residuals.subarray(start, start + count));
    tile.derive(compiledLoss(loss.kernel)!, false, count);
    found.slopes.set(tile.slopes.subarray(0, count), start);
    found.bends.set(tile.bends.subarray(0, count), start);
  });
  return found;
}

function influences(
  { rows, columns }: SampleBatch,
  { slopes, bends }: Bent,
  weights: Float64Array,
  { squares, leverage, intercept }: TuningOptions,
): Influences {
  const values = new Float64Array(rows);
  let bend = 0;
  for (let i = 0; i < rows; i++) {
    values[i] = weights[i]! * slopes[i]!;
    bend += weights[i]! * squares[i]! * bends[i]!;
  }
  const a = bend / (rows * leverage.slopes);
  // Where nothing is left to curve, the loss leaves out too much to be of use.
  if (!(a > 0)) return { values, movement: Infinity, variance: Infinity };
  let variance = 0;
  for (let i = 0; i < rows; i++) {
    values[i]! /= a;
    variance += (values[i]! ** 2 * squares[i]!) / rows;
  }
  const gradient: Vector = new Float64Array(columns.length + (intercept ? 1 : 0));
  columns.forEach((column, j) => {
    gradient[j] = dot(values, column) / rows;
  });
  if (intercept) gradient[columns.length] = values.reduce((sum, value) => sum + value, 0) / rows;
  const moved = leverage.factor.solveFactor(gradient);
  return { values, movement: norm(intercept ? moved.subarray(1) : moved), variance };
}
