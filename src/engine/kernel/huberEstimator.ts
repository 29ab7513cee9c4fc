import { refuse, requireInteger, requireNonNegative, requireProbability, requireVector } from '../../errors.ts';
import type { Coordinates } from '../../math/coordinates.ts';
import { meanOf } from '../../math/median.ts';
import { rankFactor } from '../../math/rankFactor.ts';
import { symmetricEigen } from '../../math/symmetricEigen.ts';
import { addScaled, distance, dot, maxNorm, scaled, subtract, type Vector, zeros } from '../../math/vector.ts';
import { rowsBetween } from '../../sample/sampleBatch.ts';
import type { BlockRequest, BlockSummer } from './blockSummer.ts';
import type { Points } from './rowGradients.ts';

/** What the estimator for contaminated rows assumes. */
export interface HuberOptions {
  /** The share of rows that may be arbitrary. */
  readonly contamination: number;
  /** The probability that its bound may fail with. */
  readonly failureProbability: number;
  /** How much wider than the shortest interval of one coordinate to look. */
  readonly intervalSlack?: number;
  /** How much farther than the bulk of the points to look. */
  readonly ballSlack?: number;
}

/**
 * alg:HubGradTrunc and alg:HuOutlier: the mean of points of which a share eps is arbitrary (Lai, Rao and Vempala).
 *
 *   truncate   p = 1: the shortest interval that covers a fraction q of the points
 *              p > 1: the smallest ball, around the coordinatewise 1-D estimates (at delta/p), that covers a fraction q
 *              q = (1 - eps - dev)(1 - eps)
 *              dev = C sqrt(log(n/delta)/n) for p = 1, C_p sqrt((p/n) log(n/(p delta))) otherwise
 *   estimate   p = 1: the mean of what is left
 *              p > 1: recurse in the span V of the top ceil(p/2) principal components of what is left;
 *                     the plain mean in its complement
 *
 *   eps -> contamination, delta -> failureProbability, C -> intervalSlack, C_p -> ballSlack
 *
 * The paper leaves C and C_p open; both are 0.1 here by default. In small samples q can fall below one half, even below
 * 0. A truncation always keeps a majority of the points, because otherwise outliers could not be distinguished from the
 * rest.
 */
export function huberEstimator({
  contamination,
  failureProbability,
  intervalSlack = 0.1,
  ballSlack = 0.1,
}: HuberOptions): (points: Points) => Vector {
  if (!(typeof contamination === 'number' && contamination >= 0 && contamination < 0.5)) {
    refuse('contamination', 'be in [0, 0.5)', contamination);
  }
  requireProbability('failureProbability', failureProbability);
  requireNonNegative('intervalSlack', intervalSlack);
  requireNonNegative('ballSlack', ballSlack);

  // In 1-D the text prints 1 - eps - dev (1 - eps), which keeps outliers; Prasad et al. and its line for p > 1 have this.
  const keptCount = (count: number, deviation: number): number => {
    const fraction = (1 - contamination - deviation) * (1 - contamination);
    // 0.8 * 0.8 * 25 is 16 plus a rounding error, which must not keep a 17th point.
    const asked = Math.ceil(fraction * count * (1 - 1e-14));
    return Math.min(count, Math.max(asked, Math.floor(count / 2) + 1));
  };

  const estimateLine = (values: Float64Array, delta: number): number => {
    const deviation = intervalSlack * Math.sqrt(Math.max(0, Math.log(values.length / delta)) / values.length);
    return meanOf(shortestInterval(values.slice().sort(), keptCount(values.length, deviation)));
  };

  const truncate = (points: Points): Points => {
    const { count, size } = points;
    const centre = Float64Array.from({ length: size }, (_, j) =>
      estimateLine(coordinate(points, j), failureProbability / size),
    );
    const logarithm = Math.log(count / (size * failureProbability));
    const deviation = ballSlack * Math.sqrt((size / count) * Math.max(0, logarithm));
    return smallestBall(points, centre, keptCount(count, deviation));
  };

  const estimate = (points: Points): Vector => {
    if (points.size === 1) return Float64Array.of(estimateLine(points.values, failureProbability));
    const kept = truncate(points);
    const centre = meanPoint(kept);
    const axes = symmetricEigen(covariance(kept, centre), kept.size);
    const top = axes.slice(0, Math.ceil(kept.size / 2)).map(({ vector }) => vector);
    const inTop = estimate(project(kept, top));
    // centre = its part in V + its part in W; the part in V is replaced by the estimate there.
    return top.reduce((result, axis, k) => addScaled(result, inTop[k]! - dot(centre, axis), axis), centre);
  };

  return points => {
    requireInteger('points.count', points.count, 1);
    requireInteger('points.size', points.size, 1);
    requireVector('points.values', points.values, points.count * points.size);
    return estimate(points);
  };
}

const coordinate = ({ count, size, values }: Points, j: number): Float64Array =>
  Float64Array.from({ length: count }, (_, i) => values[i * size + j]!);

