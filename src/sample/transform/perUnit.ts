import { ArgumentError, requireInteger } from '../../errors.ts';
import { counted } from '../../words.ts';
import { columnArena } from '../arena.ts';
import { requireBatch, type SampleBatch } from '../sampleBatch.ts';
import type { Samples } from '../samples.ts';

/**
 * At most `most` rows of every unit, such as a person: the first ones, in file order. Later ones stay in their position
 * with weight 0. The unit is the last column of `samples`, an integer that identifies it, and is not part of the
 * result. A row whose unit is any other number (decimals, or anything from 2^53 on, to which several units may have
 * been rounded) has weight 0 too.
 *
 * Guarantee. At most `most` rows of one unit have nonzero weight. So replacing all its rows by those of a unit without
 * other rows removes at most `most` rows from the sums and adds at most `most`, which is no more than replacing `most`
 * rows. Edge cases. Rows have weight 1 or 0: those with any other weight get 0, silently, because no value may appear
 * in an error of a private run. Memory grows with the number of units, not of rows.
 */
export function perUnit(samples: Samples, most: number): Samples {
  requireInteger('most', most, 1);
  const features = samples.features - 1;
  const limited: Samples = Object.freeze({
    rows: samples.rows,
    features,
    weighted: true,
    hasTarget: samples.hasTarget,
    namesRows: samples.namesRows,
    async *batches() {
      const counts = unitCounts();
      let arena = columnArena({ features: 1, capacity: 1, slots: 1, weights: true });
      for await (const batch of samples.batches()) {
        requireBatch(batch, samples.features);
        if (arena.capacity < batch.rows) {
          arena = columnArena({ features: 1, capacity: batch.rows, slots: 1, weights: true });
        }
        const weights = arena.slots[0]!.weights.subarray(0, batch.rows);
        countRows(batch, features, most, counts, weights);
        yield { ...batch, columns: batch.columns.slice(0, features), weights };
      }
    },
  } satisfies Samples);
  limits.set(limited, most);
  return limited;
}

/** Marks rows where they are limited. A copy, which may have other rows or weights, has no mark. */
const limits = new WeakMap<object, number>();

/** Marks rows made from limited ones, none of which counts for more or occurs twice. */
export function asLimited<S extends Samples>(made: S, from: Samples): S {
  const most = limits.get(from);
  if (most !== undefined) limits.set(made, most);
  return made;
}

/** Marks rows that are limited where they are, by numbers that an engine gives to the rows of every unit. */
export function asLimitedTo<S extends Samples>(made: S, most: number): S {
  limits.set(made, requireInteger('most', most, 1));
  return made;
}

/** The most rows that a unit may have in these, if `perUnit` made them. */
export const mostPerUnit = (rows: object): number | undefined => limits.get(rows);

/** Refuses rows for a plan that protects all rows of a unit, unless `perUnit` has limited how many count. */
export function requireLimited(most: number | undefined, unitRows: number | undefined): void {
  if (unitRows === undefined || (most !== undefined && most <= unitRows)) return;
  throw new ArgumentError(
    `the plan protects units of at most ${counted(unitRows, 'row')}, but its rows ${most === undefined ? 'may have more of one unit' : `have up to ${most} of one`}; limit them by perUnit(samples, ${unitRows}), after everything else that changes rows`,
    'ERR_NOT_PRIVATE',
    { unitRows },
  );
}

function countRows(
  { rows, columns, weights: given }: SampleBatch,
  unit: number,
  most: number,
  counts: UnitCounts,
  weights: Float64Array,
): void {
  const units = columns[unit]!;
  for (let i = 0; i < rows; i++) {
    const isValid = (given?.[i] ?? 1) === 1 && Number.isSafeInteger(units[i]);
    weights[i] = isValid && counts.take(units[i]!, most) ? 1 : 0;
  }
}

/** For every unit, the number of its rows used so far. */
export interface UnitCounts {
  /**
   * Counts a row of a unit, an integer below 2^53 in absolute value, unless `most` are counted; returns whether it did.
   */
  take(unit: number, most: number): boolean;
}

/** A Map has at most 2^24 keys, so there are several: enough for 2^30 units, more than fit in memory. */
const SHARES = 64;

export function unitCounts(): UnitCounts {
  const shares = Array.from({ length: SHARES }, () => new Map<number, number>());
  return {
    take(unit, most) {
      const seen = shares[shareOf(unit)]!;
      const count = seen.get(unit) ?? 0;
      if (count >= most) return false;
      seen.set(unit, count + 1);
      return true;
    },
  };
}

/**
 * The Map that has the unit. Both halves are mixed as in MurmurHash3 (Appleby 2011), because unit numbers are rarely
 * random, and often multiples of something.
 */
export function shareOf(unit: number): number {
  let hash = unit ^ Math.imul(Math.floor(unit / 2 ** 32), 0x9e3779b1);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) & (SHARES - 1);
}
