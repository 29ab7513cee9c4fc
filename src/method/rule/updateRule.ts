import type { Vector } from '../../math/vector.ts';
import type { Gradient } from '../../sample/blockSums.ts';

/**
 * A gradient method as pure functions over its state. `query` returns the point at which the next gradient is taken
 * (Nesterov looks ahead), `step` uses that gradient, and `iterate` returns the current estimate.
 */
export interface UpdateRule<State = unknown> {
  readonly name: string;
  init(start: Vector): State;
  query(state: State): Vector;
  step(state: State, gradient: Gradient): State;
  iterate(state: State): Vector;
  /** The number of rows the estimate is based on, if that is more than the last step's. */
  rowsBehind?(state: State): number;
}

/** The methods that a fit can be asked to use; `auto` leaves the choice to the plan. */
export const METHODS = ['auto', 'gradient', 'nesterov', 'frank-wolfe', 'accelerated-frank-wolfe'] as const;
/** An update rule by its name, or `auto`. */
export type Method = (typeof METHODS)[number];
