/**
 * Projected gradient descent (eq:Proj_GD_Rule, alg:RobPGDNFW): theta <- P_C(theta - eta g(theta)).
 *
 *   eta -> stepSize, C -> constraint
 */

import type { Constraint } from '../constraint/constraint.ts';
import { everywhere } from '../constraint/everywhere.ts';
import { requirePositive, requireVector } from '../math/check.ts';
import { addScaled, type Vector } from '../math/vector.ts';
import type { Gradient } from '../sample/blockSums.ts';
import type { UpdateRule } from './updateRule.ts';

export function projectedGradient({
  stepSize,
  constraint = everywhere(),
}: {
  readonly stepSize: number;
  readonly constraint?: Constraint;
}): UpdateRule<Vector> {
  requirePositive('stepSize', stepSize);
  return Object.freeze({
    name: 'projected-gradient',
    init: (start: Vector) => constraint.project(requireVector('start', start)),
    query: (theta: Vector) => theta,
    step: (theta: Vector, { values }: Gradient) =>
      constraint.project(addScaled(theta, -stepSize, requireVector('gradient', values, theta.length))),
    iterate: (theta: Vector) => theta,
  });
}
