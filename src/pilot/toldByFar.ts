/**
 * Whether a slope rests on rows far out in their features, which count as much as others (farRowsFollow.ts): where its
 * standard error would be twice as large if they counted less. If they do not belong after all, no interval tells.
 */
import type { Vector } from '../math/vector.ts';
import type { Tuning } from './chooseTuning.ts';
import type { Tuned } from './countingLeftOut.ts';
import { type FarOptions, hasFarRows } from './farRowsFollow.ts';
import { standardErrors } from './standardErrors.ts';
import type { Study } from './study.ts';

export interface ToldByFar {
  /** The feature of the slope of which they tell most. */
  readonly column: number;
  /** The estimate with far rows counting less. */
  readonly little: Vector;
}

/** Null where no slope does. */
export function toldByFar(
  { batch }: Study,
  { tuning: { loss, isWeighted }, t }: Tuned,
  options: FarOptions & { readonly estimateOf: (tuning: Tuning) => Vector },
): ToldByFar | null {
  if (isWeighted || !hasFarRows(options)) return null;
  const { weights, byLeverage, intercept, estimateOf } = options;
  const little = estimateOf({ loss, isWeighted: true });
  const errorsOf = (at: Vector, counts: Float64Array): Vector =>
    standardErrors(batch, { loss: loss.loss, t: at, weights: counts, intercept });
  const [own, other] = [errorsOf(t, weights), errorsOf(little, byLeverage)];
  const ratios = batch.columns.map((_, j) => (own[j]! > 0 ? other[j]! / own[j]! : 0));
  const column = ratios.indexOf(Math.max(...ratios));
  return ratios[column]! >= TWICE ? { column, little } : null;
}

const TWICE = 2;
