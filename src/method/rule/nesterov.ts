import { refuse, requireKnown, requirePositive, requireVector } from '../../errors.ts';
import { addScaled, subtract, type Vector } from '../../math/vector.ts';
import type { Gradient } from '../../sample/gradientSums.ts';
import type { UpdateRule } from './updateRule.ts';

/** The weight of the last move: a constant, or (t - 1)/(t + 2), which grows with the step t. */
export type Momentum = number | 'increasing';

export interface NesterovState {
  readonly t: number;
  readonly previous: Vector;
  readonly current: Vector;
}

/**
 * Nesterov's accelerated gradient descent over R^p (eq:Nester_Rule, alg:RobPGDNFW):
 *
 *   y = theta_t + lambda_t (theta_t - theta_{t-1}),   theta_{t+1} = y - eta g(y)
 *
 *   eta -> stepSize, lambda -> momentum: a constant, or 'increasing' for lambda_t = (t - 1)/(t + 2)
 *
 * The method starts from two points, theta_0 (`before`) and theta_1 (the start); t counts from 1, so an increasing
 * momentum begins at 0 and theta_T costs T - 1 gradients.
 *
 * @example
 * nesterov({ stepSize: 0.1, momentum: 'increasing' }).name; // 'nesterov'
 */
export function nesterov(options: {
  readonly stepSize: number;
  readonly momentum: Momentum;
  readonly before?: Vector;
}): UpdateRule<NesterovState> {
  requireKnown(options, 'before momentum stepSize');
  const { stepSize, momentum, before } = options;
  requirePositive('stepSize', stepSize);
  if (momentum !== 'increasing' && !(typeof momentum === 'number' && momentum >= 0 && momentum < 1)) {
    refuse('momentum', 'be in [0, 1) or "increasing"', momentum);
  }
  const first = before === undefined ? undefined : requireVector('before', before).slice();
  const momentumAt = (t: number): number => (momentum === 'increasing' ? (t - 1) / (t + 2) : momentum);
  const lookAhead = ({ t, previous, current }: NesterovState): Vector =>
    addScaled(current, momentumAt(t), subtract(current, previous));
  return Object.freeze({
    name: 'nesterov',
    init: (start: Vector): NesterovState => {
      const current = requireVector('start', start, first?.length).slice();
      return { t: 1, previous: first ?? current, current };
    },
    query: lookAhead,
    step: (state: NesterovState, { values }: Gradient): NesterovState => ({
      t: state.t + 1,
      previous: state.current,
      current: addScaled(lookAhead(state), -stepSize, requireVector('gradient', values, state.current.length)),
    }),
    iterate: ({ current }: NesterovState) => current,
  });
}
