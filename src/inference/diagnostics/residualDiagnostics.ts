/** What residuals at the first estimate show of a linear model's noise and outliers. */

import { meanOf } from '../../math/median.ts';
import { slopeOfSlope } from '../../method/loss/loss.ts';
import type { FittedStudy } from '../pilot/fittedStudy.ts';
import { hasPilotEstimate } from '../pilot/hasPilotEstimate.ts';
import { codedRows } from './codedRows.ts';
import { exactShare } from './exactShare.ts';
import { type LeastSquaresContrast, leastSquaresContrast } from './leastSquaresContrast.ts';
import type { MissingCode } from './missingCodes.ts';
import { type RejectedGroup, rejectedGroups } from './rejectedGroups.ts';
import { type RejectedRows, rejectedRows } from './rejectedRows.ts';
import { skewOf } from './skew.ts';

/** The same as if there were no outliers for targets that are not linear. */
export interface ResidualDiagnostics {
  /**
   * 1.4826 times the median absolute residual, or 1.2533 times the mean one where most targets are the same; 0 for
   * targets that are not linear.
   */
  readonly scale: number;
  /** Share of rows with residuals beyond OUTLIER_SCALES scales. */
  readonly outlierShare: number;
  /** The same without rows that have a code for a missing value (codedRows.ts). */
  readonly uncodedOutlierShare: number;
  /** Columns with such codes whose rows the loss rejects. */
  readonly rejectedCodes: readonly number[];
  /** Rows without such codes that the loss rejects; null where these are few, and for losses that reject none. */
  readonly rejectedRows: RejectedRows | null;
  /** Columns that mostly have one value, where the loss rejects a good part of the rows that have another. */
  readonly rejectedGroups: readonly RejectedGroup[];
  /** The same for extreme values of other columns. */
  readonly rejectedExtremes: readonly RejectedGroup[];
  /** Share of rows that the fit goes through but for rounding (exactShare.ts). */
  readonly exactShare: number;
  /**
   * The curvature of a robust loss at residual 0 over its mean: a row that the fit goes through seems to be this many
   * times as informative as others. 1 for other losses.
   */
  readonly peakCurvatureRatio: number;
  /**
   * How much further residuals reach above a robust fit than below it, from -1 to 1 (skew.ts); 0 where that is slight,
   * and for other losses.
   */
  readonly skew: number;
  /**
   * Where least squares without outliers has significantly different slopes (leastSquaresContrast.ts); null where it
   * has not, for losses that are not robust, and beside a penalty.
   */
  readonly leastSquaresContrast: LeastSquaresContrast | null;
}

/** One normal residual in five hundred million is beyond that many scales. */
export const OUTLIER_SCALES = 6;

/** Losses that give distant rows almost no weight, or none. */
const REDESCENDING = ['tukey', 'geman-mcclure'];

const NOT_LINEAR: ResidualDiagnostics = {
  scale: 0,
  outlierShare: 0,
  uncodedOutlierShare: 0,
  rejectedCodes: [],
  rejectedRows: null,
  rejectedGroups: [],
  rejectedExtremes: [],
  exactShare: 0,
  peakCurvatureRatio: 1,
  skew: 0,
  leastSquaresContrast: null,
};

export function residualDiagnostics(
  { study, rows, standardized, estimate, t, weights, risk, curvature }: FittedStudy,
  codes: readonly MissingCode[],
): ResidualDiagnostics {
  const { loss: named, residualScale: scale } = estimate;
  if (!(scale > 0)) return NOT_LINEAR;
  const { loss } = named;
  const { toTheta } = standardized;
  const { batch, penalties } = study;
  const residuals = risk.residuals(t, new Float64Array(batch.rows));
  const limit = OUTLIER_SCALES * scale;
  const isRobust = hasPilotEstimate(loss);
  const isRedescending = REDESCENDING.includes(named.name);
  const isCoded = (row: number): boolean =>
    codes.some(({ column, value }) => rows.columns[column]![row] === value);
  const rejected = isRedescending
    ? rejectedRows(study, { loss, t, weights, residuals, scale, isCoded: codes.length > 0 ? isCoded : null })
    : null;
  const groups = (of: 'levels' | 'numbers'): readonly RejectedGroup[] =>
    isRedescending ? rejectedGroups(batch, residuals, { loss, of }) : [];
  const contrast =
    isRobust && penalties.every(penalty => penalty === 0)
      ? leastSquaresContrast(study, { loss, t, weights, reach: limit })
      : null;
  return {
    scale,
    outlierShare: shareBeyond(limit, residuals, study.weights),
    ...codedRows(rows, residuals, {
      codes,
      loss: isRedescending ? loss : null,
      limit,
      weights: study.weights,
    }),
    rejectedRows: rejected && {
      ...rejected,
      huber: rejected.huber && toTheta(rejected.huber),
      unmovedHuber: rejected.unmovedHuber && toTheta(rejected.unmovedHuber),
    },
    rejectedGroups: groups('levels'),
    rejectedExtremes: groups('numbers'),
    exactShare: exactShare(rows.target, residuals, rows.weights),
    peakCurvatureRatio:
      isRobust && curvature.total > 0
        ? Math.max(1, (slopeOfSlope(loss, 0, 0) * batch.rows) / curvature.total)
        : 1,
    skew: isRobust ? skewOf(residuals, { weights: rows.weights, scale, reach: OUTLIER_SCALES }) : 0,
    leastSquaresContrast: contrast && { ...contrast, theta: toTheta(contrast.theta) },
  };
}

const shareBeyond = (limit: number, values: Float64Array, weights: Float64Array): number =>
  meanOf(
    values.map(value => (Math.abs(value) > limit ? 1 : 0)),
    weights,
  );
