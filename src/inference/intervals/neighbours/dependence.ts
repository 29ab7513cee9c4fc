/** Tests whether block sums vary more than those of independent rows. */
import { normalQuantile } from '../../../math/normalQuantile.ts';
import { type CentredColumn, contributions, type RowOrder } from './centredColumns.ts';
import type { NestedBlocks } from './nestedBlocks.ts';
import { slidingSums } from './slidingBlocks.ts';

export interface Dependence {
  /** Block sizes that show correlation, the largest excess first; none where rows may well be independent. */
  readonly levels: readonly NestedBlocks[];
  /** e of the first. */
  readonly excess: number;
  /** Whether the largest blocks vary much more than those of a quarter of their size. */
  readonly isLong: boolean;
}

interface DependenceOptions extends RowOrder {
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
