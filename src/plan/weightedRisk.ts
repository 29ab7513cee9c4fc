/**
 * The weighted risk of rows in memory, and its derivatives at a point.
 *
 *   value     = mean of w loss(x.theta, y)                + sum of gamma_j/2 theta_j^2
 *   gradient  = mean of w slope(x.theta, y) x             + gamma_j theta_j
 *   curvature = mean of w d slope(x.theta, y)/d score x x' + diag gamma
 *
 *   w -> weights, gamma -> penalties; an intercept is the last coordinate
 */
import type { Loss } from '../loss/loss.ts';
import type { Vector } from '../math/vector.ts';
import type { SampleBatch } from '../sample/sampleBatch.ts';
import { riskTile, TILE_ROWS } from './riskTile.ts';

export interface WeightedRisk {
  /** Coordinates of theta. */
  readonly size: number;
  value(loss: Loss, theta: Vector): number;
  derivatives(loss: Loss, theta: Vector): Derivatives;
  /** y - x.theta of every row, into memory of the caller's. */
  residuals(theta: Vector, into: Float64Array): Float64Array;
}

export interface Derivatives {
  /** Of the risk without its penalties. */
  readonly value: number;
  readonly gradient: Vector;
  /** Row-major. */
  readonly curvature: Float64Array;
}

export interface RiskOptions {
  readonly intercept: boolean;
  /** How often rows count, whatever weights the batch has of its own. */
  readonly weights: Float64Array;
  /** One per coordinate, in place of the loss's own; none unless given. */
  readonly penalties?: Vector;
}

export function weightedRisk(batch: SampleBatch, options: RiskOptions): WeightedRisk {
  const { weights, intercept } = options;
  const { rows, columns, target } = batch;
  const features = columns.length;
  const size = intercept ? features + 1 : features;
  const penalties = options.penalties ?? new Float64Array(size);
  const tile = riskTile(size);
  const { scores, slopes, bends } = tile;
  if (intercept) tile.columns[features]!.fill(1);
  // Views are made once: there are as many of them as a pass has columns of tiles.
  const pieces = Array.from({ length: Math.ceil(rows / TILE_ROWS) }, (_, k) =>
    columns.map(column => column.subarray(k * TILE_ROWS, Math.min(rows, (k + 1) * TILE_ROWS))),
  );

  /** Every tile with its scores, first to last. */
  const visit = (theta: Vector, look: (start: number, count: number) => void): void => {
    tile.theta.set(theta);
    pieces.forEach((piece, k) => {
      for (let j = 0; j < features; j++) tile.columns[j]!.set(piece[j]!);
      const count = Math.min(TILE_ROWS, rows - k * TILE_ROWS);
      tile.score(count);
      look(k * TILE_ROWS, count);
    });
  };

  /** Slopes and bends of the tile's rows, and the sum of their losses. */
  const ofLoss = (loss: Loss, start: number, count: number): number => {
    let sum = 0;
    for (let i = 0; i < count; i++) {
      const weight = weights[start + i]!;
      const y = target[start + i]!;
      slopes[i] = weight * loss.slope(scores[i]!, y);
      bends[i] = weight * slopeOfSlope(loss, scores[i]!, y);
      sum += weight * loss.value(scores[i]!, y);
    }
    return sum;
  };
  /** The same of the squared loss, written out: least squares are repeated more than anything else here. */
  const ofSquares = (_: Loss, start: number, count: number): number => {
    let sum = 0;
    for (let i = 0; i < count; i++) {
      const weight = weights[start + i]!;
      const residual = scores[i]! - target[start + i]!;
      slopes[i] = weight * residual;
      bends[i] = weight;
      sum += (weight * residual * residual) / 2;
    }
    return sum;
  };

  return {
    size,
    value(loss, theta) {
      let sum = 0;
      visit(theta, (start, count) => {
        for (let i = 0; i < count; i++)
          sum += weights[start + i]! * loss.value(scores[i]!, target[start + i]!);
      });
      let value = sum / rows;
      for (let j = 0; j < size; j++) value += (penalties[j]! / 2) * theta[j]! ** 2;
      return value;
    },
    derivatives(loss, theta) {
      tile.clear();
      const derive = loss.kernel?.kind === 'squared' ? ofSquares : ofLoss;
      let value = 0;
      visit(theta, (start, count) => {
        value += derive(loss, start, count);
        slopes.fill(0, count);
        bends.fill(0, count);
        tile.addDerivatives(count);
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
        value: value / rows,
        gradient: theta.map((value, j) => tile.sumOf(j) / rows + penalties[j]! * value),
        curvature,
      };
    },
    residuals(theta, into) {
      visit(theta, (start, count) => {
        for (let i = 0; i < count; i++) into[start + i] = target[start + i]! - scores[i]!;
      });
      return into;
    },
  };
}

export function slopeOfSlope(loss: Loss, score: number, target: number): number {
  // Beside q, where the slope bends, and never beside the score: targets far from 0 would leave q within the step.
  const h = 1e-5 * (loss.kernel?.parameter || Math.max(1, Math.abs(score)));
  return (loss.slope(score + h, target) - loss.slope(score - h, target)) / (2 * h);
}
