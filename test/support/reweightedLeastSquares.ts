import { addScaled, dot, type Vector } from '../../src/math/vector.ts';
import type { SampleBatch } from '../../src/sample/sampleBatch.ts';
import { solveBy } from './linearAlgebra.ts';

/**
 * Least squares with an intercept, over and over with rows weighted by their residuals; rows that do not belong have no
 * say.
 */
export function reweightedLeastSquares(
  { rows, columns, target }: SampleBatch,
  from: Vector,
  weight: (residual: number) => number,
  belongs = new Float64Array(rows).fill(1),
): Vector {
  const x = [...columns, new Float64Array(rows).fill(1)];
  let theta = from;
  for (let round = 0; round < 50; round++) {
    const residuals = target.slice();
    x.forEach((own, j) => {
      for (let i = 0; i < rows; i++) residuals[i]! -= own[i]! * theta[j]!;
    });
    const weights = residuals.map((residual, i) => belongs[i]! * weight(residual));
    const weighted = x.map(own => own.map((value, i) => value * weights[i]!));
    const matrix = weighted.map(own => Float64Array.from(x, other => dot(own, other)));
    const step = solveBy(
      matrix,
      Float64Array.from(weighted, own => dot(own, residuals)),
    );
    theta = addScaled(theta, 1, step);
    if (Math.max(...step.map(Math.abs)) < 1e-7) return theta;
  }
  return theta;
}
