import type { Coordinates } from '../../math/coordinates.ts';
import { meanOf } from '../../math/median.ts';
import { maxNorm } from '../../math/vector.ts';
import { isGlm } from '../../method/loss/glm.ts';
import { slopeOfSlope } from '../../method/loss/loss.ts';
import type { SampleBatch } from '../../sample/sampleBatch.ts';
import { hasPilotEstimate } from '../pilot/firstEstimate.ts';
import type { FittedStudy } from '../pilot/fittedStudy.ts';
import { type CollinearColumns, collinearColumns } from './columns/collinearColumns.ts';
import { type DroppedColumn, droppedColumns } from './columns/droppedColumns.ts';
import { codedRows, type MissingCode, missingCodes } from './columns/missingCodes.ts';
import { unboundedColumns } from './columns/unboundedColumns.ts';
import {
  FAR_FEWER,
  FEW_ROWS,
  type RareColumn,
  rareColumns,
  type WeakCoefficient,
  weakCoefficients,
} from './columns/weakCoefficients.ts';
import { hasConcentratedCurvature } from './leverage/concentration.ts';
import { type HighLeverage, highLeverage } from './leverage/highLeverage.ts';
import type { LeverageReliance } from './leverage/leverageReliance.ts';
import { exactShare } from './residuals/exactFit.ts';
import { type LeastSquaresContrast, leastSquaresContrast } from './residuals/leastSquaresContrast.ts';
import {
  OUTLIER_SCALES,
  REDESCENDING,
  type RejectedRows,
  rejectedRows,
  shareBeyond,
} from './residuals/outliers.ts';
import { type RejectedGroup, rejectedGroups } from './residuals/rejectedGroups.ts';
import { skewOf } from './residuals/skew.ts';
import { duplicateShare } from './rows/duplicateRows.ts';
import { type CensoringBound, censoredTargets } from './targets/censoredTargets.ts';
import { type ExtremeCounts, extremeCounts } from './targets/extremeCounts.ts';
import { EVENTS_PER_COEFFICIENT, rarerIn } from './targets/fewEvents.ts';
import { type ClassCodes, classCodes, twoValues } from './targets/targetValues.ts';

export interface ColumnDiagnostics {
  /** Beside an intercept, columns with one value in all rows of positive weight. */
  readonly constant: readonly number[];
  /** Columns without a coefficient of their own, and why; none where there is a penalty. */
  readonly dropped: readonly DroppedColumn[];
  /** Groups of nearly collinear columns. */
  readonly collinear: readonly CollinearColumns[];
  /** Columns that leave their usual value in so few rows that the curvature along them is rough. */
  readonly rare: readonly RareColumn[];
  /** Other coefficients that few rows determine, as where few rows have the reference level of a text. */
  readonly weak: readonly WeakCoefficient[];
  /** Columns along which a generalized linear model has no finite estimate. */
  readonly unbounded: readonly number[];
  readonly missingCodes: readonly MissingCode[];
}

/** Columns that the rows determine poorly or not at all, and columns with codes for missing values. */
export function columnDiagnostics(
  fitted: FittedStudy,
  { coordinates, meanWeight }: { readonly coordinates: Coordinates; readonly meanWeight: number },
): ColumnDiagnostics {
  const { study, rows, standardized, estimate, weights, risk, curvature, factor } = fitted;
  const { batch, penalties, intercept } = study;
  const { loss, isSeparated = false } = estimate;
  const { constant } = standardized;
  const meanCurvature = curvature.total / batch.rows;
  const rare = rareColumns(batch, { constant, few: FEW_ROWS });
  const weak = weakCoefficients(
    { ...rows, weights },
    {
      coordinates,
      bend: (meanWeight * curvature.total) / batch.rows,
      few: Math.min(FEW_ROWS, batch.rows / FAR_FEWER),
    },
  );
  const mayBeUnbounded = isGlm(loss) && !isSeparated && penalties.every(penalty => penalty === 0);
  return {
    constant,
    dropped: droppedColumns(rows.columns.length, factor, constant),
    collinear: collinearColumns(curvature.matrix, { factor, intercept, columns: rows.columns }),
    rare,
    weak: weak.filter(({ column }) => !rare.some(other => other.column === column)),
    unbounded: mayBeUnbounded
      ? unboundedColumns(risk, { loss: loss.loss, t: estimate.t, bend: meanCurvature, intercept })
      : [],
    missingCodes: missingCodes(rows),
  };
}

/** For linear targets, unless said otherwise. */
export interface TargetDiagnostics {
  /** The target where all rows of positive weight have the same, for any loss; null otherwise. */
  readonly constant: number | null;
  /** The targets where they have just two values; null otherwise. */
  readonly twoValues: readonly [number, number] | null;
  /** Bounds that many targets equal exactly though the others hardly have ties (censoredTargets.ts). */
  readonly censoringBounds: readonly CensoringBound[];
  /** Whether every target is a whole number of 0 or more. */
  readonly areCounts: boolean;
  /** Whether every target is above 0, so that it has a logarithm. */
  readonly arePositive: boolean;
  /** Targets that may be codes of classes (classCodes.ts); null otherwise. */
  readonly classCodes: ClassCodes | null;
  /** Counts far beyond all others that move a Poisson fit (extremeCounts.ts); null for other losses. */
  readonly extremeCounts: ExtremeCounts | null;
  /**
   * For generalized linear models: the effective number of events, where a class that is certain adds none; null where
   * there are enough of them.
   */
  readonly fewEvents: number | null;
  /** Rows of the rarer class; null unless events are few and the targets classes. */
  readonly rarerClass: number | null;
}

