/**
 * The average of a rule's last iterates, from step `from` on:
 *
 *   estimate_t = sum over from <= s <= t of theta_s / (t - from + 1),   and before that theta_t
 *
 * Why. Every step of a noisy descent adds noise of its own and forgets a little of what came before; once the descent
 * has settled, the average of what follows has less of it than any single iterate, and it is made of released gradients
 * alone, so that it costs no privacy.
 */
import { requireInteger } from '../math/check.ts';
import { blend, type Vector } from '../math/vector.ts';
import type { Gradient } from '../sample/blockSums.ts';
import type { UpdateRule } from './updateRule.ts';

export interface TailAveragedState<State> {
  readonly inner: State;
  readonly step: number;
  readonly average: Vector;
}

export function tailAveraged<State>(
  rule: UpdateRule<State>,
  /** The first step whose iterate counts, of steps that are counted from 1. */
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
