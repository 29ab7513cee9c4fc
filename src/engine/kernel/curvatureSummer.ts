import { requireVector } from '../../errors.ts';
import type { Vector } from '../../math/vector.ts';
import type { Loss } from '../../method/loss/loss.ts';
import { curvaturePlaces } from '../../sample/curvaturePlaces.ts';
import type { BlockSummer } from './blockSummer.ts';
import type { Quantization } from './integerSummer.ts';
import { wholeSummer } from './wholeSummer.ts';

/** What `curvatureSummer` needs; the formula at that function names the symbols. */
export interface CurvatureRequest extends Pick<Quantization, 'grid' | 'squaredNorm'> {
  /** The loss. */
  readonly loss: Pick<Loss, 'slope'>;
  /** The second derivative of the loss at a score, and its upper bound. */
  readonly bend: { readonly at: (score: number, target: number) => number; readonly most: number };
  /** The largest norm of a row's gradient. */
  readonly lipschitz: number;
  /** The point. */
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
