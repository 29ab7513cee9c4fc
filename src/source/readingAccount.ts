/** What passes over tables have told of the rows. */
import { LEAST_WEIGHT } from '../sample/leastWeight.ts';
import type { LevelTally } from '../sample/levelTally.ts';
import type { FilledSlot, PlacedRows } from './columnFeed.ts';

export interface ReadingAccount {
  /** Of the latest pass. */
  readonly tally: { readonly read: number; readonly invalid: number };
  /** Of the pass that came furthest. */
  levels(): readonly LevelTally[];
  hasMore(): boolean;
  /** By columns, how many rows of the latest pass have no value there that can be used. */
  unusable(): readonly number[];
  /** How many rows of each table have been read, in the latest pass. */
  pieces(): readonly PlacedRows[];
  begin(): PassAccount;
}

/** How far one pass has come. */
export interface PassAccount {
  readonly read: number;
  readonly levels: readonly LevelTally[];
  /** The largest weight so far, or one that is large enough (`LEAST_WEIGHT`); that where rows have no weights. */
  readonly largestWeight: number;
  /** By columns, how many rows have no value there that can be used. */
  readonly unusableIn: Float64Array;
  add(filled: FilledSlot, invalid: number, weights: Float64Array): void;
}

/** For so many columns; `more` says whether metadata already tell of rows beyond those that are read. */
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
