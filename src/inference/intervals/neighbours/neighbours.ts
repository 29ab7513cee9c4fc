import type { Coordinates } from '../../../math/coordinates.ts';
import { meanOf } from '../../../math/median.ts';
import { addColumn, dot, product, unitAlong, type Vector, zeros } from '../../../math/vector.ts';
import { slopeOfSlope } from '../../../method/loss/loss.ts';
import { squared } from '../../../method/loss/squared.ts';
import type { SampleBatch } from '../../../sample/sampleBatch.ts';
import type { FitPart } from '../../pilot/blend/pilotBlend.ts';
import { weightedRisk } from '../../pilot/risk/weightedRisk.ts';
import { type CentredColumn, centredColumns, contributions, probesOf } from './centredColumns.ts';
import { type Dependence, testDependence } from './dependence.ts';
import { nestedBlocks } from './nestedBlocks.ts';

/**
 * A test of whether neighbouring rows of the file are correlated, as those of one day, person or place are, and block
 * estimates of the variance of the coefficients if they are.
 *
 * Rows are taken in the order of the file and cut into K = 12, 48, 192, ... blocks of equal size, down to a few rows
 * each. For independent rows, whatever their distribution, sums over blocks of s_i = psi_i x_ij, the contribution of
 * row i to the gradient, vary as single rows do; for correlated rows they vary more:
 *
 *   e = sum over blocks of (S^2 - Q) / sum of Q,   S = sum of s, Q = sum of s^2 over the rows of a block
 *   z = sum of (S^2 - Q) / sqrt(2 sum of (Q^2 - F)),   F = sum of s^4
 *
 * With K equal blocks, sqrt(2K) z + K is nearly chi-square with K degrees of freedom. It is tested by its
 * Cornish-Fisher quantile, at a level at which independent rows give a false alarm in one fit of ten thousand, over all
 * columns and block sizes. In addition, blocks of 2, 4 and 8 rows that begin at every row (dependence.ts) detect
 * correlation over the next few rows: among a few hundred rows the disjoint blocks have little power for that, and none
 * where two of them have most of the noise. Where few rows have most of Q, pairs of them seldom meet in a block: the
 * sum of Q^2 - F is then at least its average over all ways to cut the rows, and K is (sum of Q^2 - F)/(largest Q^2 -
 * F). Correlation that would raise variances by less than a quarter is ignored.
 *
 * The rows at hand may be a random share r of those of the file. Pairs of them are then the share r^2 of all pairs, so
 * that all rows together have 1 + e/r times the variance of independent ones. With blocks of neighbouring rows,
 *
 *   variance_j = v_j + (sum over blocks of (A^-1 S)_j^2 / n - v_j)/r,   v_j = mean of (A^-1 s_i)_j^2
 *
 * the largest over the significant K, and those with a larger e.
 *
 * Independent rows may have been sorted by their targets, cases first. Then block sums differ without any correlation:
 * rows must be correlated within stretches of such targets too (`targetLevels`).
 */
export interface Neighbours {
  /** Of the psi of adjacent rows, from -1 to 1. */
  readonly correlation: number;
  /** The block size with the largest excess. */
  readonly blockRows: number;
  /**
   * Whether the largest blocks have much more excess than the next smaller ones, so that the correlation reaches
   * further than they do.
   */
  readonly isLong: boolean;
  /** The variance of block sums over that for independent rows. */
  readonly excess: number;
  /** Of each coefficient, from one row. */
  readonly variances: Vector;
  /** The same if rows were independent. */
  readonly independent: Vector;
  /** Of freedom of the variances. */
  readonly degrees: number;
}

interface NeighbourOptions {
  /** Positions of the rows in the file; all different. */
  readonly places: Float64Array;
  /** The fits whose weighted mean the estimate is. */
  readonly parts: readonly Pick<FitPart, 'share' | 'loss' | 'theta'>[];
  readonly intercept: boolean;
  /** In which the curvature is the identity. */
  readonly coordinates: Coordinates;
}

