import { requireVector } from '../../errors.ts';
import { dot, type Vector } from '../../math/vector.ts';
import type { Gradient } from '../../sample/gradientSums.ts';
import type { UpdateRule } from './updateRule.ts';

/**
 * A rule in which the intercept is that of the centred features, with centres c:
 *
 *   u_j = theta_j,   u_p = theta_p + sum of c_j theta_j,   gradient in u_j = g_j - c_j g_p
 *
 * The slopes are the same in both parametrisations, and so is a constraint on them. Without centring, the coupling
 * between slopes and intercept grows with the distance of the features from 0, and eventually dominates the problem.
 *
 *   c -> centres, one for each coordinate but the last
 */
export function centred<State>(rule: UpdateRule<State>, centres: Vector): UpdateRule<State> {
  const c = requireVector('centres', centres).slice();
  const back = (u: Vector): Vector => movedIntercept(u, c, -1);
  return Object.freeze({
    name: rule.name,
    init: (start: Vector) => rule.init(movedIntercept(requireVector('start', start, c.length + 1), c, 1)),
    query: (state: State) => back(rule.query(state)),
    step: (state: State, { values, privacy }: Gradient) => {
      const g = requireVector('gradient', values, c.length + 1);
      return rule.step(state, {
        values: g.map((value, j) => (j < c.length ? value - c[j]! * g[c.length]! : value)),
        privacy,
      });
    },
    iterate: (state: State) => back(rule.iterate(state)),
    ...(rule.rowsBehind && { rowsBehind: (state: State) => rule.rowsBehind!(state) }),
  });
}

/** Coefficients with sign * (centres . slopes) added to the intercept. */
export function movedIntercept(theta: Vector, centres: Vector, sign: 1 | -1): Vector {
  const moved = theta.slice();
  moved[centres.length]! += sign * dot(centres, theta);
  return moved;
}
