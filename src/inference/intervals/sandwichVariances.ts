import { meanOf } from '../../math/median.ts';
import { addTimes, dot, maxNorm, type Vector, zeros } from '../../math/vector.ts';
import { type Loss, slopeOfSlope } from '../../method/loss/loss.ts';
import type { SampleBatch } from '../../sample/sampleBatch.ts';
import type { FitPart } from '../pilot/blend/pilotBlend.ts';

export interface SandwichVariances {
  /** Of each coefficient of the estimate. */
  readonly variances: Vector;
  readonly degrees: Vector;
  /** Degrees of freedom of all rows together: those of positive weight, less coefficients. */
  readonly most: number;
  /** All of the sandwich, row by row, whose diagonal the variances are; it takes a pass for every pair. */
  covariance(): Float64Array;
}

/**
 * The sandwich variance of an estimate whose rows are all in memory, with the correction HC3 (MacKinnon and White,
 * Journal of Econometrics 1985),
 *
 *   variance_j = sum over rows of ((u_i - u)_j / (1 - h_i))^2 / n^2,   u_i = A^-1 w_i slope_i x_i,   u their mean
 *   h_i        = w_i bend_i x_i'A^-1 x_i / n, the leverage of row i in the fit
 *   degrees_j  = (sum of v_i)^2 / sum of v_i^2 - 1,   v_i = bend_i (A^-1 w_i x_i)_j^2 (Satterthwaite)
 *
 * A is the curvature, slope and bend are the first two derivatives of the loss by the score. Rows are assumed to be
 * independent, and nothing else about their noise. For a redescending loss it takes many rows to see how noise differs.
 *
 * Of a weighted mean of fits, a row's (u_i - u)/(1 - h_i) is the weighted mean of those in each. Degrees are those of
 * the first.
 *
 * Null where rows of positive weight are no more than the coefficients.
 */
export function sandwichVariances(
  batch: SampleBatch,
  parts: readonly Pick<FitPart, 'share' | 'loss' | 'theta' | 'coordinates'>[],
): SandwichVariances | null {
  const { size, rank } = parts[0]!.coordinates;
  const most = countOf(batch) - rank;
  if (most < 1) return null;
  const means = batch.columns.map(column => meanOf(column.subarray(0, batch.rows)));
  const fits = parts
    .filter(({ share }, k) => k === 0 || share > 0)
    .map(part => ({ share: part.share, ...influencesOf(batch, part, means) }));
  const variances = zeros(size);
  const degrees = zeros(size);
  const [{ along, bends }] = fits as [(typeof fits)[number]];
  const errors = new Float64Array(batch.rows);
  const rowErrors = (j: number): Float64Array => {
    errors.fill(0);
    for (const fit of fits) addErrors(errors, fit.share, fit.along(j), fit.slopes, fit.freedom);
    return errors;
  };
  for (let j = 0; j < size; j++) {
    variances[j] = sumOfSquares(rowErrors(j)) / batch.rows ** 2;
    const effective = informativeRows(along(j), bends, batch.weights);
    // Dropped columns have no rows, and are not asked for.
    degrees[j] = effective === 0 ? most : Math.min(most, Math.max(1, Math.floor(effective - 1 + ROUNDING)));
  }
  const covariance = (): Float64Array => {
    const all = Array.from({ length: size }, (_, j) => rowErrors(j).map(error => error / batch.rows));
    return Float64Array.from({ length: size ** 2 }, (_, at) => dot(all[Math.floor(at / size)]!, all[at % size]!));
  };
  return { variances, degrees, most, covariance };
}

