import { meanOf } from '../../../math/median.ts';
import { dot, times, type Vector } from '../../../math/vector.ts';
import type { Loss } from '../../../method/loss/loss.ts';
import { squared } from '../../../method/loss/squared.ts';
import type { FittedStudy } from '../../pilot/fittedStudy.ts';
import { curvatureFactor, solveBy } from '../../pilot/risk/curvatureFactor.ts';
import { minimize } from '../../pilot/risk/minimize.ts';
import { type WeightedRisk, weightedRisk } from '../../pilot/risk/weightedRisk.ts';
import { concentrationOf, leverageOf } from '../../pilot/robust/leverage.ts';
import { type Study, tellingRows } from '../../pilot/standardized.ts';
import { digits, percent, quoted, type Tell } from '../notes.ts';
import { LEAST_FAR } from '../residuals/outliers.ts';

export interface HighLeverage {
  /** By weight. */
  readonly share: number;
  /** The threshold of d. */
  readonly beyond: number;
  /** The estimate over the other rows; null where it differs from that over all rows by no more than chance. */
  readonly without: Vector | null;
  /** The feature whose coefficient differs most, in standard errors. */
  readonly most: number;
  /** sqrt(sum of d^4) / sum of d^2. */
  readonly concentration: number;
}

/**
 * High-leverage rows, and the estimate without them. A loss that weights rows by their residuals alone gives these full
 * weight: a few that disagree with the others reverse an estimate, and no interval shows it.
 *
 *   high leverage   d > 3 + sqrt p, beyond which fewer than one row in a thousand of p normal features lies
 *   t -> t_in       the estimate over all rows, and over those without high leverage
 *
 * If the model holds, omitting rows by their features does not change what is estimated. So by Hausman's test
 * (Econometrica 1978) the two differ by no more than chance,
 *
 *   (t - t_in)'A(t - t_in) is about tr A(V + V_in),   V = H^-1 B H^-1/n,   B = mean of w^2 slope^2 x x'
 *
 *   A -> inner.curvature, H -> the curvature of either, w -> weights
 *
 * or else the high-leverage rows are not part of the population. Columns that are mostly one value, such as indicators,
 * have no spread around it; in them the distance is the standardized value.
 *
 * Null for a blend and for a loss that bounds the influence of such rows, and where there is no finite estimate.
 */
export function highLeverage({
  study: given,
  standardized,
  estimate: { loss: named, t, isSeparated = false, blend },
}: FittedStudy): HighLeverage | null {
  if (isSeparated || blend !== undefined || !UNBOUNDED_INFLUENCE.includes(named.name)) return null;
  const { loss } = named;
  // Rows that reverse an estimate shift it by many standard errors of a sample of this size.
  const study = tellingRows(given);
  const { batch, weights, intercept, penalties } = study;
  const { squares, beyond } = distances(study);
  const concentration = concentrationOf(squares);
  const isFar = squares.map(square => (square > beyond ** 2 ? 1 : 0));
  const share = meanOf(isFar, weights);
  if (!(share >= LEAST_SHARE)) return { share, beyond, without: null, most: 0, concentration };

  // A ridge worth one row, because the classes of the other rows may be separated.
  const held = penalties.map((penalty, j) => (j < batch.columns.length ? penalty + 1 / batch.rows : penalty));
  const near = { ...study, penalties: held, weights: weights.map((weight, i) => weight * (1 - isFar[i]!)) };
  const all = { ...study, penalties: held };
  const fullRisk = weightedRisk(batch, all);
  const nearRisk = weightedRisk(batch, near);
  const full = minimize(fullRisk, loss, t, { intercept });
  const inner = minimize(nearRisk, loss, full, { intercept });
  const { curvature } = nearRisk.derivatives(loss, inner);
  const square = (of: Vector): number => dot(of, times(curvature, of));
  // The sum of products of symmetric matrices is the trace of the product.
  const ofInner = variance(near, nearRisk, loss, inner);
  const variances = variance(all, fullRisk, loss, full).map((value, i) => value + ofInner[i]!);
  const chance = dot(curvature, variances);
  const difference = full.map((value, j) => value - inner[j]!);
  const moved = square(difference);
  const signal = square(inner.map((value, j) => (j < batch.columns.length ? value : 0)));
  const differs = moved > BY_CHANCE ** 2 * chance && moved > MATERIAL ** 2 * signal;
  const sizes = difference
    .subarray(0, batch.columns.length)
    .map((value, j) => value ** 2 / Math.max(variances[j * (t.length + 1)]!, Number.MIN_VALUE));
  const most = sizes.indexOf(Math.max(...sizes));
  return { share, beyond, without: differs ? standardized.toTheta(inner) : null, most, concentration };
}

/** Losses that give a row full influence whatever its leverage. */
const UNBOUNDED_INFLUENCE = ['logistic', 'poisson', 'squared', 'pseudo-huber'];

/** Fewer reverse an estimate only where they are so extreme that blocks differ by them. */
const LEAST_SHARE = 0.001;

/** In standard errors. */
const BY_CHANCE = 4;

/** As a share of what all features together explain. */
const MATERIAL = 0.1;

/** d^2 of every row, and the threshold of d. */
function distances({ batch, weights, intercept }: Study): { squares: Float64Array; beyond: number } {
  const { rows, columns } = batch;
  const isTied = (column: Float64Array): boolean =>
    2 * column.reduce((count, value) => (value === 0 ? count + 1 : count), 0) >= rows;
  const spread = columns.filter(column => !isTied(column));
  const beyond = 3 + Math.sqrt(spread.length);
  const measured = { ...batch, columns: spread };
  const squares =
    spread.length === 0 ? new Float64Array(rows) : leverageOf(measured, weights, intercept).squares(spread, rows);
  for (const column of columns) if (!spread.includes(column)) raise(squares, column);
  return { squares, beyond };
}

/** A function of its own, so that it is compiled once for all columns. */
function raise(squares: Float64Array, column: Float64Array): void {
  for (let i = 0; i < squares.length; i++) squares[i] = Math.max(squares[i]!, column[i]! ** 2);
}

/** H^-1 B H^-1/n, row-major. */
function variance({ batch, weights, intercept }: Study, risk: WeightedRisk, loss: Loss, t: Vector): Vector {
  const { rows, target } = batch;
  const size = t.length;
  const residuals = risk.residuals(t, new Float64Array(rows));
  const slopes = residuals.map((residual, i) => (weights[i]! * loss.slope(target[i]! - residual, target[i]!)) ** 2);
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

/**
 * Rows that disagree with the others under a loss that gives them full weight. Codes for missing values are extreme, and
 * told of as what they are; so are outliers that pull least squares.
 */
export const highLeverageNotes: Tell = ({ pilot, loss, isLossOpen }, { names }) => {
  const { residuals, columns } = pilot;
  const { highLeverage } = pilot.leverage;
  if (!highLeverage?.without || columns.missingCodes.length > 0) return null;
  if (loss.name === 'squared' && residuals.outlierShare >= LEAST_FAR) return null;
  const { share, beyond, most } = highLeverage;
  const advice =
    loss.loss.targets.least === -Infinity && !isLossOpen
      ? "check them, or try `loss: 'auto'`"
      : 'fix or remove those that are errors';
  return `${percent(share)} of the pilot rows have high leverage, beyond ${digits(beyond)} scales, and disagree with the others by more than chance, most about ${quoted(most, names)}; ${advice}`;
};
