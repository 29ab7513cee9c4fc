import { studentQuantile } from '../math/studentQuantile.ts';
import { type Vector, zeros } from '../math/vector.ts';
import type { Pilot } from '../plan/pilot.ts';
import type { Spread } from './blockSpread.ts';
import type { Fit } from './summarize.ts';

/** Intervals for the coefficients, from how far the blocks of the run were from each other. */
export interface FitUncertainty {
  readonly level: number;
  /** Standard errors, of Student's t with so many degrees. */
  readonly errors: Vector;
  readonly degrees: number;
  readonly lower: Vector;
  readonly upper: Vector;
  /** So many standard errors cover all coefficients at once (Bonferroni). */
  readonly radius: number;
}

const LEVEL = 0.95;

export function uncertaintyOf(
  { theta, rowsBehind }: Fit,
  { variances, degrees }: Spread,
  pilot: Pilot,
): FitUncertainty {
  // The estimate was made to suit the rows that its blocks are of, by as many of them as there are coefficients.
  const rows = Math.max(1, rowsBehind! - theta.length);
  const usual = usualVariances(pilot);
  // Few blocks have rows that tell of a rare column, and the fit has gone towards those few: it is at least as far off as it would be if noise were the same in all rows.
  // So it is with rows that have most of the curvature of counts, and with those of a reference that few have.
  const isRare = (j: number): boolean =>
    pilot.isBentByFew || [...pilot.rare, ...pilot.few].some(({ column }) => column === j);
  const errors = variances.map((variance, j) =>
    Math.sqrt((isRare(j) ? Math.max(variance, usual[j]!) : variance) / rows),
  );
  const quantile = (sides: number): number => studentQuantile(1 - (1 - LEVEL) / sides, degrees);
  const reach = quantile(2);
  return Object.freeze({
    level: LEVEL,
    errors,
    degrees,
    lower: theta.map((value, j) => value - reach * errors[j]!),
    upper: theta.map((value, j) => value + reach * errors[j]!),
    radius: quantile(2 * theta.length),
  });
}

/** Of each coefficient from one row, if noise has nothing to do with the features: noise of one coordinate times (A^-1)_jj. */
function usualVariances({ coordinates, noise }: Pilot): Vector {
  const { size, rank, toTheta } = coordinates;
  const variances = zeros(size);
  for (let k = 0; k < rank; k++) {
    const unit = zeros(rank);
    unit[k] = 1;
    toTheta(unit).forEach((value, j) => {
      variances[j]! += (noise / rank) * value ** 2;
    });
  }
  return variances;
}
