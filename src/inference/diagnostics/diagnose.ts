import type { Coordinates } from '../../math/coordinates.ts';
import { meanOf } from '../../math/median.ts';
import { slopeOfSlope } from '../../method/loss/loss.ts';
import type { SampleBatch } from '../../sample/sampleBatch.ts';
import { hasPilotEstimate } from '../pilot/firstEstimate.ts';
import type { FittedStudy } from '../pilot/fittedStudy.ts';
import { collinearColumns } from './columns/collinearColumns.ts';
import { droppedColumns } from './columns/droppedColumns.ts';
import { codedRows, type MissingCode, missingCodes } from './columns/missingCodes.ts';
import { unboundedColumns } from './columns/unboundedColumns.ts';
import { rareColumns, weakCoefficients } from './columns/weakCoefficients.ts';
import { hasConcentratedCurvature } from './leverage/concentration.ts';
import { highLeverage } from './leverage/highLeverage.ts';
import { exactShare } from './residuals/exactFit.ts';
import { leastSquaresContrast } from './residuals/leastSquaresContrast.ts';
import { OUTLIER_SCALES, redescendingFit, weightlessShare } from './residuals/outliers.ts';
import { skewOf } from './residuals/skew.ts';
import { duplicateShare } from './rows/duplicateRows.ts';
import { largestWeightShare } from './rows/rowOrder.ts';
import { censoredTargets } from './targets/censoredTargets.ts';
import { extremeCounts } from './targets/extremeCounts.ts';
import { fewEvents } from './targets/fewEvents.ts';
import { rareTargets } from './targets/rareTargets.ts';
import { classCodes, twoValues } from './targets/targetValues.ts';

/**
 * What the pilot's rows show at the first estimate. Every finding stands in a file with its thresholds and with the
 * sentence that tells it; `explainEstimate.ts` lists the sentences.
 */
export interface Diagnosis {
  readonly rows: ReturnType<typeof rowFindings>;
  readonly columns: ReturnType<typeof columnFindings>;
  readonly targets: ReturnType<typeof targetFindings>;
  readonly residuals: ReturnType<typeof residualFindings>;
  readonly leverage: ReturnType<typeof leverageFindings>;
}

/** `given` are the pilot's rows, including those of weight 0; the coordinates are those of its estimate. */
export function diagnose(
  given: SampleBatch,
  fitted: FittedStudy,
  scale: { readonly coordinates: Coordinates; readonly meanWeight: number },
): Diagnosis {
  const columns = columnFindings(fitted, scale);
  return {
    rows: rowFindings(given, fitted),
    columns,
    targets: targetFindings(fitted),
    residuals: residualFindings(fitted, columns.missingCodes),
    leverage: leverageFindings(fitted),
  };
}

const rowFindings = (given: SampleBatch, fitted: FittedStudy) => ({
  count: given.rows,
  /** The number of rows with a weight above 0. */
  positiveWeight: fitted.rows.rows,
  largestWeightShare: largestWeightShare(fitted),
  duplicateShare: duplicateShare(fitted.rows),
});

function columnFindings(fitted: FittedStudy, scale: Parameters<typeof diagnose>[2]) {
  const rare = rareColumns(fitted);
  return {
    /** Beside an intercept, columns with one value in all rows of positive weight. */
    constant: fitted.standardized.constant,
    dropped: droppedColumns(fitted),
    collinear: collinearColumns(fitted),
    rare,
    weak: weakCoefficients(fitted, scale).filter(({ column }) => !rare.some(other => other.column === column)),
    unbounded: unboundedColumns(fitted),
    missingCodes: missingCodes(fitted.rows),
  };
}

function targetFindings(fitted: FittedStudy) {
  const { rows, estimate } = fitted;
  const { target } = rows;
  const isLinear = estimate.residualScale > 0;
  return {
    /** The target where all rows of positive weight have the same; null otherwise. */
    constant: target.every(value => value === target[0]) ? target[0]! : null,
    // Those below are of linear targets.
    twoValues: isLinear ? twoValues(rows) : null,
    rareTargets: isLinear ? rareTargets(target) : null,
    classCodes: isLinear ? classCodes(target) : null,
    censoringBounds: isLinear ? censoredTargets(rows) : [],
    areCounts: isLinear && target.every(value => value >= 0 && Number.isInteger(value)),
    /** Whether every target has a logarithm. */
    arePositive: isLinear && target.every(value => value > 0),
    // And these of classes and counts.
    extremeCounts: extremeCounts(fitted),
    ...fewEvents(fitted),
  };
}

/** For classes and counts: without outliers. */
function residualFindings(fitted: FittedStudy, codes: readonly MissingCode[]) {
  const { study, rows, estimate, t, risk, curvature } = fitted;
  const { residualScale: scale } = estimate;
  if (!(scale > 0)) return NO_RESIDUALS;
  const { loss } = estimate.loss;
  const residuals = risk.residuals(t, new Float64Array(rows.rows));
  const limit = OUTLIER_SCALES * scale;
  const isFar = residuals.map(residual => (Math.abs(residual) > limit ? 1 : 0));
  const isRobust = hasPilotEstimate(loss);
  const redescending = redescendingFit(fitted);
  return {
    /** 1.4826 times the median absolute residual, or 1.2533 times the mean one where most targets are the same. */
    scale,
    /** The share of rows, by weight, with residuals beyond OUTLIER_SCALES scales. */
    outlierShare: meanOf(isFar, study.weights),
    ...codedRows(rows, residuals, { codes, redescending, limit, weights: study.weights }),
    /** The share of rows, by weight, that a redescending fit gives no weight. */
    weightlessShare: redescending === null ? 0 : weightlessShare(redescending, study.weights),
    /** The mean of the residuals, by weight: by how much predictions are too low on average. */
    meanResidual: meanOf(residuals, study.weights),
    exactShare: exactShare(rows.target, residuals, rows.weights),
    /**
     * The curvature of a robust loss at residual 0 over its mean: a row that the fit goes through seems to be this many
     * times as informative as others. 1 for other losses.
     */
    peakCurvatureRatio:
      isRobust && curvature.total > 0 ? Math.max(1, (slopeOfSlope(loss, 0, 0) * rows.rows) / curvature.total) : 1,
    skew: isRobust ? skewOf(residuals, { weights: rows.weights, scale, reach: OUTLIER_SCALES }) : 0,
    leastSquaresContrast: isRobust ? leastSquaresContrast(fitted, limit) : null,
  };
}

const NO_RESIDUALS = {
  scale: 0,
  outlierShare: 0,
  uncodedOutlierShare: 0,
  rejectedCodes: [],
  weightlessShare: 0,
  uncodedWeightlessShare: 0,
  meanResidual: 0,
  exactShare: 0,
  peakCurvatureRatio: 1,
  skew: 0,
  leastSquaresContrast: null,
};

function leverageFindings(fitted: FittedStudy) {
  const high = highLeverage(fitted);
  return {
    highLeverage: high,
    /** sqrt(sum of d^4) / sum of d^2 of the leverages d^2: near 1 where one row has most of it. */
    concentration: high?.concentration ?? fitted.estimate.concentration ?? 0,
    isCurvatureConcentrated: hasConcentratedCurvature(fitted, high),
  };
}
