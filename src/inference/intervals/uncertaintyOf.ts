import type { Fit } from '../../flow/summarize.ts';
import { studentQuantile } from '../../math/studentTail.ts';
import { unitAlong, type Vector, zeros } from '../../math/vector.ts';
import type { Pilot, PilotEstimate } from '../pilot/studyPilot.ts';
import type { BlockVariances } from './blockVariances.ts';
import type { Neighbours } from './neighbours/neighbours.ts';
import type { SandwichVariances } from './sandwichVariances.ts';

/** Intervals for the coefficients, from the variance between the rows of the run, or between its blocks. */
export interface FitUncertainty {
  readonly level: number;
  /** Standard errors, and the degrees of freedom of Student's t for each. */
  readonly errors: Vector;
  readonly degrees: Vector;
  readonly lower: Vector;
  readonly upper: Vector;
  /** For each coefficient, standard errors to either side that cover all of them at once (Bonferroni). */
  readonly radii: Vector;
  /**
   * `neighbours` where neighbouring rows are correlated, and one of the others in addition where it gives more
   * variance.
   */
  readonly from: 'rows' | 'blocks' | 'neighbours';
}

const LEVEL = 0.95;
const LEAST_OF_RARE = 4;

type Variances = Pick<SandwichVariances, 'variances' | 'degrees'>;

export interface UncertaintyOptions {
  readonly fit: Fit;
  readonly pilot: Pilot;
  /** Null where blocks are used, or where too few rows have weight. */
  readonly rows: SandwichVariances | null;
  /** Null where rows are used, or where there are fewer than two blocks. */
  readonly blocks: BlockVariances | null;
  /** Where neighbouring rows are correlated, for which neither of the others allows. */
  readonly neighbours: Neighbours | null;
}

/** Rows of positive weight behind the estimate, less coefficients. */
export const residualDegrees = ({ rowsBehind }: Fit, { rows, estimate }: Pilot): number =>
  Math.round((rows.positiveWeight / rows.count) * rowsBehind!) - estimate.coordinates.rank;

/** Null where there is neither, and where no more rows have weight than there are coefficients. */
export function uncertaintyOf({ fit, pilot, rows, blocks, neighbours }: UncertaintyOptions): FitUncertainty | null {
  const { theta, rowsBehind } = fit;
  // The estimate was fitted to its rows: each coefficient uses up one row of positive weight.
  if (rows === null && residualDegrees(fit, pilot) < 1) return null;
  const share = pilot.rows.positiveWeight / pilot.rows.count;
  const left = Math.max(1, share * rowsBehind! - theta.length) / share;
  const alone = rows ?? (blocks && ofBlocks(blocks, left));
  if (alone === null) return null;
  const found = neighbours === null ? alone : widest(alone, ofBlocks(neighbours, left));
  // Few rows determine a rare column, and the fit has followed these few: its error is at least what it would be with
  // the same noise in all rows. The same holds for rows that have most of the curvature of counts, for a reference
  // level that few rows have, for a feature that one extreme row determines, and for few events.
  const isRare = (j: number): boolean =>
    pilot.leverage.isCurvatureConcentrated ||
    pilot.targets.fewEvents !== null ||
    rows?.degrees[j] === 1 ||
    [...pilot.columns.rare, ...pilot.columns.weak].some(({ column }) => column === j);
  const usual = usualVariances(pilot.estimate).map(variance => (pilot.residuals.peakCurvatureRatio * variance) / left);
  const isUsual = found.variances.map((variance, j) => (isRare(j) && usual[j]! > variance ? 1 : 0));
  // Of a mixture of two fits: which of them the weight should have chosen is not known for sure.
  const between = mixtureVariances(pilot.estimate, fit);
  const errors = found.variances.map((variance, j) => Math.sqrt((isUsual[j] ? usual[j]! : variance) + between[j]!));
  // The usual variance comes from all rows. Where a rare column has a larger one, the degrees of freedom of its two or
  // three rows would make the interval almost unlimited.
  const degrees = found.degrees.map((own, j) => {
    if (rows === null || neighbours !== null || !isRare(j)) return own;
    return isUsual[j] ? rows.most : Math.min(rows.most, Math.max(own, LEAST_OF_RARE));
  });
  const quantile = (sides: number, of: number): number => studentQuantile(1 - (1 - LEVEL) / sides, of);
  const reaches = degrees.map((own, j) => quantile(2, own) * errors[j]!);
  return Object.freeze({
    level: LEVEL,
    errors,
    degrees,
    lower: theta.map((value, j) => value - reaches[j]!),
    upper: theta.map((value, j) => value + reaches[j]!),
    radii: degrees.map(own => quantile(2 * pilot.estimate.coordinates.rank, own)),
    from: neighbours !== null ? 'neighbours' : rows === null ? 'blocks' : 'rows',
  });
}

