import type { Coordinates } from '../../math/coordinates.ts';
import { addScaled, scaled, subtract, type Vector, zeros } from '../../math/vector.ts';
import type { Plan } from '../../plan/plan.ts';
import { type BlockSums, featuresOf } from '../../sample/gradientSums.ts';

export interface BlockVariances {
  /** Of each coefficient, from one row. */
  readonly variances: Vector;
  readonly degrees: number;
  /** The total over all coordinates of P. */
  readonly noise: number;
}

/**
 * The variance of the coefficients from the disjoint blocks of a run:
 *
 *   variance_j = sum over blocks of m (P P'(g_k - g))_j^2 / degrees,   degrees -> blocks less one for every g
 *
 * is that of coefficient j from one row, and an estimate from n rows has the n-th part of it. g_k are the block means
 * of a step and g is their mean; m rows are in a block, and P P' is the inverse of the curvature. Blocks are disjoint,
 * so that nothing is assumed about the distribution of the rows. Steps on the same rows repeat the same differences,
 * and only the last one is used.
 */
export function blockVariances({ mode }: Pick<Plan, 'mode'>, coordinates: Coordinates) {
  let squares = zeros(coordinates.size);
  let [noise, degrees] = [0, 0];
  const look = (sums: BlockSums): void => {
    if (mode === 'full') {
      squares = zeros(coordinates.size);
      [noise, degrees] = [0, 0];
    }
    const points = blockMeans(sums).map(mean => coordinates.ofGradient(mean));
    const middle = points.reduce((sum, point) => addScaled(sum, 1 / points.length, point), zeros(coordinates.rank));
    for (const point of points) {
      const away = scaled(subtract(point, middle), Math.sqrt(sums.rowsPerBlock));
      coordinates.toTheta(away).forEach((value, j) => {
        squares[j]! += value ** 2;
      });
      noise += away.reduce((sum, value) => sum + value ** 2, 0);
    }
    degrees += points.length - 1;
  };
  return {
    /** Takes in the block sums of a step. */
    look,
    /** Null before any step with two blocks. */
    found: (): BlockVariances | null =>
      degrees === 0 ? null : { variances: squares.map(square => square / degrees), degrees, noise: noise / degrees },
  };
}

function blockMeans(blockSums: BlockSums): readonly Vector[] {
  const size = featuresOf(blockSums);
  const { sums, blocks, rowsPerBlock } = blockSums;
  return Array.from({ length: blocks }, (_, k) => sums.slice(k * size, (k + 1) * size).map(sum => sum / rowsPerBlock));
}
