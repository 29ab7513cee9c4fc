/**
 * The geometric median of block means (the last line of alg:HTGE): argmin over y of sum_i ||y - mu_i||_2.
 *
 * Weiszfeld's map T(y) = sum_i (mu_i/d_i) / sum_i (1/d_i), d_i = ||y - mu_i||, with the correction of Vardi and
 * Zhang (2000) where y sits on w of the points: with R = the sum of unit vectors from y to the other points, y is the
 * median exactly when ||R|| <= w. Each nearest point is put to that test once, so a median at a point is
 * found exactly. Elsewhere the map is extrapolated (the S3 scheme of Varadhan and Roland, 2008), because Weiszfeld alone
 * crawls when the median lies near a point or the points near a line; an extrapolation that does not lower the
 * objective is dropped, so the objective never rises. Where even that crawls, damped Newton steps finish.
 */
import { refuse, requireVector } from '../math/check.ts';
import { cholesky } from '../math/cholesky.ts';
import { addScaled, dot, maxNorm, norm, scaled, subtract, type Vector } from '../math/vector.ts';
import { type BlockSums, featuresOf, type Gradient, type Privacy } from '../sample/blockSums.ts';
import type { Aggregator } from './aggregator.ts';

export function geometricMedian(): Aggregator {
  return Object.freeze({
    name: 'geometric-median',
    aggregate: <P extends Privacy>(blockSums: BlockSums<P>): Gradient<P> => {
      const features = featuresOf(blockSums);
      const { sums, blocks, rowsPerBlock, privacy } = blockSums;
      const means = Array.from({ length: blocks }, (_, k) =>
        sums.slice(k * features, (k + 1) * features).map(sum => sum / rowsPerBlock),
      );
      return { values: medianOfPoints(means), privacy };
    },
  });
}

/** The point with the least sum of distances to `points`; where that is not unique, one of them. */
export function medianOfPoints(points: readonly Vector[]): Vector {
  if (points.length === 0) refuse('points', 'hold at least one point', points);
  const features = points[0]!.length;
  points.forEach((point, i) => {
    requireVector(`points[${i}]`, point, features);
  });
  // Keeps sums of huge coordinates and inverses of tiny ones finite; a power of two rounds nothing that counts.
  const largest = points.reduce((most, point) => Math.max(most, maxNorm(point)), 0);
  const scale = largest > 1e290 ? 2 ** -80 : largest < 1e-290 ? 2 ** 200 : 1;
  if (scale === 1 || largest === 0) return leastSum(points);
  return scaled(leastSum(points.map(point => scaled(point, scale))), 1 / scale);
}

function leastSum(points: readonly Vector[]): Vector {
  const tested = new Set<number>();
  let here = weigh(points, coordinateMedian(points));
  for (let iteration = 0; iteration < 500; iteration++) {
    if (norm(here.pull) <= here.atPoint + PULL_TOLERANCE * points.length) break;
    if (!tested.has(here.nearest)) {
      tested.add(here.nearest);
      const point = weigh(points, points[here.nearest]!);
      if (norm(point.pull) <= point.atPoint) return point.y.slice();
    }
    const next = (iteration >= 20 ? newtonStep(points, here) : undefined) ?? extrapolate(points, here);
    if (iteration >= 20 && rise(points, here, next) >= 0) break;
    here = next;
  }
  return here.y;
}

/** Two Weiszfeld steps and, where it helps, the leap that they suggest. */
function extrapolate(points: readonly Vector[], here: Weighed): Weighed {
  const once = weigh(points, here.image);
  const twice = weigh(points, once.image);
  const first = subtract(once.y, here.y);
  const bend = subtract(subtract(twice.y, once.y), first);
  const stretch = norm(first) / norm(bend);
  if (!(stretch > 1 && stretch < Infinity)) return twice;
  const leap = weigh(points, addScaled(addScaled(here.y, 2 * stretch, first), stretch ** 2, bend));
  return rise(points, twice, leap) <= 0 ? leap : twice;
}

