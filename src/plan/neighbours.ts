/**
 * Whether rows that are neighbours in the file go together, as those of one day, person or place do, and how far off an estimate may then be.
 *
 * Rows are taken in the order of the file and cut into K = 12, 48, 192, ... blocks of equally many, down to a few rows each. Of independent rows, block sums of s_i = psi_i x_ij, what row i does to the gradient, vary as
 * rows do, whatever their law; of rows that go together they vary more:
 *
 *   e = sum over blocks of (S^2 - Q) / sum of Q,   S = sum of s, Q = sum of s^2 over the rows of a block
 *   z = sum of (S^2 - Q) / sqrt(2 sum of (Q^2 - F)),   F = sum of s^4
 *
 * Of K blocks alike, sqrt(2K) z + K is nearly chi-square with K degrees, of which Cornish and Fisher's quantile is taken, at a level such that independent rows give an alarm in one fit of ten thousand, over all
 * columns and block sizes. Where few rows have most of Q, pairs of them seldom meet in a block: the sum of Q^2 - F is at least what it is on average over all ways to cut the rows, and K is
 * (sum of Q^2 - F)/(largest Q^2 - F). Nothing is said either where variances would grow by less than a quarter.
 *
 * The rows at hand may be a random share r of the file's. Pairs of them are then the share r^2 of all pairs, so that all rows together have 1 + e/r times the variance of independent ones. With blocks of neighbouring rows,
 *
 *   variance_j = v_j + (sum over blocks of (A^-1 S)_j^2 / n - v_j)/r,   v_j = mean of (A^-1 s_i)_j^2
 *
 * the largest over those K that gave the loudest alarms.
 */
import type { Loss } from '../loss/loss.ts';
import { squared } from '../loss/squared.ts';
import type { Coordinates } from '../math/coordinates.ts';
import { normalQuantile } from '../math/normalQuantile.ts';
import { dot, type Vector, zeros } from '../math/vector.ts';
import type { SampleBatch } from '../sample/sampleBatch.ts';
import { weightedRisk } from './weightedRisk.ts';

export interface Neighbours {
  /** Of next neighbours' psi, from -1 to 1. */
  readonly correlation: number;
  /** The size of the blocks that vary most. */
  readonly blockRows: number;
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
  const { rows } = batch;
  if (rows < LEAST_ROWS) return null;
  const order = orderOf(places);
  if (areSorted(batch.target, order)) return null;
  const levels = levelsOf(places, order);
  const columns = columnsOf(batch, options.intercept);
  const bare = influenceOf(batch, options);
  const share = Math.min(1, rows / (places[order.at(-1)!]! - places[order[0]!]! + 1));
  const alarms = alarmsOf(probesOf(columns), bare, { order, levels, least: MATTERS * share });
  if (alarms.length === 0) return null;

  const influence = rowWeights === null ? bare : product(bare, rowWeights(batch));
  const whole = columns.map(({ values, centre }) => values.map(value => value - centre));
  const directions = directionsOf(columns, options);
  const along = (moments: Float64Array): Vector =>
    Float64Array.from(directions, direction => quadratic(moments, direction));
  const independent = along(momentsOf(whole, product(influence, influence)));
  const variances = independent.slice();
  for (const { level } of alarms) {
    const { blocks, starts } = level;
    const sums = columns.map(column => {
      const found = new Float64Array(rows);
      contributions(column, influence, order, found);
      return blockSums(found, starts);
    });
    const scale = (blocks / (blocks - 1)) * (blocks / rows);
    along(momentsOf(sums, new Float64Array(blocks).fill(1))).forEach((mean, j) => {
      const own = independent[j]!;
      variances[j] = Math.max(variances[j]!, own + (scale * mean - own) / share);
    });
  }
  const [loudest] = alarms;
  return {
    correlation: nextCorrelation(influence, places, order),
    blockRows: loudest!.level.blockRows,
    excess: 1 + loudest!.excess / share,
    variances,
    independent,
    degrees: Math.min(...alarms.map(({ level }) => level.blocks - 1)),
  };
}

/** Of all fits of independent rows. */
const FALSE_ALARMS = 1e-4;

/** So much more variance: intervals of nominal 95 % would hold 92 %. */
const MATTERS = 0.25;