/** What rows do to one fit: their slopes, bends and 1 - h, and (A^-1 x)_j of all rows. */
function influencesOf(
  batch: SampleBatch,
  { loss, theta, coordinates }: Pick<FitPart, 'loss' | 'theta' | 'coordinates'>,
  means: readonly number[],
) {
  const { size, rank, toTheta, ofGradient } = coordinates;
  const { slopes, bends } = derivatives(batch, { loss: loss.loss, theta });
  // A^-1 x = P P'x, with centred features: large ones that vary little would lose all digits.
  const middle = ofGradient(Float64Array.from([...means, 1].slice(0, size)));
  const units = means.map((_, k) => ofGradient(zeros(size).with(k, 1)));
  const room = new Float64Array(batch.rows);
  const scores = (ofMiddle: Vector, ofUnits: readonly Vector[], at: number): Float64Array => {
    room.fill(ofMiddle[at]!);
    ofUnits.forEach((image, k) => {
      addTimes(room, batch.columns[k]!, image[at]!, means[k]!);
    });
    return room;
  };
  const ownShares = zeros(batch.rows);
  for (let r = 0; r < rank; r++) addSquares(ownShares, scores(middle, units, r));
  const freedom = ownShares.map((share, i) => 1 - Math.min(MOST_SHARE, Math.max(0, (bends[i]! * share) / batch.rows)));
  const [thetaOfMiddle, thetaOfUnits] = [toTheta(middle), units.map(toTheta)];
  return { slopes, bends, freedom, along: (j: number) => scores(thetaOfMiddle, thetaOfUnits, j) };
}

/** Rounding errors of sums of equal terms. */
const ROUNDING = 1e-9;

/**
 * A row that the fit goes through says nothing about its noise. With negative curvature elsewhere, the leverage of a
 * row may come near 1, or exceed it, without that.
 */
const MOST_SHARE = 0.9;

const countOf = ({ rows, weights }: SampleBatch): number =>
  weights === undefined ? rows : weights.reduce((count, weight) => (weight > 0 ? count + 1 : count), 0);

/** Of every row by its score, times its weight. */
function derivatives(
  { rows, columns, target, weights }: SampleBatch,
  { loss, theta }: { readonly loss: Loss; readonly theta: Vector },
): { readonly slopes: Float64Array; readonly bends: Float64Array } {
  const scores = new Float64Array(rows).fill(theta[columns.length] ?? 0);
  columns.forEach((values, j) => {
    addTimes(scores, values, theta[j]!);
  });
  const slopes = new Float64Array(rows);
  const bends = new Float64Array(rows);
  for (let i = 0; i < rows; i++) {
    const weight = weights?.[i] ?? 1;
    slopes[i] = weight * loss.slope(scores[i]!, target[i]!);
    bends[i] = weight * slopeOfSlope(loss, scores[i]!, target[i]!);
  }
  return { slopes, bends };
}

// Functions of their own, so that they are compiled once for all columns.

function addSquares(sums: Float64Array, values: Float64Array): void {
  for (let i = 0; i < sums.length; i++) sums[i]! += values[i]! * values[i]!;
}

/** Adds share (u_i - u)/(1 - h_i). */
function addErrors(
  errors: Float64Array,
  share: number,
  parts: Float64Array,
  slopes: Float64Array,
  freedom: Float64Array,
): void {
  const rows = parts.length;
  let sum = 0;
  for (let i = 0; i < rows; i++) sum += parts[i]! * slopes[i]!;
  for (let i = 0; i < rows; i++) errors[i]! += share * ((parts[i]! * slopes[i]! - sum / rows) / freedom[i]!);
}

function sumOfSquares(values: Float64Array): number {
  let squares = 0;
  for (let i = 0; i < values.length; i++) squares += values[i]! ** 2;
  return squares;
}

/** In units of the largest, against overflow. */
function informativeRows(parts: Float64Array, bends: Float64Array, weights: Float64Array | undefined): number {
  const [part, bend, most] = [maxNorm(parts), maxNorm(bends), weights ? maxNorm(weights) : 1] as const;
  if (part === 0 || bend === 0) return 0;
  let [sum, squares] = [0, 0];
  for (let i = 0; i < parts.length; i++) {
    const weight = (weights?.[i] ?? 1) / most;
    const share = (Math.max(0, bends[i]!) / bend) * weight * (parts[i]! / part) ** 2;
    sum += share;
    squares += share * share;
  }
  return squares === 0 ? 0 : sum ** 2 / squares;
}
