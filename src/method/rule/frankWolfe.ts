import { refuse, requireKnown, requireVector } from '../../errors.ts';
import { blend, type Vector } from '../../math/vector.ts';
import type { Gradient } from '../../sample/gradientSums.ts';
import type { Constraint } from '../constraint/constraint.ts';
import { requireConstraint } from '../constraint/constraint.ts';
import type { UpdateRule } from './updateRule.ts';

export interface FrankWolfeState {
  readonly t: number;
  readonly theta: Vector;
}

/**
 * Frank-Wolfe (eq:FW_Rule, alg:RobPGDNFW): v = argmin over C of g(theta).v,   theta <- (1 - eta_t) theta + eta_t v
 *
 *   eta_t = 2/(t + 2), t from 0, unless a constant `stepSize` is given; C -> constraint
 */
export function frankWolfe(options: {
  readonly constraint: Constraint;
  readonly stepSize?: number;
}): UpdateRule<FrankWolfeState> {
  requireKnown(options, 'constraint stepSize');
  const { constraint, stepSize } = options;
  requireConstraint(constraint);
  if (constraint.diameter === Infinity)
    refuse('constraint', 'be bounded', constraint.name, 'use l2Ball, l1Ball or box');
  if (stepSize !== undefined && !(stepSize > 0 && stepSize <= 1)) refuse('stepSize', 'be in (0, 1]', stepSize);
  return Object.freeze({
    name: 'frank-wolfe',
    init: (start: Vector): FrankWolfeState => ({
      t: 0,
      theta: constraint.project(requireVector('start', start)),
    }),
    query: ({ theta }: FrankWolfeState) => theta,
    step: ({ t, theta }: FrankWolfeState, { values }: Gradient): FrankWolfeState => {
      const vertex = constraint.minimizeLinear(requireVector('gradient', values, theta.length));
      return { t: t + 1, theta: blend(theta, vertex, stepSize ?? 2 / (t + 2)) };
    },
    iterate: ({ theta }: FrankWolfeState) => theta,
  });
}
