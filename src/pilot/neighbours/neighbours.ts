/**
 * Whether rows that are neighbours in the file go together, as those of one day, person or place do, and how far off an
 * estimate may then be.
 *
 * Rows are taken in the order of the file and cut into K = 12, 48, 192, ... blocks of equally many, down to a few rows
 * each. Of independent rows, block sums of s_i = psi_i x_ij, what row i does to the gradient, vary as rows do, whatever
 * their law; of rows that go together they vary more:
 *
 *   e = sum over blocks of (S^2 - Q) / sum of Q,   S = sum of s, Q = sum of s^2 over the rows of a block
 *   z = sum of (S^2 - Q) / sqrt(2 sum of (Q^2 - F)),   F = sum of s^4
 *
 * Of K blocks alike, sqrt(2K) z + K is nearly chi-square with K degrees, of which Cornish and Fisher's quantile is
 * taken, at a level such that independent rows give an alarm in one fit of ten thousand, over all columns and block
 * sizes. Beside them, blocks of 2, 4 and 8 rows that begin at every row (slidingBlocks.ts) see what goes together with
 * the next few rows: of some hundred rows the others see little of that, and nothing where two blocks of them have most
 * of the noise. Where few rows have most of Q, pairs of them seldom meet in a block: the sum of Q^2 - F is at least
 * what it is on average over all ways to cut the rows, and K is (sum of Q^2 - F)/(largest Q^2 - F). Nothing is said
 * either where variances would grow by less than a quarter.
 *
 * The rows at hand may be a random share r of the file's. Pairs of them are then the share r^2 of all pairs, so that
 * all rows together have 1 + e/r times the variance of independent ones. With blocks of neighbouring rows,
 *
 *   variance_j = v_j + (sum over blocks of (A^-1 S)_j^2 / n - v_j)/r,   v_j = mean of (A^-1 s_i)_j^2
 *
 * the largest over those K that gave the loudest alarms, or are louder than what did.
 *
 * Independent rows may have been put in order by their targets, cases first. Then block sums differ, and nothing
 * follows from it: rows have to go together within stretches of such targets too (targetLevels.ts).
 */
import type { Loss } from '../../loss/loss.ts';
import { squared } from '../../loss/squared.ts';
import type { Coordinates } from '../../math/coordinates.ts';
import { meanOf } from '../../math/meanOf.ts';
import { dot, unitAlong, type Vector, zeros } from '../../math/vector.ts';
import type { SampleBatch } from '../../sample/sampleBatch.ts';
import { product } from '../product.ts';
import { weightedRisk } from '../weightedRisk.ts';
import { type CentredColumn, centredColumns, contributions, probesOf } from './centredColumns.ts';
import { type Dependence, testDependence } from './dependence.ts';
import { areSorted, orderOf } from './fileOrder.ts';
import { nestedBlocks } from './nestedBlocks.ts';
import { targetLevels } from './targetLevels.ts';

export interface Neighbours {
  /** Of next neighbours' psi, from -1 to 1. */
  readonly correlation: number;
  /** The size of the blocks that vary most. */
  readonly blockRows: number;
  /**
   * Whether the largest that were looked at vary much more than the next smaller ones, so that rows go together further
   * than that.
   */
  readonly isLong: boolean;
  /** How many times as much as blocks of independent rows they do. */
  readonly excess: number;
  /** Of each coefficient, from one row. */
  readonly variances: Vector;
  /** The same if rows were independent. */
  readonly independent: Vector;
  /** Of freedom. */
  readonly degrees: number;
}

export interface NeighbourOptions {
  /** Of every row, in the file; all different. */
  readonly places: Float64Array;
  readonly loss: Loss;
  /** The estimate, with the intercept last where there is one. */
  readonly theta: Vector;
  readonly intercept: boolean;
  /** How much rows count by their features, besides their weights; null where they count alike. */
  readonly rowWeights: ((batch: SampleBatch) => Float64Array) | null;
  /** In which the curvature of the rows is the identity. */
  readonly coordinates: Coordinates;
}