/** As many say what blocks vary by, to a half or so. */
const LEAST_BLOCKS = 12;

const GROWTH = 4;

const SMALLEST_BLOCK = 2.5;

/** Fewer say next to nothing of how they go together. */
const LEAST_ROWS = 60;

/** Sizes of blocks that make the intervals. */
const MOST_ALARMS = 4;

/** Rows by their places. Random places fall evenly into as many bins as there are rows, and few into the same. */
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

/** Blocks of neighbouring rows, of those that have any. */
interface Level {
  readonly blockRows: number;
  readonly blocks: number;
  /** Of all pairs of rows, those within a block. */
  readonly pairs: number;
  /** The row that each begins with, and how many rows there are. */
  readonly starts: Uint32Array;
  /** The block of the next smaller size, or the row, that each begins with, and how many of those there are. */
  readonly parts: Uint32Array;
}

function levelsOf(places: Float64Array, order: Uint32Array): readonly Level[] {
  const rows = order.length;
  const first = places[order[0]!]!;
  const span = places[order[rows - 1]!]! - first + 1;
  let count = LEAST_BLOCKS;
  while (span / (GROWTH * count) >= SMALLEST_BLOCK) count *= GROWTH;
  const levels: Level[] = [];
  // The block of every row, then of every block.
  const numbers = new Uint32Array(rows);
  for (let k = 0; k < rows; k++) numbers[k] = Math.floor(((places[order[k]!]! - first) * count) / span);
  for (let length = rows; count >= LEAST_BLOCKS; count /= GROWTH) {
    const before = levels.at(-1)?.starts;
    const parts = startsOf(numbers, length);
    const blocks = parts.length - 1;
    const starts = before === undefined ? parts : parts.map(part => before[part]!);
    let squares = 0;
    for (let b = 0; b < blocks; b++) {
      squares += (starts[b + 1]! - starts[b]!) ** 2;
      numbers[b] = Math.floor(numbers[parts[b]!]! / GROWTH);
    }
    const pairs = (squares - rows) / (rows * (rows - 1));
    levels.push({ blockRows: Math.round(span / count), blocks, pairs, starts, parts });
    length = blocks;
  }
  return levels;
}

/** Where runs of one and the same number begin, and where the last one ends. */
function startsOf(numbers: Uint32Array, length: number): Uint32Array {
  const starts = new Uint32Array(length + 1);
  let found = 0;
  for (let i = 0; i < length; i++) if (i === 0 || numbers[i] !== numbers[i - 1]) starts[found++] = i;
  starts[found++] = length;
  return starts.subarray(0, found);
}

/** Whether hardly a target falls from one row to the next, or hardly one rises. */
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

/** Values around a centre. */
interface Column {
  readonly values: Float64Array;
  readonly centre: number;
}

/** With an intercept, features around a centre of theirs, and a constant. */
function columnsOf({ rows, columns }: SampleBatch, intercept: boolean): readonly Column[] {
  const features = columns.map(column => column.subarray(0, rows));
  if (!intercept) return features.map(values => ({ values, centre: 0 }));
  const constant = { values: new Float64Array(rows).fill(1), centre: 0 };
  return [...features.map(values => ({ values, centre: meanOf(values.subarray(0, FEW_ROWS)) })), constant];
}

/** Enough for centres and units. */
const FEW_ROWS = 2000;

/** What is looked at first: of many features, sums of several in units of their own. */
function probesOf(columns: readonly Column[]): readonly Column[] {
  const { length: rows } = columns[0]!.values;
  const most = Math.max(LEAST_PROBES, Math.min(MOST_PROBES, Math.floor(MOST_VALUES / rows)));
  if (columns.length <= most) return columns;
  const probes = Array.from({ length: most }, () => ({ values: new Float64Array(rows), centre: 0 }));
  columns.forEach((column, j) => {
    // The constant, if there is one, stays alone.
    const probe = probes[j === columns.length - 1 ? most - 1 : j % (most - 1)]!;
    addInUnits(probe.values, column);
  });
  return probes;
}

const MOST_PROBES = 6;
const LEAST_PROBES = 3;
const MOST_VALUES = 2 ** 17;

// In functions of their own, which are compiled once for all columns.