/** Null where no correlation is found, and where rows are sorted by their targets, which hides it. */
export function neighbours(batch: SampleBatch, options: NeighbourOptions): Neighbours | null {
  const { places } = options;
  const { rows, weights } = batch;
  const inFile = orderOf(places);
  // Rows of weight 0 are ignored.
  const order = weights === undefined ? inFile : inFile.filter(i => weights[i] !== 0);
  if (order.length < LEAST_ROWS) return null;
  if (areSorted(batch.target, order)) return null;
  const levels = nestedBlocks(places, order);
  const columns = centredColumns(batch, options.intercept);
  const influence = influenceOf(batch, options);
  const share = Math.min(1, rows / (places[inFile.at(-1)!]! - places[inFile[0]!]! + 1));
  const test = (stretches: Uint32Array): Dependence =>
    testDependence(probesOf(columns), influence, { order, stretches, levels, least: MATTERS * share });
  const wholeFile = Uint32Array.of(0, order.length);
  const dependence = test(wholeFile);
  if (dependence.levels.length === 0) return null;
  // A time series may also split into stretches of different targets: once rows are correlated within stretches,
  // differences between these count too.
  const stretches = targetLevels(batch.target, order);
  if (stretches.length > wholeFile.length && test(stretches).levels.length === 0) return null;

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

/** Of the variance: without this much of it, intervals of nominal 95 % would have a coverage of 92 %. */
const MATTERS = 0.25;

/** Fewer rows say almost nothing about correlation. */
const LEAST_ROWS = 60;

/**
 * w psi of every row; of several fits their weighted mean, each in units of the mean curvature of the first, as if their
 * curvatures were proportional.
 */
function influenceOf(batch: SampleBatch, options: NeighbourOptions): Float64Array {
  const [first, ...others] = options.parts.map(part => ({ ...slopesOf(batch, part, options), share: part.share }));
  if (others.length === 0) return first!.slopes;
  const found = first!.slopes.map(slope => first!.share * slope);
  for (const { slopes, bend, share } of others) {
    if (share > 0 && bend > 0) addColumn(found, (share * first!.bend) / bend, slopes);
  }
  return found;
}

function slopesOf(
  batch: SampleBatch,
  { loss: { loss }, theta }: NeighbourOptions['parts'][number],
  { intercept }: Pick<NeighbourOptions, 'intercept'>,
): { readonly slopes: Float64Array; readonly bend: number } {
  const { rows, target, weights } = batch;
  const counts = weights ?? new Float64Array(rows);
  const slopes = weightedRisk(batch, { intercept, weights: counts }).residuals(theta, new Float64Array(rows));
  let bend = 0;
  for (let i = 0; i < rows; i++) {
    const weight = weights?.[i] ?? 1;
    const score = target[i]! - slopes[i]!;
    slopes[i] = weight === 0 ? 0 : weight * loss.slope(score, target[i]!);
    bend += weight * slopeOfSlope(loss, score, target[i]!);
  }
  return { slopes, bend };
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

/** The rows of A^-1, for centred features. */
function directionsOf(
  columns: readonly CentredColumn[],
  { coordinates: { size, toTheta, ofGradient }, intercept }: NeighbourOptions,
): readonly Vector[] {
  return columns.map((_, j) => {
    const unit = unitAlong(j, size);
    const direction = toTheta(ofGradient(unit));
    // (A^-1)_jk x_k = (A^-1)_jk (x_k - c_k) + (A^-1)_jk c_k, of which the last is the constant's.
    if (intercept) direction[size - 1]! += columns.reduce((sum, { centre }, k) => sum + direction[k]! * centre, 0);
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

/** Bucket sort of rows by their positions: random positions spread evenly over as many bins as there are rows. */
function orderOf(places: Float64Array): Uint32Array {
  const rows = places.length;
  const order = new Uint32Array(rows);
  let most = 0;
  let isSorted = true;
  for (let i = 0; i < rows; i++) {
    order[i] = i;
    if (places[i]! < most) isSorted = false;
    else most = places[i]!;
  }
  if (isSorted) return order;
  const bins = rows / (most + 1);
  const ends = new Uint32Array(rows + 1);
  for (let i = 0; i < rows; i++) ends[Math.floor(places[i]! * bins) + 1]!++;
  for (let k = 0; k < rows; k++) ends[k + 1]! += ends[k]!;
  for (let i = 0; i < rows; i++) order[ends[Math.floor(places[i]! * bins)]!++] = i;
  for (let k = 1; k < rows; k++) {
    const i = order[k]!;
    let at = k;
    for (; at > 0 && places[order[at - 1]!]! > places[i]!; at--) order[at] = order[at - 1]!;
    order[at] = i;
  }
  return order;
}

/** Whether targets almost never fall from one row to the next, or almost never rise. */
function areSorted(target: Float64Array, order: Uint32Array): boolean {
  let [rises, falls] = [0, 0];
  for (let k = 1; k < order.length; k++) {
    const change = target[order[k]!]! - target[order[k - 1]!]!;
    if (change > 0) rises++;
    else if (change < 0) falls++;
  }
  return Math.min(rises, falls) <= SORTED * (rises + falls);
}

const SORTED = 0.01;

/**
 * Stretches of the file with disjoint ranges of targets, as where cases come before controls, or targets above a median
 * before the others.
 *
 * If independent rows were sorted by their targets, s depends on the position in the file through the target only.
 * Where all targets of a stretch are above or below all those of the next, the rows within each are still independent,
 * around a mean of their own. Correlation within stretches is then more than sorting explains.
 *
 * The result is where stretches begin, and where the last one ends. One stretch where target ranges overlap, and where they split in
 * so many places that targets rise or fall along the file, as in a time series.
 */
export function targetLevels(target: Float64Array, order: Uint32Array): Uint32Array {
  const rows = order.length;
  const rising = Float64Array.from(order, i => target[i]!);
  const cuts = [cutsOf(rising), cutsOf(rising.map(value => -value))].find(({ length }) => length > 0) ?? [];
  return Uint32Array.from([0, ...(cuts.length < MOST_LEVELS ? cuts : []), rows]);
}

/** Positions with all lower values before and all higher ones behind. */
function cutsOf(values: Float64Array): readonly number[] {
  const least = values.slice();
  for (let k = least.length - 2; k >= 0; k--) least[k] = Math.min(least[k]!, least[k + 1]!);
  const cuts: number[] = [];
  let most = -Infinity;
  for (let k = 1; k < values.length && cuts.length < MOST_LEVELS; k++) {
    most = Math.max(most, values[k - 1]!);
    if (most < least[k]!) cuts.push(k);
  }
  return cuts;
}

/**
 * A file sorted by classes has few. In a series that rises along the file, such short stretches would hide the
 * correlation.
 */
const MOST_LEVELS = 12;
