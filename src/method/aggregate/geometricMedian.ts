import { refuse, requireInteger, requireVector } from '../../errors.ts';
import { cholesky } from '../../math/cholesky.ts';
import { dot, type Vector } from '../../math/vector.ts';
import { type BlockSums, featuresOf, type Gradient, type Privacy } from '../../sample/gradientSums.ts';
import type { Aggregator } from './aggregator.ts';
import { AT_POINT, type Cloud, cloudOf, INVERSES, type Place, STRENGTH } from './cloud.ts';

/**
 * The geometric median of block means (the last line of alg:HTGE): argmin over y of sum_i ||y - mu_i||_2.
 *
 * Weiszfeld's map T(y) = sum_i (mu_i/d_i) / sum_i (1/d_i), d_i = ||y - mu_i||, with the correction of Vardi and Zhang
 * (2000) if y coincides with w of the points: with R = the sum of unit vectors from y to the other points, y is the
 * median exactly when ||R|| <= w. Each nearest point is tested for this once, so a median at a point is found exactly.
 * Elsewhere the map is extrapolated (the S3 scheme of Varadhan and Roland, 2008), because Weiszfeld alone converges
 * slowly if the median is near a point or the points are near a line. An extrapolation that does not lower the
 * objective is discarded, so the objective never increases. If even that converges slowly, damped Newton steps finish.
 */
export function geometricMedian(): Aggregator {
  return Object.freeze({
    name: 'geometric-median',
    aggregate: <P extends Privacy>(blockSums: BlockSums<P>): Gradient<P> => {
      const features = featuresOf(blockSums);
      const { sums, blocks, rowsPerBlock, privacy } = blockSums;
      const cloud = cloudOf(blocks, features);
      cloud.input.set(sums);
      // Taking the median of the sums and dividing once by the rows equals the median of the means.
      const values = medianOf(cloud);
      for (let j = 0; j < features; j++) values[j]! /= rowsPerBlock;
      return { values, privacy };
    },
  });
}

/** The point with the smallest sum of distances to `points`; if there are several such points, one of them. */
export function medianOfPoints(points: readonly Vector[]): Vector {
  if (points.length === 0) refuse('points', 'hold at least one point', points);
  const size = requireVector('points[0]', points[0]!).length;
  const cloud = cloudOf(points.length, size);
  points.forEach((point, i) => {
    cloud.input.set(requireVector(`points[${i}]`, point, size), i * size);
  });
  return medianOf(cloud);
}

function medianOf(cloud: Cloud): Vector {
  const largest = cloud.largest();
  if (!(largest < Infinity)) {
    const bad = cloud.input.findIndex(coordinate => !Number.isFinite(coordinate));
    const [i, j] = [Math.floor(bad / cloud.size), bad % cloud.size];
    refuse(`points[${i}][${j}]`, 'be a finite number', cloud.input[bad]);
  }
  // Keeps sums of huge coordinates and inverses of tiny ones finite; scaling by a power of two is exact.
  const scale = largest > 1e290 ? 2 ** -80 : largest < 1e-290 && largest > 0 ? 2 ** 200 : 1;
  cloud.take(scale);
  const median = leastSum(cloud);
  return scale === 1 ? median : median.map(coordinate => coordinate / scale);
}

function leastSum(cloud: Cloud): Vector {
  const { count, marks } = cloud;
  let [here, once, twice, leap] = cloud.places;
  marks.fill(0);
  cloud.standInMiddle(here);
  for (let iteration = 0; iteration < 500; iteration++) {
    if (here.summary[STRENGTH]! <= here.summary[AT_POINT]! + PULL_TOLERANCE * count) break;
    const nearest = cloud.nearest(here);
    if (marks[nearest] === 0) {
      marks[nearest] = 1;
      cloud.standAt(leap, nearest);
      if (leap.summary[STRENGTH]! <= leap.summary[AT_POINT]!) return leap.y.slice();
    }
    // A Newton step also writes to `leap`, or to nothing.
    const leaps = (iteration >= 20 && newtonStep(cloud, here, leap)) || cloud.extrapolate(here, once, twice, leap);
    const next = leaps ? leap : twice;
    if (iteration >= 20 && cloud.rise(here, next) >= 0) break;
    if (leaps) leap = here;
    else twice = here;
    here = next;
  }
  return here.y.slice();
}

/**
 * Moves `next` by the longest of a few halved Newton steps that achieves a tenth of its predicted decrease; false if
 * none does.
 */
function newtonStep(cloud: Cloud, here: Place, next: Place): boolean {
  const { y, pull, summary } = here;
  // A point at y makes a kink, where the Hessian does not exist.
  if (summary[AT_POINT]! > 0) return false;
  const { size } = cloud;
  const step = cholesky(hessian(cloud, here), size)?.solve(pull);
  if (step === undefined) return false;
  const promise = dot(step, pull);
  for (let share = 1; share > 1e-3; share /= 2) {
    for (let j = 0; j < size; j++) next.y[j] = y[j]! + share * step[j]!;
    cloud.weigh(next);
    if (cloud.rise(here, next) <= -0.1 * share * promise) return true;
  }
  return false;
}

/** sum_i (I - u_i u_i') / d_i over the points that differ from y, row-major. */
function hessian({ count, size, coordinate }: Cloud, { y, distances, summary }: Place): Float64Array {
  const sum = new Float64Array(size * size);
  for (let i = 0; i < size; i++) sum[i * size + i] = summary[INVERSES]!;
  for (let k = 0; k < count; k++) {
    const distance = distances[k]!;
    const unit = Float64Array.from({ length: size }, (_, j) => (coordinate(k, j) - y[j]!) / distance);
    for (let i = 0; i < size; i++) {
      for (let j = 0; j < size; j++) sum[i * size + j]! -= (unit[i]! * unit[j]!) / distance;
    }
  }
  return sum;
}

/** The sum of unit vectors vanishes at the median; this is the tolerance for its norm, per point. */
const PULL_TOLERANCE = 1e-14;

/**
 * The ratio of the variance of a geometric median to that of a mean, for many points from a spherical normal
 * distribution in R^r:
 *
 *   r / ((r - 1) E[1/R])^2,   E[1/R] = Gamma((r - 1)/2) / (sqrt 2 Gamma(r/2)),   and pi/2 for r = 1
 *
 * R is the length of a standard normal vector. The ratio of gammas is computed by a recursion in steps of two: E[1/R]
 * for r + 2 is (r - 1)/r times that for r.
 *
 *   r -> dimension
 */
export function medianVariance(dimension: number): number {
  requireInteger('dimension', dimension, 1);
  if (dimension === 1) return Math.PI / 2;
  let inverse = dimension % 2 === 0 ? Math.sqrt(Math.PI / 2) : Math.sqrt(2 / Math.PI);
  for (let r = dimension % 2 === 0 ? 2 : 3; r < dimension; r += 2) inverse *= (r - 1) / r;
  return dimension / ((dimension - 1) * inverse) ** 2;
}