/** w (1 - w) b_j^2; 0 where there is one fit. */
function mixtureVariances({ blend }: PilotEstimate, { theta, parts }: Fit): Vector {
  if (blend === null || parts === undefined) return zeros(theta.length);
  const [huber, bisquare] = parts as readonly [Vector, Vector];
  return huber.map((value, j) => blend.weight * (1 - blend.weight) * (value - bisquare[j]!) ** 2);
}

/**
 * The covariance of the coefficients row by row, with the squares of `errors` on its diagonal: correlations are those of
 * the rows where all are in memory, and those of the inverse curvature otherwise.
 */
export const covarianceOf = (
  { rows, pilot }: Pick<UncertaintyOptions, 'rows' | 'pilot'>,
  { errors }: Pick<FitUncertainty, 'errors'>,
): Float64Array => withErrors(rows?.covariance() ?? inverseCurvature(pilot.estimate), errors);

/** The matrix with its rows and columns scaled so that its diagonal holds the squares of `errors`. */
function withErrors(matrix: Float64Array, errors: Vector): Float64Array {
  const size = errors.length;
  const scales = errors.map((error, j) => {
    const own = matrix[j * (size + 1)]!;
    return own > 0 ? error / Math.sqrt(own) : 0;
  });
  return matrix.map((value, at) => value * scales[Math.floor(at / size)]! * scales[at % size]!);
}

/** A^-1 = P P', the covariance of the coefficients up to a factor if noise is independent of the features. */
function inverseCurvature({ coordinates: { size, rank, toTheta } }: PilotEstimate): Float64Array {
  const found = new Float64Array(size ** 2);
  for (let k = 0; k < rank; k++) addOuter(found, toTheta(unitAlong(k, rank)));
  return found;
}

function addOuter(matrix: Float64Array, a: Vector): void {
  a.forEach((value, i) => {
    for (let j = 0; j < a.length; j++) matrix[i * a.length + j]! += value * a[j]!;
  });
}

const ofBlocks = ({ variances, degrees }: Pick<BlockVariances, 'variances' | 'degrees'>, rows: number): Variances => ({
  variances: variances.map(variance => variance / rows),
  degrees: variances.map(() => degrees),
});

const widest = (a: Variances, b: Variances): Variances => ({
  variances: a.variances.map((variance, j) => Math.max(variance, b.variances[j]!)),
  degrees: a.degrees.map((own, j) => Math.min(own, b.degrees[j]!)),
});

/**
 * Of each coefficient from one row, if noise is independent of the features: the noise of one coordinate times
 * (A^-1)_jj.
 */
function usualVariances({ coordinates, noise }: PilotEstimate): Vector {
  const { size, rank, toTheta } = coordinates;
  const variances = zeros(size);
  for (let k = 0; k < rank; k++) {
    const unit = unitAlong(k, rank);
    toTheta(unit).forEach((value, j) => {
      variances[j]! += (noise / rank) * value ** 2;
    });
  }
  return variances;
}
