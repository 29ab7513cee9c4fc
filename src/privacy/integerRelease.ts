import { requireInteger } from '../errors.ts';
import type { RowSet } from './event.ts';
import type { IntegerNoise } from './integerNoise.ts';
import type { Release } from './mechanism.ts';

/**
 * The release of block means of m rows under integer noise:
 *
 *   sensitivity = 2 K sqrt(B2) gamma / m = 2 K L2 / m,   sigma = s gamma / m
 *
 *   m -> rowsPerBlock, s -> scale, B2 -> squaredNorm, gamma -> grid, K -> group
 *
 * A plan that takes its releases from here agrees with the mechanism that will carry them out.
 */
export function integerRelease(
  { scale, squaredNorm, grid, group }: IntegerNoise,
  { chunk, rowsPerBlock }: { readonly chunk: RowSet; readonly rowsPerBlock: number },
): Release {
  const unit = grid / requireInteger('rowsPerBlock', rowsPerBlock, 1);
  return Object.freeze({
    chunk,
    sensitivity: 2 * group * Math.sqrt(squaredNorm) * unit,
    sigma: scale * unit,
  });
}
