/** What a few rows that no step uses again tell before a run (studyPilot.ts). */
import type { NamedLoss } from '../loss/lossByName.ts';
import type { Coordinates } from '../math/coordinates.ts';
import type { Vector } from '../math/vector.ts';
import type { SampleBatch } from '../sample/sampleBatch.ts';
import type { CensoringBound } from './censoredTargets.ts';
import type { ClassCodes } from './classCodes.ts';
import type { CollinearColumns } from './collinearColumns.ts';
import type { DroppedColumn } from './droppedColumns.ts';
import type { ExtremeCounts } from './extremeCounts.ts';
import type { HighLeverage } from './highLeverage.ts';
import type { LeastSquaresContrast } from './leastSquaresContrast.ts';
import type { LeverageReliance } from './leverageReliance.ts';
import type { MissingCode } from './missingCodes.ts';
import type { RareColumn } from './rareColumns.ts';
import type { RejectedGroup } from './rejectedGroups.ts';
import type { RejectedRows } from './rejectedRows.ts';
import type { WeakCoefficient } from './weakCoefficients.ts';

export interface Pilot {
  readonly rows: number;
  /** How many of them count at all. */
  readonly positiveWeightRows: number;
  readonly loss: NamedLoss;
  /** A first estimate, with the intercept last where there is one. */
  readonly start: Vector;
  /** Whether the start is the loss's own estimate over these rows, as good as a step's on as many. */
  readonly isEstimate: boolean;
  /** Where the curvature at the start is the identity. */
  readonly coordinates: Coordinates;
  /** How much rows count by their features; null where they count alike. */
  readonly rowWeights: ((batch: SampleBatch) => Float64Array) | null;
  /** The share of rows that count less than half as much as they would without these weights. */
  readonly downWeightedShare: number;
  /** Where a slope rests on rows far out, which count as much as others (leverageReliance.ts). */
  readonly leverageReliance: LeverageReliance | null;
  /** In those coordinates, the squared error of an estimate from n rows is the n-th part of this. */
  readonly noise: number;
  /**
   * How many times as much the loss bends at a residual of 0 as on average: a row that the fit goes through seems to
   * tell so much more than others. 1 for other losses than robust ones.
   */
  readonly peakCurvatureRatio: number;
  /**
   * 1.4826 times the median absolute residual, or 1.2533 times the mean one where most targets are the same; 0 for
   * other targets than linear ones.
   */
  readonly residualScale: number;
  /**
   * The share of rows whose residuals are further off than FAR_OFF scales (residualDiagnostics.ts); 0 for other targets than
   * linear ones.
   */
  readonly outlierShare: number;
  /** The same without rows that have a code for what is missing (codedRows.ts). */
  readonly uncodedOutlierShare: number;
  /** The columns with such codes whose rows the loss as good as leaves out. */
  readonly rejectedCodes: readonly number[];
  /** Rows without such codes that the loss as good as leaves out; null where it leaves out few, or none by its nature. */
  readonly rejectedRows: RejectedRows | null;
  /**
   * The share of rows that the fit goes through but for rounding (exactShare.ts); 0 for other targets than linear ones.
   */
  readonly exactShare: number;
  /** The share of rows that are exact copies of others (duplicateShare.ts); 0 where rows are alike by nature. */
  readonly duplicateShare: number;
  /** The target where it has one value in all rows that count; null otherwise. */
  readonly constantTarget: number | null;
  /** The targets where they have just two values; null otherwise, and for other targets than linear ones. */
  readonly twoTargets: readonly [number, number] | null;
  /**
   * Bounds that many targets are exactly at, though few of the others are alike (censoredTargets.ts); none for other
   * targets than linear ones.
   */
  readonly censoringBounds: readonly CensoringBound[];
  /** Values of columns that seem to stand for what is missing (missingCodes.ts). */
  readonly missingCodes: readonly MissingCode[];
  /** Whether every target is a whole number of 0 or more, as counts are; false for other targets than linear ones. */
  readonly areCounts: boolean;
  /** Whether every target is above 0, so that it has a logarithm; false for other targets than linear ones. */
  readonly arePositive: boolean;
  /** Targets that may be codes of classes (classCodes.ts); null for other targets than linear ones. */
  readonly classCodes: ClassCodes | null;
  /**
   * How much further residuals go above a robust fit than below it, from -1 to 1 (skew.ts); 0 where that is slight, and
   * for other losses.
   */
  readonly skew: number;
  /**
   * Where least squares would have other slopes though no row is far off; null where it would not, for other losses,
   * and beside a penalty.
   */
  readonly leastSquaresContrast: LeastSquaresContrast | null;
  /**
   * Rows far out in their features, which the loss itself counts fully; null where it leaves far rows out, or where
   * there is no finite estimate.
   */
  readonly highLeverage: Omit<HighLeverage, 'concentration'> | null;
  /** Counts far beyond all others that carry a Poisson fit; null where none do, and for other losses. */
  readonly extremeCounts: ExtremeCounts | null;
  /** sqrt(sum of d^4) / sum of d^2, d^2 the leverage of rows: near 1 where one row has most of it. */
  readonly concentration: number;
  /**
   * Whether a few rows have most of the curvature of a generalized linear model (curvatureConcentration.ts), as where counts
   * grow along a skewed feature.
   */
  readonly isCurvatureConcentrated: boolean;
  /** Of all weight, the share of the row that counts most. */
  readonly largestWeightShare: number;
  /** Columns that leave their usual value in so few rows that the curvature along them is rough. */
  readonly rareColumns: readonly RareColumn[];
  /**
   * Coefficients that few rows decide though their columns are not rare (weakCoefficients.ts), as where the reference of a
   * text has few.
   */
  readonly weakCoefficients: readonly WeakCoefficient[];
  /** Columns whose telling rows a loss that leaves far rows out does not count in good part. */
  readonly rejectedGroups: readonly RejectedGroup[];
  /** The same of rows that lie far out in a column. */
  readonly rejectedExtremes: readonly RejectedGroup[];
  /** How many rows are of the rarer class; null unless events are few and the targets classes. */
  readonly rarerClass: number | null;
  /**
   * How many rows' worth of events or of doubt there is, a sure class being none; null where these are many, or where
   * the target is no class or count.
   */
  readonly fewEvents: number | null;
  /** Why more rows would tell much more; null where they would not. */
  readonly shortage: Shortage | null;
  /** Whether classes are told apart without error, so that there is no finite estimate. */
  readonly isSeparated: boolean;
  /** Whether the parameter of a robust loss is so far below the residuals that hardly any row tells the curvature. */
  readonly isTooNarrow: boolean;
  /** Columns along which there is no finite estimate (unboundedColumns.ts). */
  readonly unboundedColumns: readonly number[];
  /** Columns that have one value in all rows that count, beside an intercept. */
  readonly constantColumns: readonly number[];
  /** Columns that others make up all but for a small part (collinearColumns.ts). */
  readonly collinearColumns: readonly CollinearColumns[];
  /** Columns that say nothing of their own, and why; a penalty leaves none out. */
  readonly droppedColumns: readonly DroppedColumn[];
}

/**
 * Few rows leave the usual value of a column, count much, have classes in doubt or events, or are within reach of the
 * loss; or a few have most of the leverage, or of the curvature.
 */
export type Shortage =
  | { readonly few: 'rows of a column'; readonly column: number }
  | { readonly few: 'weights' | 'events' | 'rows within reach' | 'rows with leverage' };
