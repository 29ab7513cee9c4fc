/**
 * The geometric median by another road than the library's: Newton on the smoothed objective
 *
 *   f_mu(y) = sum_i sqrt(||y - x_i||^2 + mu^2) - pull.y
 *
 * with mu shrinking to nothing, then Newton on the gradient of f_0 alone; unless the best of the points beats all
 * others by Kuhn's criterion. No Weiszfeld step, no extrapolation, no Cholesky factor. `pull` is the sum of the unit
 * vectors toward points so far away that only their direction counts.
 */
import { addScaled, distance, dot, norm, scaled, subtract, type Vector, zeros } from '../../src/math/vector.ts';
import { solveBy } from './linearAlgebra.ts';

export function sumOfDistances(points: readonly Vector[], y: Vector, pull = zeros(y.length)): number {
  return points.reduce((sum, point) => sum + distance(point, y), -dot(pull, y));
}

export function referenceMedian(points: readonly Vector[], pull = zeros(points[0]!.length)): Vector {
  const best = points.reduce((least, point) =>
    sumOfDistances(points, point, pull) < sumOfDistances(points, least, pull) ? point : least,
  );
  // From here on everything is relative to the best point, so that a tight cluster around it keeps its digits.
  const away = points.map(point => subtract(point, best));
  const others = away.filter(point => norm(point) > 0);
  const atBest = others.reduce((sum, point) => addScaled(sum, 1 / norm(point), point), pull);
  if (norm(atBest) <= away.length - others.length) return best.slice();

  const size = others.reduce((sum, point) => sum + norm(point), 0) / others.length;
  const nearest = Math.min(...others.map(norm));
  const least = 1e-6 * Math.min(size, nearest);
  let y = scaled(atBest, least / norm(atBest));
  for (let mu = size; mu > 1e-3 * least; mu /= 8) y = descend(away, pull, y, mu);
  return addScaled(best, 1, polish(away, pull, y));
}

/** Damped Newton on f_mu to the end of what its values can tell. */
function descend(points: readonly Vector[], pull: Vector, start: Vector, mu: number): Vector {
  let y = start;
  for (let iteration = 0; iteration < 200; iteration++) {
    const { slope, curvature } = derivatives(points, pull, y, mu);
    const step = solveBy(curvature, slope);
    const promise = dot(slope, step);
    let share = 1;
    while (share > 1e-12 && !(change(points, pull, y, step, share, mu) < -0.1 * share * promise)) share /= 2;
    if (share <= 1e-12) break;
    y = addScaled(y, -share, step);
    if (share * norm(step) < 1e-3 * mu && norm(slope) < 1e-6) break;
  }
  return y;
}

/** f_mu(y - share * step) - f_mu(y), each term as a quotient that does not cancel. */
function change(points: readonly Vector[], pull: Vector, y: Vector, step: Vector, share: number, mu: number): number {
  const next = addScaled(y, -share, step);
  return points.reduce((sum, point) => {
    const [before, after] = [subtract(y, point), subtract(next, point)];
    const lengths = Math.hypot(norm(before), mu) + Math.hypot(norm(after), mu);
    return sum - (share * dot(step, addScaled(before, 1, after))) / lengths;
  }, share * dot(pull, step));
}

/** Newton on the gradient of f_0, as long as the gradient shrinks. */
function polish(points: readonly Vector[], pull: Vector, start: Vector): Vector {
  let y = start;
  let here = derivatives(points, pull, y, 0);
  for (let iteration = 0; iteration < 50; iteration++) {
    const next = addScaled(y, -1, solveBy(here.curvature, here.slope));
    const there = derivatives(points, pull, next, 0);
    if (!(norm(there.slope) < norm(here.slope))) break;
    [y, here] = [next, there];
  }
  return y;
}

function derivatives(
  points: readonly Vector[],
  pull: Vector,
  y: Vector,
  mu: number,
): { slope: Vector; curvature: Vector[] } {
  let slope: Vector = scaled(pull, -1);
  const curvature = Array.from(y, () => new Float64Array(y.length));
  for (const point of points) {
    const away = subtract(y, point);
    const length = Math.hypot(norm(away), mu);
    slope = addScaled(slope, 1 / length, away);
    const unit = scaled(away, 1 / length);
    curvature.forEach((row, i) => {
      row[i]! += 1 / length;
      for (let j = 0; j < row.length; j++) row[j]! -= (unit[i]! * unit[j]!) / length;
    });
  }
  return { slope, curvature };
}
