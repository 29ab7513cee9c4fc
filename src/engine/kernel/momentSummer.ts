import { momentCount } from '../../sample/transform/whitening.ts';
import type { BlockSummer } from './blockSummer.ts';
import type { Quantization } from './integerSummer.ts';
import { wholeSummer } from './wholeSummer.ts';

/** What `momentSummer` needs; the formula at that function names the symbols. */
export interface MomentRequest extends Pick<Quantization, 'grid' | 'squaredNorm'> {
  /** The number of features. */
  readonly features: number;
  /** The number of rows. */
  readonly rows: number;
  /** The largest norm of a row's contribution. */
  readonly norm: number;
  /** The unit of the target. */
  readonly targetUnit: number;
}

/**
 * Second moments of rows and their mean target as integer sums: for u = (x, 1) and t = y / targetUnit, the sum over all
 * rows of w (u u', t) on a grid, with a bounded norm (`wholeRows.ts`, which states the guarantee).
 *
 *   w = min(1, N / sqrt(||u||^4 + t^2)), and 0 for rows with weight 0;   N -> norm
 *
 * The upper triangle of u u' is summed, row by row, with off-diagonal entries multiplied by sqrt(2). So it has the same
 * norm as the full matrix, ||u||^2, and together with t a row has a norm of at most N. The 1 at the end of u sums the
 * weights, by which the other sums are divided to give means.
 */
export function momentSummer({ features, rows, norm, targetUnit, grid, squaredNorm }: MomentRequest): BlockSummer {
  const numbers = momentCount(features);
  const own = new Float64Array(features + 1).fill(1);

  return wholeSummer({ features, rows, numbers, grid, squaredNorm }, (values, { columns, target, weights }, i) => {
    let squares = 1;
    for (let j = 0; j < features; j++) {
      own[j] = columns[j]![i]!;
      squares += own[j]! * own[j]!;
    }
    const counts = weights === undefined || weights[i]! > 0;
    const t = target[i]! / targetUnit;
    const factor = counts ? Math.min(1, norm / Math.sqrt(squares * squares + t * t)) / grid : 0;
    let place = 0;
    for (let a = 0; a <= features; a++) {
      const single = factor * own[a]!;
      const twice = Math.SQRT2 * single;
      values[place++] = single * own[a]!;
      for (let b = a + 1; b <= features; b++) values[place++] = twice * own[b]!;
    }
    values[place] = factor * t;
  });
}
