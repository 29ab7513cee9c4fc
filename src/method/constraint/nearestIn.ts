import { symmetricEigen } from '../../math/symmetricEigen.ts';
import { addScaled, distance, dot, norm, subtract, times, type Vector } from '../../math/vector.ts';
import type { Constraint } from './constraint.ts';

/**
 * The nearest point of a set in the norm of a positive definite A:
 *
 *   argmin over v in C of  (v - z)'A(v - z)/2
 *
 * A set with its own method provides `projectIn`. For any other set only the Euclidean projection is known; accelerated
 * projected gradients with restarts then come close if A is well conditioned.
 *
 *   z -> point, A -> metric, row-major; C -> constraint
 */
export function nearestIn(constraint: Constraint, metric: Float64Array, point: Vector): Vector {
  if (constraint.contains(point)) return constraint.project(point);
  return constraint.projectIn?.(metric, point) ?? projectedGradients(constraint, metric, point);
}

const MOST_TURNS = 20_000;

function projectedGradients({ project }: Pick<Constraint, 'project'>, metric: Float64Array, centre: Vector): Vector {
  const smoothness = symmetricEigen(metric, centre.length)[0]!.value;
  let point = project(centre);
  let ahead = point;
  let t = 1;
  for (let turn = 0; turn < MOST_TURNS; turn++) {
    const next = project(addScaled(ahead, -1 / smoothness, times(metric, subtract(ahead, centre))));
    const move = subtract(next, point);
    const turnsBack = dot(subtract(ahead, next), move) > 0;
    const later = turnsBack ? 1 : (1 + Math.sqrt(1 + 4 * t * t)) / 2;
    const isDone = distance(next, ahead) <= 1e-14 * (1 + norm(next));
    ahead = turnsBack ? next : addScaled(next, (t - 1) / later, move);
    point = next;
    t = later;
    if (isDone) break;
  }
  return point;
}
