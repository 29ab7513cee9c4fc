import { requireInteger } from '../../errors.ts';
import { blend, type Vector } from '../../math/vector.ts';
import type { Gradient } from '../../sample/gradientSums.ts';
import type { UpdateRule } from './updateRule.ts';

export interface TailAveragedState<State> {
  readonly inner: State;
  readonly step: number;
  readonly average: Vector;
}

/**
 * The average of a rule's last iterates, from step `from` on:
 *
 *   estimate_t = sum over from <= s <= t of theta_s / (t - from + 1),   and before that theta_t
 *
 * Why: every step of a noisy descent adds new noise and forgets a little of the old. Once the descent has settled, the
 * average of the iterates that follow is less noisy than any single one. Only released gradients are used, so this
 * costs no privacy.
 */
export function tailAveraged<State>(
  rule: UpdateRule<State>,
  /** The first step whose iterate is averaged; steps are counted from 1. */
  from: number,
): UpdateRule<TailAveragedState<State>> {
  requireInteger('from', from, 1);
  return Object.freeze({
    name: rule.name,
    init: (start: Vector): TailAveragedState<State> => {
      const inner = rule.init(start);
      return { inner, step: 0, average: rule.iterate(inner) };
    },
    query: ({ inner }: TailAveragedState<State>) => rule.query(inner),
    step: (state: TailAveragedState<State>, gradient: Gradient): TailAveragedState<State> => {
      const inner = rule.step(state.inner, gradient);
      const step = state.step + 1;
      const theta = rule.iterate(inner);
      const share = 1 / Math.max(1, step - from + 1);
      return { inner, step, average: share === 1 ? theta : blend(state.average, theta, share) };
    },
    iterate: ({ average }: TailAveragedState<State>) => average,
  });
}
