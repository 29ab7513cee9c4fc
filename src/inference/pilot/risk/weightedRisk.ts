import { compiledLoss, tiledRows } from '../../../engine/kernel/riskTile.ts';
import type { Vector } from '../../../math/vector.ts';
import { type Loss, slopeOfSlope } from '../../../method/loss/loss.ts';
import type { SampleBatch } from '../../../sample/sampleBatch.ts';

export interface WeightedRisk {
  /** Coordinates of theta. */
  readonly size: number;
  value(loss: Loss, theta: Vector): number;
  derivatives(loss: Loss, theta: Vector): Derivatives;
  /**
   * The same with slope/r in place of d slope/d score, r = x.theta - y: the curvature of least squares with those
   * weights.
   */
  reweighted(loss: Loss, theta: Vector): Derivatives;
  /** y - x.theta of every row, into an array of the caller. */
  residuals(theta: Vector, into: Float64Array): Float64Array;
}

export interface Derivatives {
  readonly value: number;
  readonly gradient: Vector;
  /** Row-major. */
  readonly curvature: Float64Array;
}

export interface RiskOptions {
  readonly intercept: boolean;
  /** Case weights, in place of those of the batch. */
  readonly weights: Float64Array;
  /** One per coordinate, in place of that of the loss; none unless given. */
  readonly penalties?: Vector;
}

/**
 * The weighted risk of rows in memory, and its derivatives at a point.
 *
 *   value     = mean of w loss(x.theta, y)                + sum of gamma_j/2 theta_j^2
 *   gradient  = mean of w slope(x.theta, y) x             + gamma_j theta_j
 *   curvature = mean of w d slope(x.theta, y)/d score x x' + diag gamma
 *
 *   w -> weights, gamma -> penalties; an intercept is the last coordinate
 */
export function weightedRisk(batch: SampleBatch, options: RiskOptions): WeightedRisk {
  const { weights, intercept } = options;
  const { rows, columns, target } = batch;
  const size = columns.length + (intercept ? 1 : 0);
  const penalties = options.penalties ?? new Float64Array(size);
  const { tile, visit } = tiledRows(columns, rows);
  const { scores, slopes, bends } = tile;

  /** First and second derivatives of the tile's rows, and the sum of their losses. */
  const derive = (loss: Loss, start: number, count: number, reweighted: boolean): number => {
    const compiled = compiledLoss(loss.kernel);
    if (compiled !== undefined) {
      tile.targets.set(target.subarray(start, start + count));
      tile.weights.set(weights.subarray(start, start + count));
      tile.weights[count] = 0;
      return tile.derive(compiled, reweighted, count);
    }
    let sum = 0;
    for (let i = 0; i < count; i++) {
      const weight = weights[start + i]!;
      const y = target[start + i]!;
      const score = scores[i]!;
      const slope = loss.slope(score, y);
      const bend = reweighted ? (score === y ? 1 : slope / (score - y)) : slopeOfSlope(loss, score, y);
      slopes[i] = weight * slope;
      bends[i] = weight * bend;
      sum += weight * loss.value(score, y);
    }
    slopes[count] = 0;
    bends[count] = 0;
    return sum;
  };
  const penaltyAt = (theta: Vector): number =>
    theta.reduce((sum, value, j) => sum + (penalties[j]! / 2) * value ** 2, 0);

  const derivatives = (loss: Loss, theta: Vector, reweighted: boolean): Derivatives => {
    tile.clear();
    let value = 0;
    visit((start, count, first) => {
      tile.score(theta, first, count);
      value += derive(loss, start, count, reweighted);
      tile.addDerivatives(first, count);
    });
    const curvature = new Float64Array(size * size);
    for (let j = 0; j < size; j++) {
      for (let k = 0; k <= j; k++) {
        const mean = tile.momentOf(j, k) / rows + (j === k ? penalties[j]! : 0);
        curvature[j * size + k] = mean;
        curvature[k * size + j] = mean;
      }
    }
    return {
      value: value / rows + penaltyAt(theta),
      gradient: theta.map((value, j) => tile.sumOf(j) / rows + penalties[j]! * value),
      curvature,
    };
  };

  return {
    size,
    value(loss, theta) {
      const compiled = compiledLoss(loss.kernel);
      let sum = 0;
      visit((start, count, first) => {
        tile.score(theta, first, count);
        if (compiled !== undefined) sum += derive(loss, start, count, false);
        else for (let i = 0; i < count; i++) sum += weights[start + i]! * loss.value(scores[i]!, target[start + i]!);
      });
      return sum / rows + penaltyAt(theta);
    },
    derivatives: (loss, theta) => derivatives(loss, theta, false),
    reweighted: (loss, theta) => derivatives(loss, theta, true),
    residuals(theta, into) {
      visit((start, count, first) => {
        tile.score(theta, first, count);
        for (let i = 0; i < count; i++) into[start + i] = target[start + i]! - scores[i]!;
      });
      return into;
    },
  };
}
