/**
 * Where a redescending loss should begin to leave rows out of account, and whether rows of unusual features should count less. Of several q, each a multiple of the residuals'
 * scale, with weights and without, the one that promises the smallest squared error of the slopes over n rows:
 *
 *   bias^2 + v/n,   v = mean of psi^2 d^2 / a^2,   a = mean of psi' d^2 / p
 *   bias^2 = |m|^2 - (1 + 2 sqrt(2/p)) u/N, or 0,   m = L^-1 g / a,   u = mean of (psi/a - psi_0/a_0)^2 d^2
 *
 *   psi -> weight times slope of the loss at q, psi_0 -> the surest of them, g -> mean of psi x over the N rows here, d and L -> leverage.ts
 *
 * m is how far the estimate would be carried away from that of the surest, which rows that do not belong can hardly move; by sampling noise alone |m|^2 is u/N on average, give or take
 * sqrt(2/p) of it. Long tails and outliers ask for a small q, normal noise for a large one; rows far out that do not follow the others ask for weights, and
 * such as do are worth more than others. The intercept is not looked at: for skewed noise it depends on q by its nature.
 */
import { FURTHEST, gemanMcClure } from '../loss/gemanMcClure.ts';
import { dot, norm, type Vector } from '../math/vector.ts';
import type { SampleBatch } from '../sample/sampleBatch.ts';
import type { Leverage } from './leverage.ts';

/**
 * In residual scales. Under normal noise the first costs 28 % of the rows and the last 2 %; a larger one would win little there, and let outliers move the estimate
 * by q^4.
 */
export const TUNINGS: readonly number[] = [2, 2.5, 3, 4, 5];

export interface Tuning {
  readonly q: number;
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
  /** At the estimate of the surest tuning: the smallest q, with weights. */
  readonly residuals: Float64Array;
  readonly scale: number;
  /** n */
  readonly rows: number;
}

export function chooseTuning(batch: SampleBatch, options: TuningOptions): Tuning {
  const { scale, rows, leverage, squares } = options;
  const byLeverage = leverage.weights(squares).map((weight, i) => weight * options.weights[i]!);
  const tunings = TUNINGS.flatMap(tuning =>
    [true, false].map(isWeighted => ({ q: tuning * scale, isWeighted })),
  );
  const promises = tunings.map(({ q, isWeighted }) =>
    influences(batch, q, isWeighted ? byLeverage : options.weights, options),
  );
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
  // Weights are work for every row of the run; the same q without them comes next.
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

function influences(
  { rows, columns }: SampleBatch,
  q: number,
  weights: Float64Array,
  { residuals, squares, leverage, intercept }: TuningOptions,
): Influences {
  const { slope } = gemanMcClure(q);
  const values = new Float64Array(rows);
  let bend = 0;
  for (let i = 0; i < rows; i++) {
    const share = Math.min(FURTHEST, (residuals[i]! / q) ** 2);
    values[i] = weights[i]! * slope(residuals[i]!, 0);
    bend += (weights[i]! * squares[i]! * (1 - 3 * share)) / (1 + share) ** 3;
  }
  const a = bend / (rows * leverage.slopes);
  // Where nothing is left to curve, q is too small to be of use.
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
