import { requireVector } from '../../errors.ts';
import type { Cholesky } from '../../math/cholesky.ts';
import type { Vector } from '../../math/vector.ts';
import type { Gradient } from '../../sample/blockSums.ts';
import type { UpdateRule } from './updateRule.ts';

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
