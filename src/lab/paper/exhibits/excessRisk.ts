/** Excess empirical risk: how much higher the risk of a point is than that of the best point, on the same rows. */
import { cholesky } from '../../../math/cholesky.ts';
import { dot, norm, scaled, subtract, type Vector, zeros } from '../../../math/vector.ts';
import type { SampleBatch } from '../../../sample/sampleBatch.ts';

/** Half the mean squared error, less that of the best point of B2(radius), which must lie on its sphere. */
export function squaredExcess({ rows, columns, target }: SampleBatch, radius: number): (theta: Vector) => number {
  const size = columns.length;
  const sums = momentsOf(columns, target);
  const [gram, moment] = [sums.gram.map(value => value / rows), sums.moment.map(value => value / rows)];
  const risk = (theta: Vector): number =>
    theta.reduce(
      (sum, value, i) => sum + value * (dot(gram.subarray(i * size, (i + 1) * size), theta) / 2 - moment[i]!),
      0,
    );
  const ridge = (gamma: number): Vector =>
    cholesky(
      gram.map((value, at) => (at % (size + 1) === 0 ? value + gamma : value)),
      size,
    )!.solve(moment);
  const least = risk(withinBall(ridge, { radius, most: norm(moment) / radius, halvings: 100 }));
  return theta => risk(theta) - least;
}

/** X'X, row by row, and X'y. */
export function momentsOf(columns: SampleBatch['columns'], target: Vector): { gram: Vector; moment: Vector } {
  return {
    gram: Float64Array.from(columns.flatMap(column => columns.map(other => dot(column, other)))),
    moment: Float64Array.from(columns, column => dot(column, target)),
  };
}

/** The point of B2(radius) with the least Lagrange multiplier, in which its norm decreases: 0 to `most`, by bisection. */
export function withinBall(
  pointAt: (multiplier: number) => Vector,
  { radius, most, halvings }: { readonly radius: number; readonly most: number; readonly halvings: number },
): Vector {
  let [outside, inside] = [0, most];
  for (let halving = 0; halving < halvings; halving++) {
    const middle = (outside + inside) / 2;
    if (norm(pointAt(middle)) > radius) outside = middle;
    else inside = middle;
  }
  return pointAt(inside);
}

/**
 * The mean logistic loss less that of the maximum-likelihood estimate, or of the best point of B2(radius), which must
 * lie on its sphere. Both are found by Newton's method.
 */
export function logisticExcess({ rows, columns, target }: SampleBatch, radius?: number): (theta: Vector) => number {
  const size = columns.length;
  const scores = new Float64Array(rows);
  const score = (theta: Vector): void => {
    scores.fill(0);
    columns.forEach((column, j) => {
      for (let i = 0; i < rows; i++) scores[i]! += column[i]! * theta[j]!;
    });
  };
  const risk = (theta: Vector): number => {
    score(theta);
    let sum = 0;
    for (let i = 0; i < rows; i++) {
      const s = scores[i]!;
      sum += Math.max(0, s) + Math.log1p(Math.exp(-Math.abs(s))) - target[i]! * s;
    }
    return sum / rows;
  };
  /** Summed over the rows. */
  const derivatives = (theta: Vector): { gradient: Vector; hessian: Vector } => {
    score(theta);
    const gradient = zeros(size);
    const hessian = zeros(size * size);
    for (let i = 0; i < rows; i++) {
      const mean = 1 / (1 + Math.exp(-scores[i]!));
      for (let j = 0; j < size; j++) {
        gradient[j]! += (mean - target[i]!) * columns[j]![i]!;
        for (let k = 0; k < size; k++) {
          hessian[j * size + k]! += mean * (1 - mean) * columns[j]![i]! * columns[k]![i]!;
        }
      }
    }
    return { gradient, hessian };
  };
  const newtonStep = (theta: Vector): Vector => {
    const { gradient, hessian } = derivatives(theta);
    return cholesky(hessian, size)!.solve(gradient);
  };
  const least = risk(radius === undefined ? descended(zeros(size), newtonStep) : onSphere(derivatives, size, radius));
  return theta => risk(theta) - least;
}

/**
 * Converges quadratically, because the figures' data are far from separable: after a step of 1e-9 another changes
 * nothing.
 */
function descended(start: Vector, stepAt: (theta: Vector) => Vector): Vector {
  let theta = start;
  for (let step = 0, length = Infinity; step < 12 && length > 1e-9; step++) {
    const change = stepAt(theta);
    theta = subtract(theta, change);
    length = norm(change);
  }
  return theta;
}

/** The least point of the sphere: gradient + multiplier theta = 0 and ||theta|| = radius, solved together. */
function onSphere(
  derivatives: (theta: Vector) => { gradient: Vector; hessian: Vector },
  size: number,
  radius: number,
): Vector {
  const { gradient } = derivatives(zeros(size));
  let multiplier = norm(gradient) / radius;
  return descended(scaled(gradient, -radius / norm(gradient)), theta => {
    const { gradient, hessian } = derivatives(theta);
    const factor = cholesky(
      hessian.map((value, at) => (at % (size + 1) === 0 ? value + multiplier : value)),
      size,
    )!;
    const free = factor.solve(gradient.map((value, j) => value + multiplier * theta[j]!));
    const along = factor.solve(theta);
    const change = -((radius ** 2 - dot(theta, theta)) / 2 + dot(theta, free)) / dot(theta, along);
    multiplier += change;
    return free.map((value, j) => value + change * along[j]!);
  });
}