function addInUnits(sums: Float64Array, { values, centre }: Column): void {
  let squares = 0;
  for (let i = 0; i < values.length && i < FEW_ROWS; i++) squares += (values[i]! - centre) ** 2;
  if (squares === 0) return;
  const unit = 1 / Math.sqrt(squares);
  for (let i = 0; i < values.length; i++) sums[i]! += unit * (values[i]! - centre);
}

function meanOf(values: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]!;
  return sum / values.length;
}

function product(a: Float64Array, b: Float64Array): Float64Array {
  const products = new Float64Array(a.length);
  for (let i = 0; i < products.length; i++) products[i] = a[i]! * b[i]!;
  return products;
}

/** s in the order of the file, around its mean. */
function contributions(
  { values, centre }: Column,
  influence: Float64Array,
  order: Uint32Array,
  into: Float64Array,
): void {
  let sum = 0;
  for (let k = 0; k < order.length; k++) {
    const i = order[k]!;
    const found = (values[i]! - centre) * influence[i]!;
    into[k] = found;
    sum += found;
  }
  const mean = sum / order.length;
  for (let k = 0; k < order.length; k++) into[k]! -= mean;
}

interface Alarm {
  readonly level: Level;
  /** The largest e of all columns. */
  readonly excess: number;
}

interface AlarmOptions {
  readonly order: Uint32Array;
  readonly levels: readonly Level[];
  /** Of e. */
  readonly least: number;
}

/** The loudest first. */
function alarmsOf(
  columns: readonly Column[],
  influence: Float64Array,
  { order, levels, least }: AlarmOptions,
): readonly Alarm[] {
  const z = normalQuantile(1 - FALSE_ALARMS / (columns.length * levels.length));
  const roomOf = (): Float64Array => new Float64Array(order.length);
  const room: Room = [roomOf(), roomOf(), roomOf()];
  const most = new Float64Array(levels.length);
  for (const column of columns) {
    contributions(column, influence, order, room[0]);
    const [all, fourths] = square(room);
    levels.forEach((level, at) => {
      const { above, own, largest } = gather(room, level.parts);
      const pairs = Math.max(own, level.pairs * (all * all - fourths));
      const limit = z + ((z * z - 1) / 3) * Math.sqrt((2 * largest) / pairs);
      if (above > limit * Math.sqrt(2 * pairs)) most[at] = Math.max(most[at]!, above / all);
    });
  }
  return levels
    .flatMap((level, at) => (most[at]! > least ? [{ level, excess: most[at]! }] : []))
    .sort((a, b) => b.excess - a.excess)
    .slice(0, MOST_ALARMS);
}

/** S, Q and F of rows, then of ever larger blocks. */
type Room = readonly [Float64Array, Float64Array, Float64Array];

/** Q and F of single rows, and their sums. */
function square([values, squares, fourths]: Room): readonly [number, number] {
  let [all, allFourths] = [0, 0];
  for (let i = 0; i < values.length; i++) {
    const q = values[i]! * values[i]!;
    squares[i] = q;
    fourths[i] = q * q;
    all += q;
    allFourths += q * q;
  }
  return [all, allFourths];
}

/** Blocks of their parts, in the same memory: no block is before its first part. */
function gather(
  [sums, squares, fourths]: Room,
  parts: Uint32Array,
): { readonly above: number; readonly own: number; readonly largest: number } {
  let [above, own, largest] = [0, 0, 0];
  for (let b = 0; b + 1 < parts.length; b++) {
    let s = 0;
    let q = 0;
    let f = 0;
    for (let k = parts[b]!; k < parts[b + 1]!; k++) {
      s += sums[k]!;
      q += squares[k]!;
      f += fourths[k]!;
    }
    sums[b] = s;
    squares[b] = q;
    fourths[b] = f;
    const pairs = Math.max(0, q * q - f);
    above += s * s - q;
    own += pairs;
    if (pairs > largest) largest = pairs;
  }
  return { above, own, largest };
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
  columns: readonly Column[],
  { coordinates: { size, toTheta, ofGradient }, intercept }: NeighbourOptions,
): readonly Vector[] {
  return columns.map((_, j) => {
    const unit = zeros(size);
    unit[j] = 1;
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
  const mean = meanOf(influence);
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
