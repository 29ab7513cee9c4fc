import type { Vector } from '../math/vector.ts';
import type { Plan } from '../plan/plan.ts';
import type { Gradient } from '../sample/blockSums.ts';

/** Ridge: gamma theta holds no data, so it is added to whatever was estimated. An intercept is not penalised. */
export function penalize(
  { values, privacy }: Gradient,
  at: Vector,
  { loss, intercept }: Pick<Plan, 'loss' | 'intercept'>,
): Gradient {
  if (loss.penalty === 0) return { values, privacy };
  const free = intercept ? values.length - 1 : values.length;
  return { values: values.map((value, j) => (j === free ? value : value + loss.penalty * at[j]!)), privacy };
}
