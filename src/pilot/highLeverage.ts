/**
 * Rows that lie far out in their features, and what a fit would be without them. A loss that counts rows by their
 * residuals alone counts these fully: a few of them that do not follow the others turn an estimate around, and no
 * interval tells.
 *
 *   far out      d > 3 + sqrt p, beyond which fewer than one row in a thousand of p normal features lies
 *   t -> t_in    the estimate over all rows, and over those that are not far out
 *
 * Leaving rows out by their features alone changes nothing that is estimated where the model holds (Hausman,
 * Econometrica 1978), so that they differ by no more than chance,
 *
 *   (t - t_in)'A(t - t_in) is about tr A(V + V_in),   V = H^-1 B H^-1/n,   B = mean of w^2 slope^2 x x'
 *
 *   A -> inner.curvature, H -> the curvature of either, w -> weights
 *
 * or else the far rows follow a law of their own. Columns that are mostly one value, as those of 0 and 1 are, have no
 * spread around it that rows could be held against; of them, rows are far out by what they themselves have.
 */
import type { Loss } from '../loss/loss.ts';
import { squared } from '../loss/squared.ts';
import { meanOf } from '../math/meanOf.ts';
import { times } from '../math/times.ts';
import { dot, type Vector } from '../math/vector.ts';
import { rowsBetween } from '../sample/sampleBatch.ts';
import { curvatureFactor, solveBy } from './curvatureFactor.ts';
import { concentrationOf, leverageOf } from './leverage.ts';
import { minimize } from './minimize.ts';
import type { Study } from './study.ts';
import { type WeightedRisk, weightedRisk } from './weightedRisk.ts';

export interface HighLeverage {
  /** Of the rows, as often as they count. */
  readonly share: number;
  /** In scales of the features together. */
  readonly beyond: number;
  /** The estimates over the other rows and over all alike, where they differ by more than chance explains. */
  readonly estimates: { readonly without: Vector; readonly all: Vector } | null;
  /** The feature whose coefficient differs most. */
  readonly most: number;
  /** sqrt(sum of d^4) / sum of d^2. */
  readonly concentration: number;
}

/** Of rows in standardized units, for an estimate of a convex loss that is at, or near, t. */
export function highLeverage(given: Study, loss: Loss, t: Vector): HighLeverage {
  const rows = Math.min(given.batch.rows, Math.max(ENOUGH_ROWS, 50 * t.length));
  const study = {
    ...given,
    batch: rowsBetween(given.batch, 0, rows),
    weights: given.weights.subarray(0, rows),
  };
  const { batch, weights, intercept, penalties } = study;
  const { squares, beyond } = distances(study);
  const concentration = concentrationOf(squares);
  const isFar = squares.map(square => (square > beyond ** 2 ? 1 : 0));
  const share = meanOf(isFar, weights);
  if (!(share >= LEAST_SHARE)) return { share, beyond, estimates: null, most: 0, concentration };

  // As much as one more row would count: the others may have their classes apart.
  const held = penalties.map((penalty, j) => (j < batch.columns.length ? penalty + 1 / batch.rows : penalty));
  const near = { ...study, penalties: held, weights: weights.map((weight, i) => weight * (1 - isFar[i]!)) };
  const all = { ...study, penalties: held };
  const fullRisk = weightedRisk(batch, all);
  const nearRisk = weightedRisk(batch, near);
  const full = minimize(fullRisk, loss, t, { intercept });
  const inner = minimize(nearRisk, loss, full, { intercept });
  const { curvature } = nearRisk.derivatives(loss, inner);
  const square = (of: Vector): number => dot(of, times(curvature, of));
  // Of symmetric matrices, the sum of products is the trace of the product.
  const chance =
    dot(curvature, variance(all, fullRisk, loss, full)) +
    dot(curvature, variance(near, nearRisk, loss, inner));
  const difference = full.map((value, j) => value - inner[j]!);
  const moved = square(difference);
  const signal = square(inner.map((value, j) => (j < batch.columns.length ? value : 0)));
  const differs = moved > BY_CHANCE ** 2 * chance && moved > MATERIAL ** 2 * signal;
  const sizes = difference.subarray(0, batch.columns.length).map(Math.abs);
  const most = sizes.indexOf(Math.max(...sizes));
  const estimates = differs ? { without: inner, all: full } : null;
  return { share, beyond, estimates, most, concentration };
}

/** To see what matters: far rows that turn an estimate around are many standard errors of so many rows. */
const ENOUGH_ROWS = 20_000;

/** Fewer turn an estimate around only where they are so far out that blocks differ by it. */
const LEAST_SHARE = 0.001;

/** In standard errors. */
const BY_CHANCE = 4;

/** Of what all features together explain. */
const MATERIAL = 0.1;

/** d^2 of every row, and the d from which on rows are far out. */
function distances({ batch, weights, intercept }: Study): { squares: Float64Array; beyond: number } {
  const { rows, columns } = batch;
  const isTied = (column: Float64Array): boolean =>
    2 * column.reduce((count, value) => (value === 0 ? count + 1 : count), 0) >= rows;
  const spread = columns.filter(column => !isTied(column));
  const beyond = 3 + Math.sqrt(spread.length);
  const measured = { ...batch, columns: spread };
  const squares =
    spread.length === 0
      ? new Float64Array(rows)
      : leverageOf(measured, weights, intercept).squares(spread, rows);
  for (const column of columns) if (!spread.includes(column)) raise(squares, column);
  return { squares, beyond };
}

/** In a function of its own, which is compiled once for all columns. */
function raise(squares: Float64Array, column: Float64Array): void {
  for (let i = 0; i < squares.length; i++) squares[i] = Math.max(squares[i]!, column[i]! ** 2);
}

/** H^-1 B H^-1/n, row-major. */
function variance({ batch, weights, intercept }: Study, risk: WeightedRisk, loss: Loss, t: Vector): Vector {
  const { rows, target } = batch;
  const size = t.length;
  const residuals = risk.residuals(t, new Float64Array(rows));
  const slopes = residuals.map(
    (residual, i) => (weights[i]! * loss.slope(target[i]! - residual, target[i]!)) ** 2,
  );
  const moments = weightedRisk(batch, { intercept, weights: slopes }).derivatives(squared(), t).curvature;
  const factor = curvatureFactor(risk.derivatives(loss, t).curvature, size, intercept);
  const half = solveRows(moments);
  return solveRows(half).map(value => value / rows);

  /** The transpose of H^-1 M. */
  function solveRows(matrix: Float64Array): Float64Array {
    const solved = new Float64Array(size * size);
    for (let k = 0; k < size; k++) {
      const column = Float64Array.from({ length: size }, (_, i) => matrix[i * size + k]!);
      solved.set(solveBy(factor, column), k * size);
    }
    return solved;
  }
}
