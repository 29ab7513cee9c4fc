import { requireNonNegative } from '../../errors.ts';
import { dot, norm, subtract, type Vector } from '../../math/vector.ts';
import type { Gradient } from '../../sample/gradientSums.ts';
import type { UpdateRule } from './updateRule.ts';

export interface RestartedState<State> {
  readonly inner: State;
  /** The previous iterate; null after a start or restart. */
  readonly before: Vector | null;
}

const ERRORS = 2;

/**
 * A momentum rule that restarts from the current point when a gradient points against the last move (O'Donoghue and
 * Candes, Foundations of Computational Mathematics 2015):
 *
 *   g_t . (theta_t - theta_{t-1})  >  2 sigma ||theta_t - theta_{t-1}||
 *
 *   sigma -> noise, of one coordinate of the gradient: noise alone exceeds this in one step of forty
 *
 * Why: momentum is tuned to one curvature. If the loss flattens, as the logistic loss does, the descent gathers speed
 * where it is steep, overshoots the minimum where it is flat, and takes long to come back. Only released gradients are
 * used, so this costs no privacy.
 */
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
