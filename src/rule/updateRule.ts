import type { Vector } from '../math/vector.ts';
import type { Gradient } from '../sample/blockSums.ts';

/**
 * One gradient method as pure functions over its state. `query` says where the next gradient is taken
 * (Nesterov looks ahead), `step` uses it, `iterate` is the current estimate.
 */
export interface UpdateRule<State = unknown> {
  readonly name: string;
  init(start: Vector): State;
  query(state: State): Vector;
  step(state: State, gradient: Gradient): State;
  iterate(state: State): Vector;
  /** How many rows the estimate rests on, where that is more than the last step's. */
  rowsBehind?(state: State): number;
}
