/**
 * What a few rows that no step uses again can tell before a run: a robust first estimate, and the curvature of the risk around it.
 *
 * Rows count by how unusual their features are: w = min(1, (3 + sqrt p)^2 / ||z||^2), z the features centred by medians and scaled by median
 * absolute deviations, so that a few far rows do not bend the estimate. It comes from Newton steps on the weighted loss, each halved until the loss
 * falls; for a linear target the loss is pseudo-Huber at the scale of the residuals. The curvature is that of the steps to come, in which rows count alike:
 * with the weights it would be too small just where few rows say something, in a rare level for example, and steps would overshoot.
 *
 *   curvature = mean of d slope/d score * x x'
 */

import type { Loss } from '../loss/loss.ts';
import { pseudoHuber } from '../loss/pseudoHuber.ts';
import { ridge } from '../loss/ridge.ts';
import { ArgumentError } from '../math/check.ts';
import { type Cholesky, cholesky } from '../math/cholesky.ts';
import { median } from '../math/median.ts';
import { addScaled, type Vector, zeros } from '../math/vector.ts';
import type { SampleBatch } from '../sample/sampleBatch.ts';
import { type WeightedRisk, weightedRisk } from './weightedRisk.ts';

export interface Pilot {
  readonly rows: number;
  /** A first estimate, with the intercept last where there is one. */
  readonly start: Vector;
  /** Row-major, and its Cholesky factor. */
  readonly curvature: Float64Array;
  readonly factor: Cholesky;
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
  const { rows, target } = batch;
  const room = new Float64Array(rows);
  const risk = weightedRisk(batch, rowWeights(batch, names, room), intercept);
  const factorOf = (curvature: Float64Array): Cholesky => {
    if (!curvature.every(Number.isFinite)) refuseLarge(batch, names);
    return cholesky(curvature, risk.size) ?? refuseCollinear(batch, names, intercept);
  };
  const isLinear = loss.targets.least === -Infinity;
  let start = zeros(risk.size);
  let residualScale = 1;
  if (isLinear) {
    const scaleAt = (theta: Vector): number => spread(risk.residuals(theta, room)) || 1;
    // From the medians' line on: three rounds of scale and estimate, which is where the scale settles.
    if (intercept) start[risk.size - 1] = median(copied(target, room));
    residualScale = scaleAt(start);
    for (let round = 0; round < 3; round++) {
      const robust = ridge(pseudoHuber(HUBER_TUNING * residualScale), loss.penalty);
      start = minimize(risk, robust, start, factorOf);
      residualScale = scaleAt(start);
    }
  } else {
    start = minimize(risk, loss, start, factorOf);
  }
  const alike = weightedRisk(batch, batch.weights ?? new Float64Array(rows).fill(1), intercept);
  const { curvature } = alike.derivatives(loss, start);
  return Object.freeze({ rows, start, curvature, factor: factorOf(curvature), residualScale });
}

function rowWeights(batch: SampleBatch, names: readonly string[], room: Float64Array): Float64Array {
  const { rows, columns } = batch;
  if (batch.weights?.every(weight => weight === 0)) {
    throw new ArgumentError(
      `none of the ${rows} pilot rows counts: all have weight 0, or values that cannot be used`,
    );
  }
  const squares = new Float64Array(rows);
  columns.forEach((column, j) => {
    const centre = median(copied(column, room));
    for (let i = 0; i < rows; i++) room[i] = column[i]! - centre;
    const scale = spread(room);
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

function copied(values: Float64Array, room: Float64Array): Float64Array {
  room.set(values.subarray(0, room.length));
  return room;
}

/**
 * Median absolute value, scaled to a normal's; the mean one where more than half of the values are 0; 0 where all are. The values' order and signs
 * are lost.
 */
function spread(values: Float64Array): number {
  for (let i = 0; i < values.length; i++) values[i] = Math.abs(values[i]!);
  const robust = 1.4826 * median(values);
  return robust > 0 ? robust : 1.2533 * (values.reduce((sum, value) => sum + value, 0) / values.length);
}

/** Newton steps, each halved until the risk falls. */
function minimize(
  risk: WeightedRisk,
  loss: Loss,
  from: Vector,
  factorOf: (curvature: Float64Array) => Cholesky,
): Vector {
  let theta = from;
  let value = risk.value(loss, theta);
  for (let iteration = 0; iteration < 30; iteration++) {
    const { gradient, curvature } = risk.derivatives(loss, theta);
    const step = factorOf(curvature).solve(gradient);
    let share = 1;
    let next = theta;
    let reached = value;
    do {
      next = addScaled(theta, -share, step);
      reached = risk.value(loss, next);
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

function refuseLarge({ columns }: SampleBatch, names: readonly string[]): never {
  const large = columns.flatMap((column, j) =>
    column.some(value => Math.abs(value) > 1e150) ? [JSON.stringify(names[j] ?? j)] : [],
  );
  throw new ArgumentError(
    `values are too large to square${large.length > 0 ? `, in column ${large.join(', ')}` : ''}; divide them by a power of ten`,
  );
}

function refuseCollinear(batch: SampleBatch, names: readonly string[], intercept: boolean): never {
  const whole = intercept ? wholeText(batch, names) : undefined;
  if (whole !== undefined) {
    throw new ArgumentError(
      `every pilot row has one of the declared levels of ${JSON.stringify(whole)}, which add up to the intercept; drop a level from --categorical, or give --no-intercept`,
    );
  }
  throw new ArgumentError(
    `the features${names.length > 0 ? ` ${names.join(', ')}` : ''} are collinear in the pilot rows; leave one of them out of --features, or add --ridge`,
  );
}

/** A text whose declared levels (`text=level`) leave no row without one. */
function wholeText({ rows, columns, weights }: SampleBatch, names: readonly string[]): string | undefined {
  const texts = new Map<string, Float64Array[]>();
  names.forEach((name, j) => {
    const text = name.slice(0, Math.max(0, name.indexOf('=')));
    if (text !== '') texts.set(text, [...(texts.get(text) ?? []), columns[j]!]);
  });
  const fillsRow = (levels: readonly Float64Array[], i: number): boolean =>
    weights?.[i] === 0 || levels.reduce((sum, level) => sum + level[i]!, 0) === 1;
  const fills = (levels: readonly Float64Array[]): boolean =>
    Array.from({ length: rows }, (_, i) => i).every(i => fillsRow(levels, i));
  return [...texts].find(([, levels]) => fills(levels))?.[0];
}
