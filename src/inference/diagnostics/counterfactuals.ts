/**
 * What single coefficients would be without some rows, or with other weights or another loss. Several analyses of the
 * same coefficient may disagree, so that each coefficient has one alternative at most: that of the first in this list.
 *
 * - Without extreme counts (extremeCounts.ts).
 * - Without high-leverage rows that disagree with the others (highLeverage.ts).
 * - Including rejected rows (rejectedRows.ts); after least squares where no slope moves by two standard errors.
 * - By least squares (leastSquaresContrast.ts).
 * - With high-leverage rows down-weighted that agree with the others (leverageReliance.ts).
 */
import type { FittedRun } from '../fittedRun.ts';
import type { Pilot } from '../pilot/pilot.ts';

export interface Counterfactual {
  readonly column: number;
  readonly value: number;
}

export interface Counterfactuals {
  readonly extremeCounts: Counterfactual | null;
  readonly highLeverage: Counterfactual | null;
  readonly rejectedRows: RejectedRowsIncluded | null;
  readonly leastSquares: Counterfactual | null;
  readonly reliance: Counterfactual | null;
}

export interface RejectedRowsIncluded {
  /** Whether a slope changes by more than two standard errors. */
  readonly isMoved: boolean;
  /** The slope that changes most, in standard errors; null where another alternative of it is reported. */
  readonly most: Counterfactual | null;
}

/** In standard errors. */
const LEAST_SHIFT = 2;

export function counterfactuals(found: FittedRun, pilot: Pilot): Counterfactuals {
  const taken = new Set<number>();
  const once = <C extends Counterfactual>(given: C | null): C | null => {
    if (given === null || taken.has(given.column)) return null;
    taken.add(given.column);
    return given;
  };
  const extremeCounts = once(withoutExtremeCounts(pilot));
  const highLeverage = once(withoutHighLeverage(found, pilot));
  const included = withRejectedRows(found, pilot);
  const moved = included?.isMoved ? once(included.most) : null;
  const leastSquares = once(byLeastSquares(found, pilot));
  return {
    extremeCounts,
    highLeverage,
    rejectedRows: included && { ...included, most: moved ?? once(included.most) },
    leastSquares,
    // Rows that disagree with the others do not agree with them as well.
    reliance: highLeverage === null ? once(downWeighted(pilot)) : null,
  };
}

function withoutExtremeCounts({ targets: { extremeCounts } }: Pilot): Counterfactual | null {
  if (extremeCounts === null) return null;
  const { most, without } = extremeCounts;
  return { column: most, value: without[most]! };
}

/** From this share on, rows that pull a least-squares fit have residuals beyond 6 scales and are reported as such. */
export const LEAST_FAR = 0.002;

/** Null also where rows have a code for a missing value, which is extreme and reported as what it is. */
function withoutHighLeverage(
  { loss }: FittedRun,
  { leverage: { highLeverage }, residuals, columns }: Pilot,
): Counterfactual | null {
  if (!highLeverage?.estimates || columns.missingCodes.length > 0) return null;
  if (loss.name === 'squared' && residuals.outlierShare >= LEAST_FAR) return null;
  const { most, estimates } = highLeverage;
  return { column: most, value: estimates.without[most]! };
}

function withRejectedRows(
  { fit, uncertainty, plan }: FittedRun,
  { residuals: { rejectedRows, exactShare } }: Pilot,
): RejectedRowsIncluded | null {
  const huber = rejectedRows?.huber ?? rejectedRows?.unmovedHuber;
  // Where a line goes through most rows, residuals have no scale.
  if (!huber || exactShare > 0.5) return null;
  if (uncertainty === null) {
    const { most } = rejectedRows!;
    return { isMoved: rejectedRows!.huber !== null, most: { column: most, value: huber[most]! } };
  }
  const sizes = uncertainty.errors
    .subarray(0, plan.features)
    .map((error, j) => (error > 0 ? Math.abs(huber[j]! - fit.theta[j]!) / error : 0));
  const column = sizes.indexOf(Math.max(...sizes));
  return { isMoved: sizes[column]! > LEAST_SHIFT, most: { column, value: huber[column]! } };
}

/**
 * Where the interval would not cover it. Null also beside codes for missing values and censored targets, which change
 * least squares and are reported as what they are.
 */
function byLeastSquares(
  { fit, uncertainty }: FittedRun,
  { residuals: { leastSquaresContrast }, columns, targets }: Pilot,
): Counterfactual | null {
  const isExplained = columns.missingCodes.length > 0 || targets.censoringBounds.length > 0;
  if (leastSquaresContrast === null || isExplained) return null;
  const { theta, most: column } = leastSquaresContrast;
  const difference = Math.abs(theta[column]! - fit.theta[column]!);
  return uncertainty !== null && difference <= LEAST_SHIFT * uncertainty.errors[column]!
    ? null
    : { column, value: theta[column]! };
}

function downWeighted({ leverage: { reliance } }: Pilot): Counterfactual | null {
  if (reliance === null) return null;
  const { column, downWeighted: theta } = reliance;
  return { column, value: theta[column]! };
}