/** What kind of targets the pilot's rows have: counts, classes, censored values, or too few events. */
export function targetDiagnostics(fitted: FittedStudy): TargetDiagnostics {
  const { study, rows, standardized, estimate, t, curvature } = fitted;
  const { loss, isSeparated = false } = estimate;
  const { target } = rows;
  const extreme = loss.name === 'poisson' && !isSeparated ? extremeCounts(study, loss.loss, t) : null;
  const hasFewEvents =
    isGlm(loss) && !isSeparated && curvature.total < EVENTS_PER_COEFFICIENT * study.penalties.length;
  return {
    constant: target.every(value => value === target[0]) ? target[0]! : null,
    ...(estimate.residualScale > 0 ? linearTargets(rows) : NOT_LINEAR),
    extremeCounts: extreme && { ...extreme, without: standardized.toTheta(extreme.without) },
    fewEvents: hasFewEvents ? Math.max(1, Math.round(curvature.total)) : null,
    rarerClass: hasFewEvents && loss.name === 'logistic' ? rarerIn(target) : null,
  };
}

type LinearTargets = Pick<
  TargetDiagnostics,
  'twoValues' | 'censoringBounds' | 'areCounts' | 'arePositive' | 'classCodes'
>;

const linearTargets = (rows: SampleBatch): LinearTargets => ({
  twoValues: twoValues(rows),
  censoringBounds: censoredTargets(rows),
  areCounts: rows.target.every(value => value >= 0 && Number.isInteger(value)),
  arePositive: rows.target.every(value => value > 0),
  classCodes: classCodes(rows.target),
});

const NOT_LINEAR: LinearTargets = {
  twoValues: null,
  censoringBounds: [],
  areCounts: false,
  arePositive: false,
  classCodes: null,
};

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

/** What residuals at the first estimate show of a linear model's noise and outliers. */
export function residualDiagnostics(
  { study, rows, standardized, estimate, t, weights, risk, curvature }: FittedStudy,
  codes: readonly MissingCode[],
): ResidualDiagnostics {
  const { loss: named, residualScale: scale } = estimate;
  if (!(scale > 0)) return NO_RESIDUALS;
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

const NO_RESIDUALS: ResidualDiagnostics = {
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

export interface LeverageDiagnostics {
  /** Leverage weights of rows; null where rows have their case weights only. */
  readonly rowWeights: ((batch: SampleBatch) => Float64Array) | null;
  /** Share of rows that these weights cut to less than half. */
  readonly downWeightedShare: number;
  /** Where a slope rests on high-leverage rows that have full weight (leverageReliance.ts). */
  readonly reliance: LeverageReliance | null;
  /**
   * High-leverage rows under a loss that does not bound their influence; null for a loss that rejects them, and where
   * there is no finite estimate.
   */
  readonly highLeverage: Omit<HighLeverage, 'concentration'> | null;
  /** sqrt(sum of d^4) / sum of d^2 of the leverages d^2: near 1 where one row has most of it. */
  readonly concentration: number;
  /**
   * Whether a few rows have most of the curvature of a generalized linear model (curvatureConcentration.ts), as where
   * counts grow along a skewed feature.
   */
  readonly isCurvatureConcentrated: boolean;
}

/** High-leverage rows: how they are weighted, and how much of the estimate rests on them. */
export function leverageDiagnostics(fitted: FittedStudy): LeverageDiagnostics {
  const { study, standardized, estimate, weights } = fitted;
  const { leverage, leverageReliance: reliance, loss, isSeparated = false } = estimate;
  const { toTheta } = standardized;
  const found =
    UNBOUNDED_INFLUENCE.includes(loss.name) && !isSeparated
      ? highLeverage(study, loss.loss, estimate.t)
      : null;
  return {
    rowWeights: leverage
      ? batch => leverage.weights(leverage.squares(standardized.columnsOf(batch), batch.rows))
      : null,
    downWeightedShare: meanOf(
      weights.map((weight, i) => (weight < study.weights[i]! / 2 ? 1 : 0)),
      study.weights,
    ),
    reliance: reliance ? { ...reliance, downWeighted: toTheta(reliance.downWeighted) } : null,
    highLeverage: found && {
      ...found,
      estimates: found.estimates && {
        without: toTheta(found.estimates.without),
        all: toTheta(found.estimates.all),
      },
    },
    concentration: found?.concentration ?? estimate.concentration ?? 0,
    isCurvatureConcentrated: isGlm(loss) && !isSeparated && hasConcentratedCurvature(fitted, found),
  };
}

/** Losses that give a row full influence whatever its leverage. */
const UNBOUNDED_INFLUENCE = ['logistic', 'poisson', 'squared', 'pseudo-huber'];

export interface RowDiagnostics {
  readonly count: number;
  /** Rows with a weight above 0. */
  readonly positiveWeight: number;
  /** Share of the total weight that the heaviest row has. */
  readonly largestWeightShare: number;
  /** Share of rows that duplicate another (duplicateShare.ts); 0 where ties are to be expected. */
  readonly duplicateShare: number;
}

/**
 * How many rows the pilot has, how unequal their weights are, and how many are duplicates.
 *
 * `given` are the pilot's rows, those of weight 0 among them.
 */
export const rowDiagnostics = (given: SampleBatch, { study, rows }: FittedStudy): RowDiagnostics => ({
  count: given.rows,
  positiveWeight: rows.rows,
  largestWeightShare: maxNorm(study.weights) / study.weights.reduce((sum, weight) => sum + weight, 0),
  duplicateShare: duplicateShare(rows),
});
