/**
 * Rows that a loss leaves out and that are to count after all: noisy ones are told from those that do not belong by
 * what the fit does once they count.
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
 * Among few rows nobody can tell a noisy group from outliers by how the loss curves. Where a group is left out in good
 * part, its rows are to count after all, if the fit of the other rows stays the same but for chance: of rows that do
 * not belong, a coefficient of their own takes up what they do.
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
  // In part, of what chance makes of an estimate.
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
 * Of rows far out in a feature likewise, where they are enough to show whether they carry the estimate to one side, and
 * do not: noise grows with the feature then.
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
 * Of rows on the long side of one law likewise: where slopes depend on how many of them count, a loss that leaves them
 * out answers for the others alone, and one row more or less may turn the choice. Rows all along the way to them say
 * that they belong (isLongTail.ts).
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
    /** How often rows count. */
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

/** Every row counts, and one far out by as much as its leverage allows. */
const huberTuning = (scale: number): Tuning => ({
  loss: lossByName('pseudo-huber', { parameter: HUBER_TUNING * scale }),
  isWeighted: true,
});

/**
 * In residual scales. Of a group with much noise hardly a row is within reach of the smaller one, so that the larger is
 * tried first.
 */
const HUBER_SCALES = [4, HUBER_TUNING];

/** Two losses differ by a tenth or two of it where all rows belong. */
const SAME_FIT = 0.4;
