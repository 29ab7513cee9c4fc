import { requireInteger, requirePositive, requireVector } from '../../errors.ts';
import { symmetricEigen } from '../../math/symmetricEigen.ts';
import { addTimes, dot, norm, type Vector, zeros } from '../../math/vector.ts';

/** One coordinate of whitened rows. */
export interface WhiteAxis {
  /** v_k, a unit vector. */
  readonly direction: Vector;
  /** l_k: the estimated variance of rows along it. */
  readonly moment: number;
  /** f_k: the variance that noise may hide. */
  readonly floor: number;
  /** s_k. */
  readonly spread: number;
}

/**
 * Coordinates in which rows have equal variance in every direction, from noisy second moments: z_j = sum over k of t_jk
 * v_k'(x - m) / s_k.
 *
 *   M = [S, t; t', c], moments of (x, 1);   C = S/c - m m', m = t/c; without an intercept C = S/c, m = 0
 *   C = sum over k of l_k v_k v_k';   s_k = sqrt(max(0, l_k) + f_k),   f_k = (1 + (v_k'm)^2) sqrt((p + 1)/2) sigma/c
 *
 *   sigma -> the noise of one number of M, M -> moments in the order of `momentSummer`, the mean target last;
 *   t_j -> `turnOf`
 *
 * l_k is u'Mu/c with u = (v_k, -v_k'm), so noise changes it by about 2 f_k at most: ||u||^2 times the norm of a
 * symmetric noise matrix. If l_k is below that, it is unknown, and s_k is dominated by the noise floor, so that rows
 * vary less in that direction than in others, never much more.
 *
 * If rows have equal variance along several v_k, noise determines these directions, and any rotation of them is equally
 * good. So the coordinates are rotated, within the axes along which rows clearly vary, to be as close as possible to
 * the features, which are what users ask about and along which rows differ. If all axes are clear, t_jk = v_kj: z =
 * C^(-1/2) (x - m) but for the floors. Axes hidden by noise remain coordinates, so that a look along one may show what
 * the moments do not.
 */
export interface Whitening {
  readonly centre: Vector;
  readonly axes: readonly WhiteAxis[];
  readonly intercept: boolean;
}

/** In multiples of the floor: noise changes such a moment by about a fifth at most. */
const CLEAR = 10;

/** The coordinates in which rows with these second moments have unit covariance. */
export function whiteningOf(
  moments: Vector,
  { features, intercept, sigma }: { readonly features: number; readonly intercept: boolean; readonly sigma: number },
): Whitening {
  requireInteger('features', features, 1);
  requirePositive('sigma', sigma);
  requireVector('moments', moments, momentCount(features));
  const matrix = unfolded(moments, features + 1);
  const at = (a: number, b: number): number => matrix[a * (features + 1) + b]!;
  const count = countOf(moments, sigma);
  const centre = intercept
    ? Float64Array.from({ length: features }, (_, j) => at(j, features) / count)
    : zeros(features);
  const covariance = new Float64Array(features * features);
  for (let a = 0; a < features; a++)
    for (let b = 0; b < features; b++) covariance[a * features + b] = at(a, b) / count - centre[a]! * centre[b]!;
  const axes = symmetricEigen(covariance, features).map(({ value, vector }): WhiteAxis => {
    const floor = (1 + dot(vector, centre) ** 2) * momentFloor(features, sigma / count);
    return { direction: vector, moment: value, floor, spread: Math.sqrt(Math.max(0, value) + floor) };
  });
  return Object.freeze({ centre, axes: Object.freeze(axes), intercept });
}

/** How many numbers `momentSummer` returns: the upper triangle of a symmetric matrix, and the target's mean. */
export const momentCount = (features: number): number => ((features + 1) * (features + 2)) / 2 + 1;

/** f about a centre of 0, for noise `sigma` in every moment of rows whose weights add up to 1. */
export const momentFloor = (features: number, sigma: number): number => Math.sqrt((features + 1) / 2) * sigma;

/** The noisy count of rows, at least its own noise level, so that it can be divided by. */
const countOf = (moments: Vector, sigma: number): number => Math.max(moments.at(-2)!, sigma);

/** The mean of the targets, in units of `targetUnit`. */
export const meanTarget = (moments: Vector, sigma: number): number => moments.at(-1)! / countOf(moments, sigma);

/** c_j: coordinate j of a row is c_j'(x - m). */
export const coordinatesOf = ({ axes }: Whitening): readonly Vector[] =>
  turnOf(axes).map(shares => {
    const found = zeros(axes.length);
    axes.forEach(({ direction, spread }, k) => {
      addTimes(found, direction, shares[k]! / spread);
    });
    return found;
  });

/**
 * t_j: the components of coordinate j along every axis; together an orthogonal matrix. Each feature is projected onto
 * the clear axes; the longest projection becomes a coordinate and is projected out of the others, and so on. With p
 * features and q clear axes, the one taken after i others has length sqrt((q - i) / (p - i)) or more.
 */
export function turnOf(axes: readonly WhiteAxis[]): readonly Vector[] {
  const isClear = axes.map(({ moment, floor }) => moment >= CLEAR * floor);
  const features = axes.map((_, j) => Float64Array.from(axes, ({ direction }, k) => (isClear[k] ? direction[j]! : 0)));
  const nearest = new Map<number, Vector>();
  while (nearest.size < isClear.filter(Boolean).length) {
    const lengths = features.map(norm);
    const most = lengths.indexOf(Math.max(...lengths));
    const unit = features[most]!.map(value => value / lengths[most]!);
    for (const feature of features) addTimes(feature, unit, -dot(feature, unit));
    nearest.set(most, unit);
  }
  return [
    ...axes.flatMap((_, j) => nearest.get(j) ?? []),
    ...axes.flatMap((_, k) => (isClear[k] ? [] : [zeros(axes.length).fill(1, k, k + 1)])),
  ];
}

/** Converts coefficients of whitened rows to coefficients of the original rows; an intercept is last in both. */
export function unwhiten(theta: Vector, whitening: Whitening): Vector {
  const { centre, intercept } = whitening;
  const features = centre.length;
  const found = zeros(theta.length);
  const slopes = found.subarray(0, features);
  coordinatesOf(whitening).forEach((coordinate, j) => {
    addTimes(slopes, coordinate, theta[j]!);
  });
  if (intercept) found[features] = theta[features]! - dot(centre, slopes);
  return found;
}

/** The full symmetric matrix from its upper triangle, in which off-diagonal entries are multiplied by sqrt(2). */
function unfolded(triangle: Vector, size: number): Float64Array {
  const matrix = new Float64Array(size * size);
  let place = 0;
  for (let a = 0; a < size; a++)
    for (let b = a; b < size; b++) {
      const value = triangle[place++]! / (a === b ? 1 : Math.SQRT2);
      matrix[a * size + b] = value;
      matrix[b * size + a] = value;
    }
  return matrix;
}
