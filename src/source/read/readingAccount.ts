import type { LevelTally } from '../../sample/levelTally.ts';
import { LEAST_WEIGHT } from '../../sample/sampleBatch.ts';
import type { FilledSlot, PlacedRows } from './columnFeed.ts';

/** The progress of one pass. */
export interface PassAccount {
  read: number;
  levels: readonly LevelTally[];
  /**
   * The largest weight so far, or the first that is large enough (`LEAST_WEIGHT`); `LEAST_WEIGHT` if rows have no
   * weights.
   */
  largestWeight: number;
  /** For each column, the number of rows without a usable value. */
  readonly unusableIn: Float64Array;
  /** Columns with whole numbers that doubles may have rounded. */
  readonly rounded: Set<number>;
  /** By table. */
  readonly rowsOf: Map<number, number>;
}

/**
 * What passes over tables have found out about the rows.
 *
 * `more` says whether the metadata already show rows beyond those that are read.
 */
export function readingAccount(columns: number, isWeighted: boolean, more: boolean) {
  const tally = { read: 0, invalid: 0 };
  const newPass = (): PassAccount => ({
    read: 0,
    levels: [],
    largestWeight: isWeighted ? 0 : LEAST_WEIGHT,
    unusableIn: new Float64Array(columns),
    rounded: new Set(),
    rowsOf: new Map(),
  });
  let hasMore = more;
  let latest = newPass();
  let furthest = latest;

  return {
    /** For the latest pass. */
    tally,
    /** For the pass that came furthest. */
    levels: (): readonly LevelTally[] => furthest.levels,
    /** Of the latest pass: columns with whole numbers that doubles may have rounded. */
    rounded: (): readonly number[] => [...latest.rounded].sort((a, b) => a - b),
    hasMore: (): boolean => hasMore,
    /** For each column, the number of rows of the latest pass without a usable value. */
    unusable: (): readonly number[] => [...latest.unusableIn],
    /** The number of rows read from each table, in the latest pass. */
    pieces: (): readonly PlacedRows[] => [...latest.rowsOf].map(([table, count]) => ({ table, row: 0, count })),
    begin: (): PassAccount => {
      Object.assign(tally, { read: 0, invalid: 0 });
      latest = newPass();
      return latest;
    },
    add(
      pass: PassAccount,
      { rows, pieces, rounded, levels, more }: FilledSlot,
      invalid: number,
      weights: Float64Array,
    ): void {
      tally.read += rows;
      tally.invalid += invalid;
      for (const { table, count } of pieces) pass.rowsOf.set(table, (pass.rowsOf.get(table) ?? 0) + count);
      pass.read += rows;
      for (const column of rounded) pass.rounded.add(column);
      pass.levels = [...levels].sort(([a], [b]) => a - b).map(([, levelTally]) => levelTally);
      if (pass.read >= furthest.read) furthest = pass;
      hasMore ||= more;
      for (let i = 0; i < rows && pass.largestWeight < LEAST_WEIGHT; i++)
        pass.largestWeight = Math.max(pass.largestWeight, weights[i]!);
    },
  };
}
