import type { LevelTally } from '../../sample/levelTally.ts';
import { LEAST_WEIGHT } from '../../sample/sampleBatch.ts';
import type { FilledSlot, PlacedRows } from './columnFeed.ts';

export interface ReadingAccount {
  /** For the latest pass. */
  readonly tally: { readonly read: number; readonly invalid: number };
  /** For the pass that came furthest. */
  levels(): readonly LevelTally[];
  hasMore(): boolean;
  /** For each column, the number of rows of the latest pass without a usable value. */
  unusable(): readonly number[];
  /** The number of rows read from each table, in the latest pass. */
  pieces(): readonly PlacedRows[];
  begin(): PassAccount;
}

/** The progress of one pass. */
export interface PassAccount {
  readonly read: number;
  readonly levels: readonly LevelTally[];
  /**
   * The largest weight so far, or the first that is large enough (`LEAST_WEIGHT`); `LEAST_WEIGHT` if rows have no
   * weights.
   */
  readonly largestWeight: number;
  /** For each column, the number of rows without a usable value. */
  readonly unusableIn: Float64Array;
  add(filled: FilledSlot, invalid: number, weights: Float64Array): void;
}

/**
 * What passes over tables have found out about the rows.
 *
 * `more` says whether the metadata already show rows beyond those that are read.
 */
export function readingAccount(columns: number, isWeighted: boolean, more: boolean): ReadingAccount {
  const tally = { read: 0, invalid: 0 };
  let hasMore = more;
  let latest = new Float64Array(columns);
  let rowsOf = new Map<number, number>();
  let furthest: Pick<PassAccount, 'read' | 'levels'> = { read: 0, levels: [] };

  return {
    tally,
    levels: () => furthest.levels,
    hasMore: () => hasMore,
    unusable: () => [...latest],
    pieces: () => [...rowsOf].map(([table, count]) => ({ table, row: 0, count })),
    begin() {
      tally.read = 0;
      tally.invalid = 0;
      let pass: typeof furthest = { read: 0, levels: [] };
      let largestWeight = isWeighted ? 0 : LEAST_WEIGHT;
      const unusableIn = new Float64Array(columns);
      latest = unusableIn;
      const own = new Map<number, number>();
      rowsOf = own;
      return {
        unusableIn,
        get read() {
          return pass.read;
        },
        get levels() {
          return pass.levels;
        },
        get largestWeight() {
          return largestWeight;
        },
        add({ rows, pieces, levels, more }, invalid, weights) {
          tally.read += rows;
          tally.invalid += invalid;
          for (const { table, count } of pieces) own.set(table, (own.get(table) ?? 0) + count);
          pass = { read: pass.read + rows, levels: inOrder(levels) };
          if (pass.read >= furthest.read) furthest = pass;
          hasMore ||= more;
          for (let i = 0; i < rows && largestWeight < LEAST_WEIGHT; i++)
            largestWeight = Math.max(largestWeight, weights[i]!);
        },
      };
    },
  };
}

const inOrder = (levels: FilledSlot['levels']): readonly LevelTally[] =>
  [...levels].sort(([a], [b]) => a - b).map(([, tally]) => tally);