/** The longest of a few halved Newton steps that keeps a tenth of what it promises, if any; none on a point's kink. */
function newtonStep(points: readonly Vector[], here: Weighed): Weighed | undefined {
  if (here.atPoint > 0 || here.inverses === Infinity) return undefined;
  const step = cholesky(hessian(points, here), here.y.length)?.solve(here.pull);
  if (step === undefined) return undefined;
  const promise = dot(step, here.pull);
  for (let share = 1; share > 1e-3; share /= 2) {
    const next = weigh(points, addScaled(here.y, share, step));
    if (rise(points, here, next) <= -0.1 * share * promise) return next;
  }
  return undefined;
}

/** sum_i (I - u_i u_i') / d_i over the points away from y, row-major. */
function hessian(points: readonly Vector[], { y, distances, inverses }: Weighed): Float64Array {
  const size = y.length;
  const sum = new Float64Array(size * size);
  for (let i = 0; i < size; i++) sum[i * size + i] = inverses;
  points.forEach((point, k) => {
    const distance = distances[k]!;
    const unit = point.map((coordinate, i) => (coordinate - y[i]!) / distance);
    for (let i = 0; i < size; i++) {
      for (let j = 0; j < size; j++) sum[i * size + j]! -= (unit[i]! * unit[j]!) / distance;
    }
  });
  return sum;
}

/**
 * How much the objective rises from one place to another: the sum of (d'^2 - d^2)/(d' + d), in which nothing cancels.
 * The objectives themselves agree to the last bit long before the places do.
 */
function rise(points: readonly Vector[], from: Weighed, to: Weighed): number {
  let sum = 0;
  points.forEach((point, k) => {
    const both = from.distances[k]! + to.distances[k]!;
    if (both === 0) return;
    for (let j = 0; j < point.length; j++) {
      const middle = (from.y[j]! - point[j]! + (to.y[j]! - point[j]!)) / both;
      sum += (to.y[j]! - from.y[j]!) * middle;
    }
  });
  return sum;
}

/** The sum of unit vectors must vanish at the median; this is how far it may stay from it, per point. */
const PULL_TOLERANCE = 1e-14;

interface Weighed {
  readonly y: Vector;
  readonly distances: Float64Array;
  /** The sum of 1/d_i over the points away from y. */
  readonly inverses: number;
  /** R: the sum of unit vectors from y to the points away from it. */
  readonly pull: Vector;
  /** How many points lie at y. */
  readonly atPoint: number;
  readonly nearest: number;
  /** The next point of the corrected Weiszfeld map. */
  readonly image: Vector;
}

function weigh(points: readonly Vector[], y: Vector): Weighed {
  const distances = new Float64Array(points.length);
  const pull = new Float64Array(y.length);
  let inverses = 0;
  let atPoint = 0;
  let nearest = 0;
  points.forEach((point, i) => {
    const away = subtract(point, y);
    const distance = norm(away);
    distances[i] = distance;
    if (distance < distances[nearest]!) nearest = i;
    if (distance === 0) {
      atPoint++;
      return;
    }
    inverses += 1 / distance;
    for (let j = 0; j < pull.length; j++) pull[j]! += away[j]! / distance;
  });
  const strength = norm(pull);
  const move = strength > atPoint ? (1 - atPoint / strength) / inverses : 0;
  return { y, distances, inverses, pull, atPoint, nearest, image: addScaled(y, move, pull) };
}

/** A start that no single far point can carry away. */
function coordinateMedian(points: readonly Vector[]): Vector {
  const column = new Float64Array(points.length);
  const middle = points.length >> 1;
  return points[0]!.map((_, j) => {
    points.forEach((point, i) => {
      column[i] = point[j]!;
    });
    column.sort();
    return points.length % 2 === 1 ? column[middle]! : (column[middle - 1]! + column[middle]!) / 2;
  });
}
