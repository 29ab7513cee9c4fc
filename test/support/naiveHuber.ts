/**
 * alg:HubGradTrunc and alg:HuOutlier, as slowly and as literally as the paper states them (but for the printed share of
 * the 1-D line, which keeps outliers): intervals by trying every
 * pair of ends, principal components by Jacobi rotations, projections as matrices.
 */
import { addScaled, distance, dot, norm, scaled, subtract, type Vector, zeros } from '../../src/math/vector.ts';
import { times } from './linearAlgebra.ts';

export interface NaiveOptions {
  readonly contamination: number;
  readonly failureProbability: number;
  readonly intervalSlack: number;
  readonly ballSlack: number;
  /** The 1-D share of alg:HuOutlier exactly as it is printed; Prasad et al.'s, as in the line for p > 1, unless given. */
  readonly lineAsPrinted?: boolean;
}

export function naiveHuber(points: readonly Vector[], options: NaiveOptions): Vector {
  const size = points[0]!.length;
  if (size === 1) return meanOf(truncateLine(points, options, options.failureProbability));
  const kept = truncateBall(points, options);
  const centre = meanOf(kept);
  const axes = principalAxes(kept).slice(0, Math.ceil(size / 2));
  const inside = naiveHuber(
    kept.map(point => times(axes, point)),
    options,
  );
  // P_V(result) = the estimate in V, P_W(result) = (I - P_V) of the mean.
  const across = axes.reduce((rest, axis) => addScaled(rest, -dot(centre, axis), axis), centre);
  return axes.reduce((sum, axis, k) => addScaled(sum, inside[k]!, axis), across);
}

function keepAtLeast(count: number, fraction: number): number {
  let kept = 1;
  while (kept < count && (kept < fraction * count - 1e-9 || kept <= count / 2)) kept++;
  return kept;
}

export function truncateLine(points: readonly Vector[], options: NaiveOptions, delta: number): Vector[] {
  const count = points.length;
  const deviation = options.intervalSlack * Math.sqrt(Math.log(count / delta) / count);
  const eps = options.contamination;
  const share = options.lineAsPrinted ? 1 - eps - deviation * (1 - eps) : (1 - eps - deviation) * (1 - eps);
  const kept = keepAtLeast(count, share);
  let best = { low: -Infinity, width: Infinity };
  const values = points.map(([x]) => x!);
  for (const low of values) {
    for (const high of values) {
      const held = values.filter(x => x >= low && x <= high).length;
      const width = high - low;
      const isBetter = width < best.width || (width === best.width && low < best.low);
      if (held >= kept && isBetter) best = { low, width };
    }
  }
  return points.filter(([x]) => x! >= best.low && x! - best.low <= best.width);
}

function truncateBall(points: readonly Vector[], options: NaiveOptions): Vector[] {
  const [count, size] = [points.length, points[0]!.length];
  const delta = options.failureProbability;
  const centre = Float64Array.from({ length: size }, (_, j) => {
    const line = points.map(point => point.subarray(j, j + 1));
    return meanOf(truncateLine(line, options, delta / size))[0]!;
  });
  const logarithm = Math.max(0, Math.log(count / (size * delta)));
  const deviation = options.ballSlack * Math.sqrt((size / count) * logarithm);
  const eps = options.contamination;
  const kept = keepAtLeast(count, (1 - eps - deviation) * (1 - eps));
  const radius = points.map(point => distance(point, centre)).toSorted((a, b) => a - b)[kept - 1]!;
  return points.filter(point => distance(point, centre) <= radius);
}

const meanOf = (points: readonly Vector[]): Vector =>
  scaled(
    points.reduce((sum, point) => addScaled(sum, 1, point), zeros(points[0]!.length)),
    1 / points.length,
  );

export function covarianceOf(points: readonly Vector[]): Vector[] {
  const centre = meanOf(points);
  const away = points.map(point => subtract(point, centre));
  return Array.from(centre, (_, i) =>
    Float64Array.from(centre, (_, j) => away.reduce((sum, d) => sum + (d[i]! * d[j]!) / points.length, 0)),
  );
}

/** Eigenvectors of the covariance, largest eigenvalue first, by cyclic Jacobi rotations. */
function principalAxes(points: readonly Vector[]): Vector[] {
  const matrix = covarianceOf(points);
  const size = matrix.length;
  const axes = matrix.map((_, i) => zeros(size).fill(1, i, i + 1));
  const offDiagonal = () =>
    Math.max(...matrix.flatMap((row, i) => Array.from(row, (x, j) => (i === j ? 0 : Math.abs(x)))));
  const total = norm(Float64Array.from(matrix, (row, i) => row[i]!));
  for (let sweep = 0; sweep < 60 && offDiagonal() > 1e-18 * total; sweep++) {
    for (let i = 0; i < size; i++) {
      for (let j = i + 1; j < size; j++) {
        const angle = Math.atan2(2 * matrix[i]![j]!, matrix[i]![i]! - matrix[j]![j]!) / 2;
        const [c, s] = [Math.cos(angle), Math.sin(angle)];
        const turn = (a: Vector, b: Vector) => [addScaled(scaled(a, c), s, b), addScaled(scaled(b, c), -s, a)];
        [matrix[i], matrix[j]] = turn(matrix[i]!, matrix[j]!) as [Vector, Vector];
        for (const row of matrix) {
          [row[i], row[j]] = [c * row[i]! + s * row[j]!, c * row[j]! - s * row[i]!];
        }
        [axes[i], axes[j]] = turn(axes[i]!, axes[j]!) as [Vector, Vector];
      }
    }
  }
  return axes
    .map((axis, i) => ({ axis, value: matrix[i]![i]! }))
    .toSorted((a, b) => b.value - a.value)
    .map(({ axis }) => axis);
}