/** Null where nothing is amiss, and where rows are in the order of their targets: of these nobody can tell. */
export function neighbours(batch: SampleBatch, options: NeighbourOptions): Neighbours | null {
  const { places, rowWeights } = options;
  const { rows, weights } = batch;
  const inFile = orderOf(places);
  // Rows that do not count go with nobody.
  const order = weights === undefined ? inFile : inFile.filter(i => weights[i] !== 0);
  if (order.length < LEAST_ROWS) return null;
  if (areSorted(batch.target, order)) return null;
  const levels = nestedBlocks(places, order);
  const columns = centredColumns(batch, options.intercept);
  const bare = influenceOf(batch, options);
  const share = Math.min(1, rows / (places[inFile.at(-1)!]! - places[inFile[0]!]! + 1));
  const test = (stretches: Uint32Array): Dependence =>
    testDependence(probesOf(columns), bare, { order, stretches, levels, least: MATTERS * share });
  const wholeFile = Uint32Array.of(0, order.length);
  const dependence = test(wholeFile);
  if (dependence.levels.length === 0) return null;
  // Series may fall apart by their targets too: once rows go together within stretches, whatever stretches have in
  // common counts as well.
  const stretches = targetLevels(batch.target, order);
  if (stretches.length > wholeFile.length && test(stretches).levels.length === 0) return null;

  const influence = rowWeights === null ? bare : product(bare, rowWeights(batch));
  const whole = columns.map(({ values, centre }) => values.map(value => value - centre));
  const directions = directionsOf(columns, options);
  const along = (moments: Float64Array): Vector =>
    Float64Array.from(directions, direction => quadratic(moments, direction));
  const independent = along(momentsOf(whole, product(influence, influence)));
  const variances = independent.slice();
  for (const { blocks, starts } of dependence.levels) {
    const sums = columns.map(column => {
      const found = new Float64Array(order.length);
      contributions(column, influence, { order, stretches: wholeFile }, found);
      return blockSums(found, starts);
    });
    const scale = (blocks / (blocks - 1)) * (blocks / rows);
    along(momentsOf(sums, new Float64Array(blocks).fill(1))).forEach((mean, j) => {
      const own = independent[j]!;
      variances[j] = Math.max(variances[j]!, own + (scale * mean - own) / share);
    });
  }
  return {
    correlation: nextCorrelation(influence, places, order),
    blockRows: dependence.levels[0]!.blockRows,
    isLong: dependence.isLong,
    excess: 1 + dependence.excess / share,
    variances,
    independent,
    degrees: Math.min(...dependence.levels.map(({ blocks }) => blocks - 1)),
  };
}

/** So much more variance: intervals of nominal 95 % would hold 92 %. */
const MATTERS = 0.25;

/** Fewer say next to nothing of how they go together. */
const LEAST_ROWS = 60;

/** w psi of every row. */
function influenceOf(batch: SampleBatch, { loss, theta, intercept }: NeighbourOptions): Float64Array {
  const { rows, target, weights } = batch;
  const counts = weights ?? new Float64Array(rows);
  const found = weightedRisk(batch, { intercept, weights: counts }).residuals(theta, new Float64Array(rows));
  for (let i = 0; i < rows; i++) {
    const weight = weights?.[i] ?? 1;
    found[i] = weight === 0 ? 0 : weight * loss.slope(target[i]! - found[i]!, target[i]!);
  }
  return found;
}

function blockSums(values: Float64Array, starts: Uint32Array): Float64Array {
  const sums = new Float64Array(starts.length - 1);
  for (let b = 0; b < sums.length; b++) {
    let sum = 0;
    for (let k = starts[b]!; k < starts[b + 1]!; k++) sum += values[k]!;
    sums[b] = sum;
  }
  return sums;
}

/** Mean of w c c'. */
function momentsOf(columns: readonly Float64Array[], weights: Float64Array): Float64Array {
  const rows = weights.length;
  const batch = { rows, columns, target: new Float64Array(rows) };
  const risk = weightedRisk(batch, { intercept: false, weights });
  return risk.derivatives(squared(), zeros(columns.length)).curvature;
}

/** Of every coefficient, its row of A^-1, for features around their centres. */
function directionsOf(
  columns: readonly CentredColumn[],
  { coordinates: { size, toTheta, ofGradient }, intercept }: NeighbourOptions,
): readonly Vector[] {
  return columns.map((_, j) => {
    const unit = unitAlong(j, size);
    const direction = toTheta(ofGradient(unit));
    // (A^-1)_jk x_k = (A^-1)_jk (x_k - c_k) + (A^-1)_jk c_k, of which the last is the constant's.
    if (intercept)
      direction[size - 1]! += columns.reduce((sum, { centre }, k) => sum + direction[k]! * centre, 0);
    return direction;
  });
}

function quadratic(matrix: Float64Array, v: Vector): number {
  const size = v.length;
  return v.reduce((sum, value, j) => sum + value * dot(matrix.subarray(j * size, (j + 1) * size), v), 0);
}

function nextCorrelation(influence: Float64Array, places: Float64Array, order: Uint32Array): number {
  const mean = meanOf(Float64Array.from(order, i => influence[i]!));
  let [products, before, after] = [0, 0, 0];
  for (let k = 1; k < order.length; k++) {
    const [i, j] = [order[k - 1]!, order[k]!];
    if (places[j]! - places[i]! !== 1) continue;
    const [a, b] = [influence[i]! - mean, influence[j]! - mean];
    products += a * b;
    before += a * a;
    after += b * b;
  }
  return products === 0 ? 0 : products / Math.sqrt(before * after);
}
