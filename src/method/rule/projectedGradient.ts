import { ArgumentError, requireKnown, requirePositive, requireVector } from '../../errors.ts';
import { cholesky } from '../../math/cholesky.ts';
import { addScaled, type Vector } from '../../math/vector.ts';
import type { Gradient } from '../../sample/gradientSums.ts';
import type { Constraint } from '../constraint/constraint.ts';
import { everywhere } from '../constraint/constraint.ts';
import { nearestIn } from '../constraint/nearestIn.ts';
import type { UpdateRule } from './updateRule.ts';

/**
 * Projected gradient descent (eq:Proj_GD_Rule, alg:RobPGDNFW): theta <- P_C(theta - eta g(theta)).
 *
 * With a curvature A, the same in coordinates in which A is the identity: theta <- the nearest point of C, in the norm
 * of A, to theta - eta A^-1 g(theta).
 *
 *   eta -> stepSize, C -> constraint, A -> curvature
 *
 * @example
 * const rule = projectedGradient({ stepSize: 0.5, constraint: l2Ball(1) });
 * rule.iterate(rule.init(Float64Array.of(1, 0))); // [1, 0]
 */
export function projectedGradient(options: {
  readonly stepSize: number;
  readonly constraint?: Constraint;
  /** Row-major, positive definite; the identity by default. */
  readonly curvature?: Float64Array;
}): UpdateRule<Vector> {
  requireKnown(options, 'constraint curvature stepSize');
  const { stepSize, constraint = everywhere(), curvature } = options;
  requirePositive('stepSize', stepSize);
  const { project, slopeOf } = curvature === undefined ? plainly(constraint) : curved(constraint, curvature);
  return Object.freeze({
    name: 'projected-gradient',
    init: (start: Vector) => project(requireVector('start', start)),
    query: (theta: Vector) => theta,
    step: (theta: Vector, { values }: Gradient) =>
      project(addScaled(theta, -stepSize, slopeOf(requireVector('gradient', values, theta.length)))),
    iterate: (theta: Vector) => theta,
  });
}

interface Geometry {
  project(point: Vector): Vector;
  /** The step direction for a gradient, A^-1 g. */
  slopeOf(gradient: Vector): Vector;
}

const plainly = ({ project }: Constraint): Geometry => ({ project, slopeOf: gradient => gradient });

function curved(constraint: Constraint, curvature: Float64Array): Geometry {
  const factor = cholesky(curvature, Math.sqrt(curvature.length));
  if (factor === undefined)
    throw new ArgumentError('curvature must be positive definite', 'ERR_ARGUMENT', { argument: 'curvature' });
  return { project: point => nearestIn(constraint, curvature, point), slopeOf: factor.solve };
}
