import type { Vector } from '../../math/vector.ts';
import type { Gradient } from '../../sample/gradientSums.ts';
import type { Loss } from '../loss/loss.ts';

/** What a rule asks of a chunk's rows. Most rules ask for the gradient at a point, and nothing else. */
export interface Question {
  /** The point, in the rule's coordinates. */
  readonly at: Vector;
  /** The loss, where the rule decides on it; the plan's unless given. */
  readonly loss?: Loss;
  /** The rule's coordinates, z = (x - centre)/scale for each feature; x unless given. */
  readonly coordinates?: Placement;
  /** Several points, each with a loss of its own, whose gradients are asked for one behind the other. */
  readonly fits?: readonly { readonly at: Vector; readonly loss: Loss }[];
  /** What is asked beside or instead of the gradient, by a rule and a stage that know each other. */
  readonly asks?: string;
}

/** Where the features of standardized rows lie: one number each for every feature. */
export interface Placement {
  readonly centre: Vector;
  readonly scale: Vector;
}

/**
 * A gradient method as pure functions over its state. `query` returns the point at which the next gradient is taken
 * (Nesterov looks ahead), `step` uses that gradient, and `iterate` returns the current estimate. States are plain data:
 * numbers, typed arrays, and records of them, so that `structuredClone(state)` continues to the same bits.
 */
export interface UpdateRule<State = unknown> {
  readonly name: string;
  init(start: Vector): State;
  query(state: State): Vector;
  step(state: State, gradient: Gradient): State;
  iterate(state: State): Vector;
  /** The number of rows the estimate is based on, if that is more than the last step's. */
  rowsBehind?(state: State): number;
  /** The fits that the estimate is a weighted mean of, of a rule that has several. */
  parts?(state: State): readonly Vector[];
  /** The whole question, of a rule that asks for more than the gradient at `query`; it adds its own penalty. */
  question?(state: State): Question;
  /** Whether the rule, after a step, has a further question about the same rows. Only for rows that are held. */
  again?(state: State): boolean;
}

/** The methods that a fit can be asked to use; `auto` leaves the choice to the plan. */
export const METHODS = ['auto', 'gradient', 'nesterov', 'frank-wolfe', 'accelerated-frank-wolfe'] as const;
/** An update rule by its name, or `auto`. */
export type Method = (typeof METHODS)[number];
