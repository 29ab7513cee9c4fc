import { normalQuantile } from '../../../math/normalQuantile.ts';
import { type CentredColumn, contributions, type FileOrder } from './centredColumns.ts';
import type { NestedBlocks } from './nestedBlocks.ts';

/** Tests whether block sums vary more than those of independent rows. */
export interface Dependence {
  /** Block sizes that show correlation, the largest excess first; none where rows may well be independent. */
  readonly levels: readonly NestedBlocks[];
  /** e of the first. */
  readonly excess: number;
  /** Whether the largest blocks vary much more than those of a quarter of their size. */
  readonly isLong: boolean;
}

interface DependenceOptions extends FileOrder {
  readonly levels: readonly NestedBlocks[];
  /** Smaller values of e are ignored. */
  readonly least: number;
}

export function testDependence(
  columns: readonly CentredColumn[],
  influence: Float64Array,
  { levels, least, ...rows }: DependenceOptions,
): Dependence {
  const z = normalQuantile(1 - FALSE_ALARMS / (columns.length * (levels.length + WIDTHS.length)));
  /** By the Cornish-Fisher quantile. */
  const isLarge = ({ above, variance, skewness }: BlockSum): boolean => {
    const score = above / Math.sqrt(variance);
    return score > z && score > z + ((z * z - 1) / 6) * skewness();
  };
  const roomOf = (): Float64Array => new Float64Array(rows.order.length);
  const room: Room = [roomOf(), roomOf(), roomOf()];
  /** The largest e over all columns in which a test was significant. */
  const most = new Float64Array(levels.length);
  const isSignificant = levels.map(() => false);
  let [ofFew, largest] = [0, 0];
  for (const column of columns) {
    contributions(column, influence, rows, room[0]);
    const [all, fourths] = square(room);
    const isFound = (sum: BlockSum): boolean => {
      const isHeard = sum.above > least * all && isLarge(sum);
      if (isHeard) largest = Math.max(largest, sum.above / all);
      return isHeard;
    };
    const few = slidingSums(room[0], room[1], all * all - fourths, WIDTHS);
    const isFoundSliding = few.map(isFound).includes(true);
    const sums = levels.map(({ parts, pairs }) => gather(room, parts, pairs * (all * all - fourths)));
    const isFoundAt = sums.map(isFound);
    if (!isFoundSliding && !isFoundAt.includes(true)) continue;
    ofFew = Math.max(ofFew, few[0]!.above / all);
    sums.forEach(({ above }, at) => {
      most[at] = Math.max(most[at]!, above / all);
      if (isFoundAt[at]) isSignificant[at] = true;
    });
  }
  if (largest === 0) return { levels: [], excess: 0, isLong: false };
  // Correlation is established. Block sizes with a larger e than the significant ones have fewer blocks, so that their
  // own test had less power.
  const ranks = levels.map((_, at) => at).sort((a, b) => most[b]! - most[a]!);
  const found = ranks.filter(at => isSignificant[at] || most[at]! > largest);
  const last = levels.length - 1;
  const ranked = found.length === 0 ? ranks.slice(0, 1) : found.slice(0, MOST_LEVELS);
  return {
    levels: ranked.map(at => levels[at]!),
    excess: most[ranked[0]!]!,
    isLong: isSignificant[last]! && most[last]! > GROWING * (most[last - 1] ?? ofFew),
  };
}

interface BlockSum {
  /** Sum of S^2 - Q. */
  readonly above: number;
  /** Of that sum, for independent rows. */
  readonly variance: number;
  /** Third moment in units of the variance. */
  skewness(): number;
}

/** S, Q and F of rows, then of larger and larger blocks. */
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

/** Sums the parts of blocks, in the same memory: no block is before its first part. */
function gather([sums, squares, fourths]: Room, parts: Uint32Array, leastPairs: number): BlockSum {
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
  const pairs = Math.max(own, leastPairs);
  return { above, variance: 2 * pairs, skewness: () => Math.sqrt((8 * largest) / pairs) };
}

/** Share of fits of independent rows. */
const FALSE_ALARMS = 1e-4;

/** Of the sliding blocks. */
const WIDTHS = [2, 4, 8];

/** At most this many block sizes make the intervals. */
const MOST_LEVELS = 4;

/**
 * If the correlation reaches a tenth of a block, blocks four times as large have about a fifth more excess, and a dozen
 * of them half as much again by chance.
 */
const GROWING = 2;

/**
 * Overlapping blocks of a few neighbouring rows, one beginning at every row. They detect correlation over the next few
 * rows only, for which disjoint blocks have too few pairs where rows are few.
 *
 *   sum over blocks of m rows of (S^2 - Q) / (m - 1) = 2 sum over k < m of w_k T_k,   T_k = sum of s_i s_(i+k),   w_k = (m - k)/(m - 1)
 *
 * Given |s| and independent signs, its variance is 4 sum of w_k^2 s_i^2 s_(i+k)^2, and its third moment that of all
 * triples i < j < l within a block, 48 sum of w w w s_i^2 s_j^2 s_l^2. With m = 2 there are no such triples, and the
 * products are as independent as the signs are: tails are no heavier than normal ones, however few rows have most of
 * the sum.
 *
 * For blocks of each width; `pairs` is the sum of s_i^2 s_j^2 over all i and j but i = j. `above` is in units of m - 1,
 * and the variance at least its average over all orders of the rows, as for other blocks. The skewness, never below 0,
 * is slow, and computed for the few large sums only.
 */
export function slidingSums(
  values: Float64Array,
  squares: Float64Array,
  pairs: number,
  widths: readonly number[],
): readonly BlockSum[] {
  const rows = values.length;
  const lags = Math.max(...widths) - 1;
  const products = Float64Array.from({ length: lags }, (_, k) => productOf(values, k + 1));
  const ofSquares = Float64Array.from({ length: lags }, (_, k) => productOf(squares, k + 1));
  return widths.map(width => {
    const weightOf = (lag: number): number => (width - lag) / (width - 1);
    let [above, own, usual] = [0, 0, 0];
    for (let lag = 1; lag < width; lag++) {
      above += 2 * weightOf(lag) * products[lag - 1]!;
      own += 4 * weightOf(lag) ** 2 * ofSquares[lag - 1]!;
      usual += 4 * weightOf(lag) ** 2 * (rows - lag) * (pairs / (rows * (rows - 1)));
    }
    const variance = Math.max(own, usual);
    return { above, variance, skewness: () => triplesOf(squares, width, weightOf) / variance ** 1.5 };
  });
}

function triplesOf(squares: Float64Array, width: number, weightOf: (lag: number) => number): number {
  let sum = 0;
  for (let near = 1; near < width; near++)
    for (let far = near + 1; far < width; far++)
      sum += weightOf(near) * weightOf(far - near) * weightOf(far) * tripleOf(squares, near, far);
  return 48 * sum;
}

// Functions of their own, so that they are compiled once for all columns.

function productOf(values: Float64Array, lag: number): number {
  let sum = 0;
  for (let i = lag; i < values.length; i++) sum += values[i - lag]! * values[i]!;
  return sum;
}

function tripleOf(values: Float64Array, near: number, far: number): number {
  let sum = 0;
  for (let i = far; i < values.length; i++) sum += values[i - far]! * values[i - far + near]! * values[i]!;
  return sum;
}
