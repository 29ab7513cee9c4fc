/** Blocks whose sums vary more than those of independent rows would. */
import { normalQuantile } from '../../math/normalQuantile.ts';
import { type CentredColumn, contributions } from './centredColumns.ts';
import type { NestedBlocks } from './nestedBlocks.ts';

export interface Alarm {
  readonly level: NestedBlocks;
  /** The largest e of all columns. */
  readonly excess: number;
}

interface AlarmOptions {
  readonly order: Uint32Array;
  readonly levels: readonly NestedBlocks[];
  /** Of e. */
  readonly least: number;
}

/** The loudest first. */
export function alarmsOf(
  columns: readonly CentredColumn[],
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

/** Of all fits of independent rows. */
const FALSE_ALARMS = 1e-4;

/** Sizes of blocks that make the intervals. */
const MOST_ALARMS = 4;
