import { studentQuantile } from '../math/studentQuantile.ts';
import { unitAlong, type Vector, zeros } from '../math/vector.ts';
import type { Neighbours } from '../pilot/neighbours/neighbours.ts';
import type { Pilot } from '../pilot/pilot.ts';
import type { PilotEstimate } from '../pilot/pilotEstimate.ts';
import type { BlockVariances } from './blockVariances.ts';
import type { SandwichVariances } from './sandwichVariances.ts';
import type { Fit } from './summarize.ts';

/** Intervals for the coefficients, from how far the rows of the run, or its blocks, were from each other. */
export interface FitUncertainty {
  readonly level: number;
  /** Standard errors, of Student's t with so many degrees each. */
  readonly errors: Vector;
  readonly degrees: Vector;
  readonly lower: Vector;
  readonly upper: Vector;
  /** So many standard errors cover all coefficients at once (Bonferroni), by the fewest degrees. */
  readonly radius: number;
  /** Of neighbours where they go together, and with either of the others where that tells more. */
  readonly from: 'rows' | 'blocks' | 'neighbours';
}

const LEVEL = 0.95;

const LEAST_OF_RARE = 4;

type Variances = Pick<SandwichVariances, 'variances' | 'degrees'>;

export interface UncertaintyOptions {
  readonly fit: Fit;
  readonly pilot: Pilot;
  /** Null where blocks have to tell, or where too few rows count. */
  readonly rows: SandwichVariances | null;
  /** Null where rows have to tell, or where there are no two of them. */
  readonly blocks: BlockVariances | null;
  /** Where rows go together, which neither tells. */
  readonly neighbours: Neighbours | null;
}

/** Rows behind the estimate that count, less coefficients. */
export const residualDegrees = ({ rowsBehind }: Fit, { rows, estimate }: Pilot): number =>
  Math.round((rows.positiveWeight / rows.count) * rowsBehind!) - estimate.coordinates.rank;

/** Null where neither rows nor blocks tell, or where no more rows count than there are coefficients. */
export function uncertaintyOf({
  fit,
  pilot,
  rows,
  blocks,
  neighbours,
}: UncertaintyOptions): FitUncertainty | null {
  const { theta, rowsBehind } = fit;
  // The estimate was made to suit the rows that it is of, by as many of those that count as there are coefficients.
  if (rows === null && residualDegrees(fit, pilot) < 1) return null;
  const share = pilot.rows.positiveWeight / pilot.rows.count;
  const left = Math.max(1, share * rowsBehind! - theta.length) / share;
  const alone = rows ?? (blocks && ofBlocks(blocks, left));
  if (alone === null) return null;
  const told = neighbours === null ? alone : widest(alone, ofBlocks(neighbours, left));
  // Few rows tell of a rare column, and the fit has gone towards those few: it is at least as far off as it would be if
  // noise were the same in all rows. So it is with rows that have most of the curvature of counts, with those of a
  // reference that few have, and with few events.
  const isRare = (j: number): boolean =>
    pilot.leverage.isCurvatureConcentrated ||
    pilot.targets.fewEvents !== null ||
    [...pilot.columns.rare, ...pilot.columns.weak].some(({ column }) => column === j);
  const usual = usualVariances(pilot.estimate).map(
    variance => (pilot.residuals.peakCurvatureRatio * variance) / left,
  );
  const isUsual = told.variances.map((variance, j) => (isRare(j) && usual[j]! > variance ? 1 : 0));
  const errors = told.variances.map((variance, j) => Math.sqrt(isUsual[j] ? usual[j]! : variance));
  // The usual one is what all rows tell; of a rare column that has a larger one, two or three rows would say that next
  // to anything may be true.
  const degrees = told.degrees.map((own, j) => {
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
    radius: quantile(2 * pilot.estimate.coordinates.rank, Math.min(...degrees)),
    from: neighbours !== null ? 'neighbours' : rows === null ? 'blocks' : 'rows',
  });
}

const ofBlocks = (
  { variances, degrees }: Pick<BlockVariances, 'variances' | 'degrees'>,
  rows: number,
): Variances => ({
  variances: variances.map(variance => variance / rows),
  degrees: variances.map(() => degrees),
});

const widest = (a: Variances, b: Variances): Variances => ({
  variances: a.variances.map((variance, j) => Math.max(variance, b.variances[j]!)),
  degrees: a.degrees.map((own, j) => Math.min(own, b.degrees[j]!)),
});

/**
 * Of each coefficient from one row, if noise has nothing to do with the features: noise of one coordinate times
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
