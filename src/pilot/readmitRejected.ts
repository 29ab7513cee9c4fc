/**
 * Takes back rows that a redescending loss rejects, where they turn out to be noisy and not outliers: counting them, by
 * pseudo-Huber's loss, does not bias the fit.
 */
import { lossByName } from '../loss/lossByName.ts';
import { HUBER_TUNING } from '../loss/tunings.ts';
import type { Vector } from '../math/vector.ts';
import type { SampleBatch } from '../sample/sampleBatch.ts';
import type { Tuning } from './chooseTuning.ts';
import { isLongTail } from './isLongTail.ts';
import { rejectedGroups } from './rejectedGroups.ts';
import { detectableRows } from './shiftsEstimate.ts';
import type { WeightedRisk } from './weightedRisk.ts';

/** A loss and its estimate. */
export interface TunedEstimate {
  readonly tuning: Tuning;
  readonly t: Vector;
}

/**
 * With few rows, the curvature of the loss cannot tell a noisy group from outliers. Where a good part of a group is
 * rejected, it is readmitted if the fit of the other rows stays the same but for chance: a coefficient of the group
 * absorbs what outliers in it would do.
 */
export function readmitGroups(
  batch: SampleBatch,
  chosen: TunedEstimate,
  {
    risk,
    scale,
    runRows,
    estimateOf,
  }: {
    readonly risk: WeightedRisk;
    readonly scale: number;
    readonly runRows: number;
    readonly estimateOf: (tuning: Tuning) => Vector;
  },
): TunedEstimate {
  const residuals = risk.residuals(chosen.t, new Float64Array(batch.rows));
  const groups = rejectedGroups(batch, residuals, { loss: chosen.tuning.loss.loss, of: 'levels' });
  if (groups.length === 0) return chosen;
  const isOther = Uint8Array.from(residuals, (_, i) =>
    batch.weights?.[i] === 0 || groups.some(({ column }) => batch.columns[column]![i] !== 0) ? 0 : 1,
  );
  // A share of the sampling error of an estimate.
  const chance = (SAME_FIT * scale ** 2 * risk.size) / runRows;
  for (const scales of HUBER_SCALES) {
    const tuning = { loss: lossByName('pseudo-huber', { parameter: scales * scale }), isWeighted: true };
    const t = estimateOf(tuning);
    const moved = risk.residuals(t, new Float64Array(batch.rows));
    let [squares, others] = [0, 0];
    for (let i = 0; i < batch.rows; i++) {
      squares += isOther[i]! * (moved[i]! - residuals[i]!) ** 2;
      others += isOther[i]!;
    }
    if (squares <= chance * others) return { tuning, t };
  }
  return chosen;
}

/**
 * The same for rows with an extreme feature, where they are enough to show a bias and show none: noise then grows with
 * the feature.
 */
export function readmitExtremes(
  batch: SampleBatch,
  found: TunedEstimate,
  {
    residuals,
    scale,
    estimateOf,
    movesEstimate,
  }: {
    readonly residuals: Float64Array;
    readonly scale: number;
    readonly estimateOf: (tuning: Tuning) => Vector;
    readonly movesEstimate: (tuning: Tuning) => boolean;
  },
): TunedEstimate {
  const { loss } = found.tuning.loss;
  const least = detectableRows(found.t.length);
  const groups = rejectedGroups(batch, residuals, { loss, of: 'numbers' });
  if (!groups.some(({ rows, share }) => rows * share >= least)) return found;
  const tuning = huberTuning(scale);
  return movesEstimate(tuning) ? found : { tuning, t: estimateOf(tuning) };
}

/**
 * The same for rows in the long tail of skewed noise (isLongTail.ts). Where slopes depend on how many of them count, a
 * loss that rejects them describes the other rows only, and one row more or less may change the choice.
 */
export function readmitLongTail(
  found: TunedEstimate,
  {
    residuals,
    weights,
    scale,
    estimateOf,
    movesSlopes,
  }: {
    readonly residuals: Float64Array;
    /** Case weights. */
    readonly weights: Float64Array;
    readonly scale: number;
    readonly estimateOf: (tuning: Tuning) => Vector;
    readonly movesSlopes: (tuning: Tuning) => boolean;
  },
): TunedEstimate {
  const tuning = huberTuning(scale);
  return found.tuning.loss.name !== tuning.loss.name &&
    isLongTail(residuals, scale, weights) &&
    movesSlopes(tuning)
    ? { tuning, t: estimateOf(tuning) }
    : found;
}

/** Rejects no row, and bounds the influence of high-leverage rows. */
const huberTuning = (scale: number): Tuning => ({
  loss: lossByName('pseudo-huber', { parameter: HUBER_TUNING * scale }),
  isWeighted: true,
});

/**
 * In residual scales. Hardly a row of a very noisy group is within the smaller one, so that the larger is tried first.
 */
const HUBER_SCALES = [4, HUBER_TUNING];

/** Without outliers, two losses differ by a tenth or two of it. */
const SAME_FIT = 0.4;
