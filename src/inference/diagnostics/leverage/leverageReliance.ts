import type { Vector } from '../../../math/vector.ts';
import { standardErrors } from '../../pilot/risk/curvatureFactor.ts';
import type { TunedEstimate, Tuning } from '../../pilot/robust/chooseTuning.ts';
import { hasHighLeverage, type LeverageOptions } from '../../pilot/robust/highLeverageAgrees.ts';
import type { Study } from '../../pilot/standardized.ts';

export interface LeverageReliance {
  /** The feature whose slope rests on them most. */
  readonly column: number;
  /** The estimate with leverage weights. */
  readonly downWeighted: Vector;
}

/**
 * Whether a slope rests on high-leverage rows that have full weight (highLeverageAgrees.ts): whether its standard error
 * would at least double if they were down-weighted. If they are outliers after all, no interval shows it.
 *
 * Null where no slope does.
 */
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
