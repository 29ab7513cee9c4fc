/**
 * What a few rows that no step uses again can tell before a run: a robust first estimate, and the curvature of the risk around it.
 *
 * Rows count by how unusual their features are: w = min(1, (3 + sqrt p)^2 / ||z||^2), z the features centred by medians and scaled by median
 * absolute deviations, so that a few far rows bend neither the estimate nor the curvature. The estimate comes from Newton steps on the weighted
 * loss, each halved until the loss falls; for a linear target the loss is pseudo-Huber at the scale of the residuals.
 *
 *   curvature = mean of w * d slope/d score * x x'
 */

import type { Loss } from '../loss/loss.ts';
import { pseudoHuber } from '../loss/pseudoHuber.ts';
import { ArgumentError } from '../math/check.ts';
import { type Cholesky, cholesky } from '../math/cholesky.ts';
import { symmetricEigen } from '../math/symmetricEigen.ts';
import { addScaled, type Vector, zeros } from '../math/vector.ts';
import type { SampleBatch } from '../sample/sampleBatch.ts';

export interface Pilot {
  readonly rows: number;
  /** A first estimate, with the intercept last where there is one. */
  readonly start: Vector;
  /** The Cholesky factor of the curvature there, and its largest eigenvalue. */
  readonly factor: Cholesky;
  readonly smoothness: number;
  /** 1.4826 times the median absolute residual; of use for linear targets only. */
  readonly residualScale: number;
}

export interface PilotOptions {
  readonly loss: Loss;
  readonly intercept: boolean;
  /** Names of the columns, for messages. */
  readonly names?: readonly string[];
}

/** The robust efficiency of pseudo-Huber is 95 % under normal errors at this many residual scales. */
export const HUBER_TUNING = 1.345;

export function studyPilot(batch: SampleBatch, { loss, intercept, names = [] }: PilotOptions): Pilot {
  const { rows } = batch;
  const rowsOf = designRows(batch, intercept, loss.penalty, names);
  const weights = rowWeights(batch, names);
  const isLinear = loss.targets.least === -Infinity;
  const size = rowsOf.size;
  let start = zeros(size);
  let residualScale = 1;
  if (isLinear) {
    // From the medians' line on: three rounds of scale and estimate, which is where the scale settles.
    if (intercept) start[size - 1] = median(batch.target.slice());
    for (let round = 0; round < 3; round++) {
      residualScale = residualSpread(residuals(rowsOf, batch.target, start));
      start = minimize(rowsOf, batch.target, weights, pseudoHuber(HUBER_TUNING * residualScale), start);
    }
    residualScale = residualSpread(residuals(rowsOf, batch.target, start));
  } else {
    start = minimize(rowsOf, batch.target, weights, loss, start);
  }
  const hessian = curvature(rowsOf, batch.target, weights, loss, start);
  const smoothness = symmetricEigen(hessian, size)[0]!.value;
  return Object.freeze({ rows, start, factor: factorOf(hessian, rowsOf), smoothness, residualScale });
}

interface DesignRows {
  readonly size: number;
  /** The ridge penalty, and how many of the coordinates it holds for: all but the intercept. */
  readonly penalty: number;
  readonly penalized: number;
  readonly names: readonly string[];
  /** Value of coordinate j in row i; 1 for the intercept. */
  readonly columns: readonly Float64Array[];
}

function designRows(
  { columns, rows }: SampleBatch,
  intercept: boolean,
  penalty: number,
  names: readonly string[],
): DesignRows {
  const all = intercept ? [...columns, new Float64Array(rows).fill(1)] : columns;
  return { size: all.length, penalty, penalized: columns.length, names, columns: all };
}

function rowWeights(batch: SampleBatch, names: readonly string[]): Float64Array {
  const { rows, columns } = batch;
  const squares = new Float64Array(rows);
  columns.forEach((column, j) => {
    const centre = median(column.slice());
    const scale = columnScale(column, centre);
    if (scale === 0) {
      throw new ArgumentError(
        `column ${JSON.stringify(names[j] ?? j)} has the same value in all ${rows} pilot rows; leave it out of --features`,
      );
    }
    for (let i = 0; i < rows; i++) squares[i]! += ((column[i]! - centre) / scale) ** 2;
  });
  const largest = (3 + Math.sqrt(columns.length)) ** 2;
  return squares.map((square, i) => Math.min(1, largest / square) * (batch.weights?.[i] ?? 1));
}

