import { requireVector } from '../../errors.ts';
import type { Vector } from '../../math/vector.ts';
import type { Loss } from '../../method/loss/loss.ts';
import { curvaturePlaces } from '../../sample/curvaturePlaces.ts';
import { requireBatch, type SampleBatch } from '../../sample/sampleBatch.ts';
import { momentCount } from '../../sample/transform/whitening.ts';
import type { BlockSummer } from './blockSummer.ts';
import { type Quantization, requireExact } from './integerSummer.ts';
import { tilesOf } from './tiles.ts';
import { wholeRows } from './wholeRows.ts';

export interface WholeRequest extends Pick<Quantization, 'grid' | 'squaredNorm'> {
  readonly features: number;
  readonly rows: number;
  /** The number of integers per row. */
  readonly numbers: number;
}

/**
 * A sum over all rows of integers with a bounded norm (`wholeRows.ts`, which states the guarantee), in one block.
 *
 * `write` stores the contribution of row i of a batch, in steps of the grid, in `values`.
 */
export function wholeSummer(
  { features, rows, numbers, grid, squaredNorm }: WholeRequest,
  write: (values: Float64Array, batch: SampleBatch, i: number) => void,
): BlockSummer {
  requireExact({ grid, squaredNorm, rowsPerBlock: rows });
  const sums = new Float64Array(numbers);
  const tiles = tilesOf(1, rows);
  const { values, addTo } = wholeRows(numbers, squaredNorm);
  return {
    add(batch) {
      requireBatch(batch, features);
      const addRows = (start: number, count: number): void => {
        for (let i = start; i < start + count; i++) {
          write(values, batch, i);
          addTo(sums);
        }
      };
      return tiles.take(batch.rows, addRows, () => {});
    },
    finish() {
      tiles.requireFull();
      return { sums, blocks: 1, rowsPerBlock: rows, privacy: 'raw', grid, squaredNorm };
    },
  };
}

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

/** What `curvatureSummer` needs; the formula at that function names the symbols. */
export interface CurvatureRequest extends Pick<Quantization, 'grid' | 'squaredNorm'> {
  /** Whose slope times a row is the gradient that is rounded to the grid. */
  readonly loss: Pick<Loss, 'slope'>;
  /** The second derivative of the loss at a score, and its upper bound. */
  readonly bend: { readonly at: (score: number, target: number) => number; readonly most: number };
  /** The largest norm of a row's gradient. */
  readonly lipschitz: number;
  /** Coefficients at which slopes are taken, the intercept last if there is one. */
  readonly at: Vector;
  /** A direction of slopes, of length 1, without an intercept. */
  readonly along: Vector;
  /** Whether the last coordinate of `at` is an intercept. */
  readonly intercept: boolean;
  /** The number of rows. */
  readonly rows: number;
  /** The largest norm of a row's contribution. */
  readonly norm: number;
}

/**
 * What rows show about the risk around a point, as integer sums with a bounded norm (`wholeRows.ts`, which states the
 * guarantee): the curvature along every coordinate, along a direction of slopes and between that and the intercept, and
 * the variance of the rows' gradients along every coordinate.
 *
 *   f (b z_1^2, ..., b z_size^2, b t^2, b t, g^2 z_1^2, ..., g^2 z_size^2),   s = z.theta,   t = z.u
 *   b = w bend(s, y) / B,   g = w slope(s, y) / L
 *   f = min(1, N / norm of the vector that it multiplies)
 *
 *   z -> a row, with the 1 of an intercept last; w -> its weight, u -> `along`, of length 1 and without an intercept,
 *   B -> bend.most, L -> lipschitz, N -> norm
 */
export function curvatureSummer(request: CurvatureRequest): BlockSummer {
  const { loss, bend, lipschitz, at, along, intercept, rows, norm, grid, squaredNorm } = request;
  const size = requireVector('at', at).length;
  const features = intercept ? size - 1 : size;
  requireVector('along', along, features);
  const { along: alongPlace, between, gradients, count: numbers } = curvaturePlaces(size);

  return wholeSummer({ features, rows, numbers, grid, squaredNorm }, (values, { columns, target, weights }, i) => {
    let score = intercept ? at[features]! : 0;
    let t = 0;
    for (let j = 0; j < features; j++) {
      const z = columns[j]![i]!;
      score += z * at[j]!;
      t += z * along[j]!;
    }
    const weight = weights?.[i] ?? 1;
    const b = (weight * bend.at(score, target[i]!)) / bend.most;
    const g = (weight * loss.slope(score, target[i]!)) / lipschitz;
    for (let j = 0; j < features; j++) {
      const z = columns[j]![i]!;
      values[j] = b * z ** 2;
      values[gradients + j] = (g * z) ** 2;
    }
    if (intercept) {
      values[features] = b;
      values[gradients + features] = g ** 2;
    }
    values[alongPlace] = b * t * t;
    values[between] = intercept ? b * t : 0;
    let square = 0;
    for (const value of values) square += value * value;
    const factor = Math.min(1, norm / Math.sqrt(square)) / grid;
    for (let k = 0; k < values.length; k++) values[k]! *= factor;
  });
}
