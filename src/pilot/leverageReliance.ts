/**
 * Whether a slope rests on rows far out in their features, which count as much as others (highLeverageAgrees.ts): where its
 * standard error would be twice as large if they counted less. If they do not belong after all, no interval tells.
 */
import type { Vector } from '../math/vector.ts';
import type { Tuning } from './chooseTuning.ts';
import { hasHighLeverage, type LeverageOptions } from './highLeverageAgrees.ts';
import type { TunedEstimate } from './readmitRejected.ts';
import { standardErrors } from './standardErrors.ts';
import type { Study } from './study.ts';

export interface LeverageReliance {
  /** The feature of the slope of which they tell most. */
  readonly column: number;
  /** The estimate with far rows counting less. */
  readonly downWeighted: Vector;
}

/** Null where no slope does. */
export function leverageReliance(
  { batch }: Study,
  { tuning: { loss, isWeighted }, t }: TunedEstimate,
  options: LeverageOptions & { readonly estimateOf: (tuning: Tuning) => Vector },
): LeverageReliance | null {
  if (isWeighted || !hasHighLeverage(options)) return null;
  const { weights, leverageWeights, intercept, estimateOf } = options;
  const downWeighted = estimateOf({ loss, isWeighted: true });
  const errorsOf = (at: Vector, counts: Float64Array): Vector =>
    standardErrors(batch, { loss: loss.loss, t: at, weights: counts, intercept });
  const [own, other] = [errorsOf(t, weights), errorsOf(downWeighted, leverageWeights)];
  const ratios = batch.columns.map((_, j) => (own[j]! > 0 ? other[j]! / own[j]! : 0));
  const column = ratios.indexOf(Math.max(...ratios));
  return ratios[column]! >= TWICE ? { column, downWeighted } : null;
}

const TWICE = 2;
