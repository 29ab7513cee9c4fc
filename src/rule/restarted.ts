/**
 * A rule with momentum that begins anew, from where it is, when a gradient points against the last move (O'Donoghue and
 * Candes, Foundations of Computational Mathematics 2015):
 *
 *   g_t . (theta_t - theta_{t-1})  >  2 sigma ||theta_t - theta_{t-1}||
 *
 *   sigma -> noise, of one coordinate of the gradient: against a move, noise alone is so long in one step of forty
 *
 * Why. Momentum suits one curvature. A loss that flattens, as that of classes does, lets a descent gather speed where
 * it is steep and run past the answer where it is flat, from where the way back is long. It is made of released
 * gradients alone, so that it costs no privacy.
 */
import { requireNonNegative } from '../math/check.ts';
import { dot, norm, subtract, type Vector } from '../math/vector.ts';
import type { Gradient } from '../sample/blockSums.ts';
import type { UpdateRule } from './updateRule.ts';

export interface RestartedState<State> {
  readonly inner: State;
  /** The iterate before this one; null at a beginning. */
  readonly before: Vector | null;
}

const ERRORS = 2;

export function restarted<State>(rule: UpdateRule<State>, noise: number): UpdateRule<RestartedState<State>> {
  requireNonNegative('noise', noise);
  return Object.freeze({
    name: rule.name,
    init: (start: Vector): RestartedState<State> => ({ inner: rule.init(start), before: null }),
    query: ({ inner }: RestartedState<State>) => rule.query(inner),
    step: ({ inner, before }: RestartedState<State>, gradient: Gradient): RestartedState<State> => {
      const theta = rule.iterate(inner);
      const next = rule.step(inner, gradient);
      const move = before && subtract(theta, before);
      return move !== null && dot(gradient.values, move) > ERRORS * noise * norm(move)
        ? { inner: rule.init(rule.iterate(next)), before: null }
        : { inner: next, before: theta };
    },
    iterate: ({ inner }: RestartedState<State>) => rule.iterate(inner),
  });
}
