import { requireVector } from '../../errors.ts';
import type { Coordinates } from '../../math/coordinates.ts';
import { addScaled, type Vector, zeros } from '../../math/vector.ts';
import type { Gradient } from '../../sample/blockSums.ts';
import type { UpdateRule } from './updateRule.ts';

export interface PlacedState<State> {
  readonly start: Vector;
  readonly inner: State;
}

/**
 * A rule that works on phi, where theta = start + P phi: whatever the features' units and correlations, the rule sees
 * the problem in the coordinates of P. Directions outside the range of P keep their starting values.
 */
export function inCoordinates<State>(
  rule: UpdateRule<State>,
  coordinates: Coordinates,
): UpdateRule<PlacedState<State>> {
  const place = (start: Vector, phi: Vector): Vector => addScaled(start, 1, coordinates.toTheta(phi));
  return Object.freeze({
    name: rule.name,
    init: (start: Vector): PlacedState<State> => ({
      start: requireVector('start', start, coordinates.size).slice(),
      inner: rule.init(zeros(coordinates.rank)),
    }),
    query: ({ start, inner }: PlacedState<State>) => place(start, rule.query(inner)),
    step: ({ start, inner }: PlacedState<State>, { values, privacy }: Gradient): PlacedState<State> => {
      const gradient = coordinates.ofGradient(requireVector('gradient', values, coordinates.size));
      return { start, inner: rule.step(inner, { values: gradient, privacy }) };
    },
    iterate: ({ start, inner }: PlacedState<State>) => place(start, rule.iterate(inner)),
    ...(rule.rowsBehind && { rowsBehind: ({ inner }: PlacedState<State>) => rule.rowsBehind!(inner) }),
  });
}
