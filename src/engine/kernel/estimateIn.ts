/**
 * An estimate of the mean of points g_i that is computed from P'g_i and carried back. The estimate is a linear
 * combination of the P'g_i, and the same combination of the g_i is the result:
 *
 *   y = estimate of the P'g_i,   sum_i w_i g_i   with   sum_i w_i P'g_i = y
 *   w_i = (P'g_i)' M^-1 y,   M = sum_i P'g_i (P'g_i)'
 *
 * So P need not be inverted, which would lose precision for features far from 0.
 */
import type { Coordinates } from '../../math/coordinates.ts';
import { rankFactor } from '../../math/rankFactor.ts';
import { dot, type Vector, zeros } from '../../math/vector.ts';
import type { Points } from './rowGradients.ts';

export const estimateIn =
  ({ ofGradient }: Pick<Coordinates, 'ofGradient'>, estimate: (points: Points) => Vector) =>
  (points: Points): Vector => {
    const { count, size, values } = points;
    const rank = ofGradient(zeros(size)).length;
    const images = new Float64Array(count * rank);
    for (let i = 0; i < count; i++)
      images.set(ofGradient(values.subarray(i * size, (i + 1) * size)), i * rank);
    const found = estimate({ count, size: rank, values: images });
    const moments = new Float64Array(rank * rank);
    for (let i = 0; i < count; i++) {
      for (let j = 0; j < rank; j++)
        for (let k = 0; k <= j; k++)
          moments[j * rank + k]! += (images[i * rank + j]! * images[i * rank + k]!) / count;
    }
    const { solveFactor, solveTransposed } = rankFactor(moments, rank);
    const way = solveTransposed(solveFactor(found));
    const carried = zeros(size);
    for (let i = 0; i < count; i++) {
      const weight = dot(images.subarray(i * rank, (i + 1) * rank), way) / count;
      for (let j = 0; j < size; j++) carried[j]! += weight * values[i * size + j]!;
    }
    return carried;
  };