/** Median absolute deviation, scaled to a normal's; the mean one where more than half of the rows agree; 0 for a constant. */
function columnScale(column: Float64Array, centre: number): number {
  const away = column.map(value => Math.abs(value - centre));
  const robust = 1.4826 * median(away.slice());
  return robust > 0 ? robust : 1.2533 * (away.reduce((sum, value) => sum + value, 0) / away.length);
}

function median(values: Float64Array): number {
  values.sort();
  const middle = values.length >> 1;
  return values.length % 2 === 1 ? values[middle]! : (values[middle - 1]! + values[middle]!) / 2;
}

function scores({ columns }: DesignRows, theta: Vector): Float64Array {
  const sums = new Float64Array(columns[0]!.length);
  columns.forEach((column, j) => {
    const coefficient = theta[j]!;
    for (let i = 0; i < sums.length; i++) sums[i]! += column[i]! * coefficient;
  });
  return sums;
}

const residuals = (rows: DesignRows, target: Float64Array, theta: Vector): Float64Array =>
  scores(rows, theta).map((score, i) => target[i]! - score);

function residualSpread(values: Float64Array): number {
  const scale = columnScale(values, 0);
  return scale > 0 ? scale : 1;
}

function minimize(
  rows: DesignRows,
  target: Float64Array,
  weights: Float64Array,
  loss: Loss,
  from: Vector,
): Vector {
  const risk = (theta: Vector): number =>
    scores(rows, theta).reduce((sum, score, i) => sum + weights[i]! * loss.value(score, target[i]!), 0) /
      target.length +
    (rows.penalty / 2) * theta.subarray(0, rows.penalized).reduce((sum, value) => sum + value * value, 0);
  let theta = from;
  let value = risk(theta);
  for (let iteration = 0; iteration < 30; iteration++) {
    const slopes = scores(rows, theta).map((score, i) => weights[i]! * loss.slope(score, target[i]!));
    const gradient = Float64Array.from(rows.columns, (column, j) => {
      let sum = 0;
      for (let i = 0; i < column.length; i++) sum += slopes[i]! * column[i]!;
      return sum / column.length + (j < rows.penalized ? rows.penalty * theta[j]! : 0);
    });
    const hessian = curvature(rows, target, weights, loss, theta);
    const step = factorOf(hessian, rows).solve(gradient);
    let share = 1;
    let next = theta;
    let reached = value;
    do {
      next = addScaled(theta, -share, step);
      reached = risk(next);
      share /= 2;
    } while (!(reached <= value) && share > 1e-6);
    if (!(reached <= value)) return theta;
    const settled = value - reached <= 1e-10 * Math.abs(value);
    theta = next;
    value = reached;
    if (settled) break;
  }
  return theta;
}

/** Mean over rows of weight * slope' * x x', row-major. */
function curvature(
  rows: DesignRows,
  target: Float64Array,
  weights: Float64Array,
  loss: Loss,
  theta: Vector,
): Float64Array {
  const { size, columns } = rows;
  const bends = scores(rows, theta).map((score, i) => weights[i]! * slopeOfSlope(loss, score, target[i]!));
  const matrix = new Float64Array(size * size);
  for (let j = 0; j < size; j++) {
    const scaled = columns[j]!.map((value, i) => value * bends[i]!);
    for (let k = 0; k <= j; k++) {
      const column = columns[k]!;
      let sum = 0;
      for (let i = 0; i < scaled.length; i++) sum += scaled[i]! * column[i]!;
      matrix[j * size + k] = sum / scaled.length;
      matrix[k * size + j] = sum / scaled.length;
    }
  }
  for (let j = 0; j < rows.penalized; j++) matrix[j * size + j]! += rows.penalty;
  return matrix;
}

function slopeOfSlope(loss: Loss, score: number, target: number): number {
  const h = 1e-5 * Math.max(1, Math.abs(score));
  return (loss.slope(score + h, target) - loss.slope(score - h, target)) / (2 * h);
}

function factorOf(matrix: Float64Array, { size, names }: DesignRows): Cholesky {
  const factor = cholesky(matrix, size);
  if (factor !== undefined) return factor;
  throw new ArgumentError(
    `the features${names.length > 0 ? ` ${names.join(', ')}` : ''} are collinear in the pilot rows; leave one of them out of --features, or add --ridge`,
  );
}