const pointAt = ({ size, values }: Points, i: number): Vector => values.subarray(i * size, (i + 1) * size);

/** The values inside the shortest interval that contains at least `kept` of them; the lowest such interval on ties. */
function shortestInterval(sorted: Float64Array, kept: number): Float64Array {
  let first = 0;
  for (let i = 1; i + kept <= sorted.length; i++) {
    if (sorted[i + kept - 1]! - sorted[i]! < sorted[first + kept - 1]! - sorted[first]!) first = i;
  }
  const [low, high] = [sorted[first]!, sorted[first + kept - 1]!];
  return sorted.filter(value => value >= low && value <= high);
}

/** The points no farther from `centre` than the `kept`-th nearest. */
function smallestBall(points: Points, centre: Vector, kept: number): Points {
  const distances = Float64Array.from({ length: points.count }, (_, i) => distance(pointAt(points, i), centre));
  const radius = distances.toSorted()[kept - 1]!;
  const inside = [...distances.keys()].filter(i => distances[i]! <= radius);
  const values = new Float64Array(inside.length * points.size);
  inside.forEach((i, k) => {
    values.set(pointAt(points, i), k * points.size);
  });
  return { count: inside.length, size: points.size, values };
}

function meanPoint(points: Points): Vector {
  let sum: Vector = new Float64Array(points.size);
  for (let i = 0; i < points.count; i++) sum = addScaled(sum, 1, pointAt(points, i));
  return scaled(sum, 1 / points.count);
}

/** The covariance up to a factor that prevents overflow and underflow of its squares; only its axes matter. */
function covariance(points: Points, centre: Vector): Float64Array {
  const { count, size } = points;
  const sum = new Float64Array(size * size);
  let largest = 0;
  for (let i = 0; i < count; i++) largest = Math.max(largest, maxNorm(subtract(pointAt(points, i), centre)));
  if (largest === 0) return sum;
  for (let i = 0; i < count; i++) {
    const away = pointAt(points, i).map((value, j) => (value - centre[j]!) / largest);
    for (let j = 0; j < size; j++) {
      for (let k = 0; k <= j; k++) sum[j * size + k]! += (away[j]! * away[k]!) / count;
    }
  }
  for (let j = 0; j < size; j++) {
    for (let k = 0; k < j; k++) sum[k * size + j] = sum[j * size + k]!;
  }
  return sum;
}

function project(points: Points, axes: readonly Vector[]): Points {
  const values = new Float64Array(points.count * axes.length);
  for (let i = 0; i < points.count; i++) {
    const point = pointAt(points, i);
    axes.forEach((axis, k) => {
      values[i * axes.length + k] = dot(point, axis);
    });
  }
  return { count: points.count, size: axes.length, values };
}

/**
 * A summer of blocks and of the `rest` rows after the last one, which do not fill a block but are part of a plain
 * average.
 */
export function withRest(
  kernel: (request: BlockRequest) => BlockSummer,
  request: BlockRequest,
  rest: number,
): BlockSummer {
  const full = kernel(request);
  if (rest === 0) return full;
  const past = kernel({ ...request, blocks: 1, rowsPerBlock: rest });
  return {
    add(batch) {
      const used = full.add(batch);
      return used === batch.rows ? used : used + past.add(rowsBetween(batch, used, batch.rows));
    },
    finish: () => ({ ...full.finish(), rest: { sum: past.finish().sums, rows: rest } }),
  };
}

/**
 * An estimate of the mean of points g_i that is computed from P'g_i and carried back. The estimate is a linear
 * combination of the P'g_i, and the same combination of the g_i is the result:
 *
 *   y = estimate of the P'g_i,   sum_i w_i g_i   with   sum_i w_i P'g_i = y
 *   w_i = (P'g_i)' M^-1 y,   M = sum_i P'g_i (P'g_i)'
 *
 * So P need not be inverted, which would lose precision for features far from 0.
 */
export const estimateIn =
  ({ ofGradient }: Pick<Coordinates, 'ofGradient'>, estimate: (points: Points) => Vector) =>
  (points: Points): Vector => {
    const { count, size, values } = points;
    const rank = ofGradient(zeros(size)).length;
    const images = new Float64Array(count * rank);
    for (let i = 0; i < count; i++) images.set(ofGradient(values.subarray(i * size, (i + 1) * size)), i * rank);
    const found = estimate({ count, size: rank, values: images });
    const moments = new Float64Array(rank * rank);
    for (let i = 0; i < count; i++) {
      for (let j = 0; j < rank; j++)
        for (let k = 0; k <= j; k++) moments[j * rank + k]! += (images[i * rank + j]! * images[i * rank + k]!) / count;
    }
    const { solveFactor, solveTransposed } = rankFactor(moments, rank);
    const way = solveTransposed(solveFactor(found));
    const carried = zeros(size);
    for (let i = 0; i < count; i++) {
      const weight = dot(images.subarray(i * rank, (i + 1) * rank), way) / count;
      for (let j = 0; j < size; j++) carried[j]! += weight * values[i * size + j]!;
    }
    return carried;
  };
