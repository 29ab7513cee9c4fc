import { requireVector } from '../../errors.ts';
import type { Cholesky } from '../../math/cholesky.ts';
import type { Coordinates } from '../../math/coordinates.ts';
import { addScaled, type Vector, zeros } from '../../math/vector.ts';
import type { Gradient } from '../../sample/gradientSums.ts';
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

/**
 * A preconditioner around any rule: the rule works on phi = L'theta, where A = L L' approximates the Hessian, so that
 * the problem it sees has a condition number near 1. The gradient in phi is L^-1 g; for gradient descent this is theta
 * <- theta - eta A^-1 g. The inner rule's constraint, and any point given to it, are in terms of phi.
 */
export function preconditioned<State>(rule: UpdateRule<State>, factor: Cholesky): UpdateRule<State> {
  return Object.freeze({
    name: `preconditioned ${rule.name}`,
    init: (start: Vector) => rule.init(factor.timesTransposed(requireVector('start', start, factor.size))),
    query: (state: State) => factor.solveTransposed(rule.query(state)),
    step: (state: State, { values, privacy }: Gradient) =>
      rule.step(state, {
        values: factor.solveFactor(requireVector('gradient', values, factor.size)),
        privacy,
      }),
    iterate: (state: State) => factor.solveTransposed(rule.iterate(state)),
  });
}
