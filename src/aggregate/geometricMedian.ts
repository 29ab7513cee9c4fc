/**
 * The geometric median of block means (the last line of alg:HTGE): argmin over y of sum_i ||y - mu_i||_2.
 *
 * Weiszfeld's map T(y) = sum_i (mu_i/d_i) / sum_i (1/d_i), d_i = ||y - mu_i||, with the correction of Vardi and
 * Zhang (2000) where y sits on w of the points: with R = the sum of unit vectors from y to the other points, y is the
 * median exactly when ||R|| <= w. Each nearest point is put to that test once, so a median at a point is
 * found exactly. Elsewhere the map is extrapolated (the S3 scheme of Varadhan and Roland, 2008), because Weiszfeld alone
 * crawls when the median lies near a point or the points near a line; an extrapolation that does not lower the
 * objective is dropped, so the objective never rises. Where even that crawls, Newton steps on R(y) = 0 finish: the
 * objective is flat there to the last bit long before its argument is known.
 */
import { refuse } from '../math/check.ts';
import { cholesky } from '../math/cholesky.ts';
import { addScaled, maxNorm, norm, scaled, subtract, type Vector } from '../math/vector.ts';
import type { BlockSums, Gradient, Privacy } from '../sample/blockSums.ts';
import type { Aggregator } from './aggregator.ts';

export function geometricMedian(): Aggregator {
  return Object.freeze({
    name: 'geometric-median',
    aggregate: <P extends Privacy>({ sums, blocks, rowsPerBlock, privacy }: BlockSums<P>): Gradient<P> => {
      const features = sums.length / blocks;
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
  const largest = Math.max(...points.map(maxNorm));
  if (!Number.isFinite(largest)) refuse('points', 'have finite coordinates', largest);
  // A power of two, so that scaling is exact, keeps sums and distances of huge coordinates finite.
  if (largest > 1e290) return scaled(medianOfPoints(points.map(point => scaled(point, 2 ** -80))), 2 ** 80);

  const settled = (at: Weighed): boolean => norm(at.pull) <= at.atPoint + PULL_TOLERANCE * points.length;
  const tested = new Set<number>();
  let here = weigh(points, coordinateMedian(points));
  for (let iteration = 0; iteration < 500 && !settled(here); iteration++) {
    if (!tested.has(here.nearest)) {
      tested.add(here.nearest);
      const point = weigh(points, points[here.nearest]!);
      if (norm(point.pull) <= point.atPoint) return point.y.slice();
    }
    here = (iteration >= 20 ? newtonStep(points, here) : undefined) ?? extrapolate(points, here);
  }
  return here.y;
}

/** Two Weiszfeld steps and, where it helps, the leap that they suggest. */
function extrapolate(points: readonly Vector[], here: Weighed): Weighed {
  const once = weigh(points, here.image);
  const twice = weigh(points, once.image);
  const best = twice.objective <= once.objective ? twice : once;
  const first = subtract(once.y, here.y);
  const bend = subtract(subtract(twice.y, once.y), first);
  const stretch = norm(first) / norm(bend);
  if (!(stretch > 1 && stretch < Infinity)) return best;
  const leap = weigh(points, addScaled(addScaled(here.y, 2 * stretch, first), stretch ** 2, bend));
  return leap.objective <= best.objective ? leap : best;
}

/** The longest of a few halved Newton steps that weakens the pull and raises the objective by rounding only, if any. */
function newtonStep(points: readonly Vector[], here: Weighed): Weighed | undefined {
  const step = cholesky(hessian(points, here.y), here.y.length)?.solve(here.pull);
  if (step === undefined) return undefined;
  for (let share = 1; share > 0.05; share /= 2) {
    const next = weigh(points, addScaled(here.y, share, step));
    if (norm(next.pull) < norm(here.pull) && next.objective <= here.objective * (1 + 1e-15)) return next;
  }
  return undefined;
}

/** sum_i (I - u_i u_i') / d_i over the points away from y, row-major. */
function hessian(points: readonly Vector[], y: Vector): Float64Array {
  const size = y.length;
  const sum = new Float64Array(size * size);
  for (const point of points) {
    const away = subtract(point, y);
    const distance = norm(away);
    if (distance === 0) continue;
    for (let i = 0; i < size; i++) {
      sum[i * size + i]! += 1 / distance;
      for (let j = 0; j < size; j++)
        sum[i * size + j]! -= ((away[i]! / distance) * (away[j]! / distance)) / distance;
    }
  }
  return sum;
}

/** The sum of unit vectors must vanish at the median; this is how far it may stay from it, per point. */
const PULL_TOLERANCE = 1e-14;

interface Weighed {
  readonly y: Vector;
  readonly objective: number;
  /** R: the sum of unit vectors from y to the points away from it. */
  readonly pull: Vector;
  /** How many points lie at y. */
  readonly atPoint: number;
  readonly nearest: number;
  /** The next point of the corrected Weiszfeld map. */
  readonly image: Vector;
}

function weigh(points: readonly Vector[], y: Vector): Weighed {
  let pull: Vector = new Float64Array(y.length);
  let objective = 0;
  let inverses = 0;
  let atPoint = 0;
  let nearest = 0;
  let leastDistance = Infinity;
  points.forEach((point, i) => {
    const away = subtract(point, y);
    const distance = norm(away);
    objective += distance;
    if (distance < leastDistance) {
      leastDistance = distance;
      nearest = i;
    }
    if (distance === 0) {
      atPoint++;
      return;
    }
    inverses += 1 / distance;
    pull = addScaled(pull, 1 / distance, away);
  });
  const strength = norm(pull);
  const move = strength > atPoint ? (1 - atPoint / strength) / inverses : 0;
  return { y, objective, pull, atPoint, nearest, image: addScaled(y, move, pull) };
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
