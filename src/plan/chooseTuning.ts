/**
 * Where a redescending loss should begin to leave rows out of account. Of several q, each a multiple of the residuals' scale, the one that promises the smallest squared error
 * of the slopes over n rows:
 *
 *   bias^2 + p v/n,   v = mean of psi^2 / (mean of psi')^2
 *   bias^2 = |d|^2 - (p + 2 sqrt(2p)) u/m, or 0,   d = L^-1 g / mean of psi',   u = mean of (psi / mean psi' - psi_0 / mean psi_0')^2
 *
 *   psi -> slope of the loss at q, psi_0 -> at the smallest q, g -> mean of psi x over the m rows here, L L' -> the second moments of those that belong
 *
 * d is how far q would carry the estimate away from that of the smallest q, which rows that do not belong can hardly move; by sampling noise alone |d|^2 is p u/m on
 * average, give or take sqrt(2p) u/m.
 * Long tails and outliers ask for a small q, normal noise for a large one. The intercept is not looked at: for skewed noise it depends on q by its nature.
 */
import { FURTHEST, gemanMcClure } from '../loss/gemanMcClure.ts';
import type { RankFactor } from '../math/rankFactor.ts';
import { norm, type Vector } from '../math/vector.ts';
import type { SampleBatch } from '../sample/sampleBatch.ts';

/** In residual scales. Under normal noise the first costs 28 % of the rows and the last 2 %; a larger one would win little there, and let outliers move the estimate by q^4. */
export const TUNINGS: readonly number[] = [2, 2.5, 3, 4, 5];

export interface Tuning {
  readonly q: number;
  /** p v, of which the squared error over n rows is the n-th part. */
  readonly variance: number;
}

export interface TuningOptions {
  readonly intercept: boolean;
  /** Of the second moments of the rows that belong. */
  readonly factor: RankFactor;
  readonly weights: Float64Array;
  /** At the estimate of the smallest q. */
  readonly residuals: Float64Array;
  readonly scale: number;
  /** n */
  readonly rows: number;
}

export function chooseTuning(batch: SampleBatch, options: TuningOptions): Tuning {
  const { scale, rows } = options;
  const sized = TUNINGS.map(tuning => influences(batch, tuning * scale, options));
  const [first] = sized;
  const p = options.factor.kept.length - (options.intercept ? 1 : 0);
  const promised = sized.map(({ values, movement, variance }) => {
    let apart = 0;
    for (let i = 0; i < batch.rows; i++) apart += (values[i]! - first!.values[i]!) ** 2;
    const chance = ((p + 2 * Math.sqrt(2 * p)) * apart) / batch.rows ** 2;
    const bias = Math.max(0, movement ** 2 - chance);
    return bias + (p * variance) / rows;
  });
  // What overflows is never below.
  const best = promised.reduce((least, value, at) => (value < promised[least]! ? at : least), 0);
  return { q: TUNINGS[best]! * scale, variance: p * sized[best]!.variance };
}

interface Influences {
  /** w psi / mean of psi', row by row. */
  readonly values: Float64Array;
  /** |d| over the slopes. */
  readonly movement: number;
  /** v */
  readonly variance: number;
}

function influences(
  { rows, columns }: SampleBatch,
  q: number,
  { residuals, weights, factor, intercept }: TuningOptions,
): Influences {
  const { slope } = gemanMcClure(q);
  const values = new Float64Array(rows);
  let bend = 0;
  let squares = 0;
  for (let i = 0; i < rows; i++) {
    const share = Math.min(FURTHEST, (residuals[i]! / q) ** 2);
    values[i] = weights[i]! * slope(residuals[i]!, 0);
    bend += (weights[i]! * (1 - 3 * share)) / (1 + share) ** 3;
    squares += values[i]! ** 2;
  }
  const gradient: Vector = new Float64Array(columns.length + (intercept ? 1 : 0));
  for (let i = 0; i < rows; i++) values[i]! *= rows / bend;
  columns.forEach((column, j) => {
    for (let i = 0; i < rows; i++) gradient[j]! += (values[i]! * column[i]!) / rows;
  });
  if (intercept) for (let i = 0; i < rows; i++) gradient[columns.length]! += values[i]! / rows;
  const moved = factor.solveFactor(gradient);
  return {
    values,
    movement: norm(intercept ? moved.subarray(1) : moved),
    // Where nothing is left to curve, q is too small to be of use.
    variance: bend > 0 ? (squares * rows) / bend ** 2 : Infinity,
  };
}
