import type { Place } from '../../errors.ts';
import { isFiniteThroughout } from '../../sample/isFiniteThroughout.ts';
import type { LevelTally } from '../../sample/levelTally.ts';
import { settled } from '../../sample/shuffle/settled.ts';
import { columnsOf, type Design, rankedLevels } from '../design/design.ts';
import { type LevelCounter, levelCounter } from '../table/levels.ts';
import type { Frame, Table } from '../table/table.ts';
import { unitNumbers } from './unitNumbers.ts';

/** Memory for one batch, column by column in the order of `columnsOf`. */
export interface FeedSlot {
  readonly columns: readonly Float64Array[];
  /** 1 for a missing value, `FOREIGN` for a target value that is not one of its levels. */
  readonly missing: readonly Uint8Array[];
}

export const FOREIGN = 2;

/** Rows of a slot that are consecutive rows of one table. */
export interface PlacedRows {
  /** Index of the table. */
  readonly table: number;
  /** The first row, counted within the table. */
  readonly row: number;
  readonly count: number;
}

/** The table that a row of these pieces comes from, and its row number there. */
export function originOf(
  pieces: readonly PlacedRows[],
  row: number,
  tables: readonly string[],
): Required<Pick<Place, 'table' | 'row'>> {
  let end = 0;
  const piece = pieces.find(({ count }) => {
    end += count;
    return row < end;
  })!;
  return { table: tables[piece.table]!, row: piece.row + row - (end - piece.count) };
}

export interface FilledSlot {
  readonly rows: number;
  /** The origin of the rows, in order. */
  readonly pieces: readonly PlacedRows[];
  /** Columns with a missing or non-finite value. A missing value is marked, and 0. */
  readonly doubtful: readonly number[];
  /** Columns of the pass so far with whole numbers that doubles may have rounded. */
  readonly rounded: readonly number[];
  /** Whether the tables are known to have more rows than the pass. */
  readonly more: boolean;
  /** Level counts of the pass so far, by the first column of each text feature; empty if levels are not counted. */
  readonly levels: ReadonlyMap<number, LevelTally>;
}

export interface ColumnFeed {
  /** Reads the next rows; none at the end. Calls must not overlap. */
  fill(slot: number): Promise<FilledSlot>;
  /** Ends the pass. */
  close(): Promise<void>;
}

export interface FeedOptions {
  readonly tables: readonly Table[];
  /** The same design, for each table. */
  readonly designs: readonly Design[];
  /** The design's columns that this feed decodes. */
  readonly columns: readonly number[];
  readonly slots: readonly FeedSlot[];
  /** As in a `FillRequest`. */
  readonly lenient: boolean;
  /** The number of rows per slot, and in the whole pass. */
  readonly batchRows: number;
  readonly rows: number;
  /** If given, levels of text features are counted, these undeclared ones by name; as in `ReadOptions`. */
  readonly knownLevels?: KnownLevels | undefined;
}

/** Undeclared levels of text columns, by the columns' names. */
export type KnownLevels = Readonly<Record<string, readonly string[]>>;

interface Piece {
  readonly frame: Frame;
  readonly table: number;
  /** The row of the table at which the frame begins. */
  readonly frameRow: number;
  readonly start: number;
  readonly count: number;
}

interface DecodedRows extends Pick<Piece, 'frame' | 'start' | 'count'>, Pick<FeedOptions, 'lenient'> {
  readonly counters: ReadonlyMap<number, LevelCounter>;
  readonly rounded: Set<number>;
  readonly numberOf: (unit: string) => number;
}

/** Decodes columns of tables, one batch of rows after another, into memory provided by the caller. */
export function columnFeed(options: FeedOptions): ColumnFeed {
  const { tables, designs, columns, slots, lenient, batchRows, rows } = options;
  const source = piecesOf(tables, designs, columns);
  const counters = countersOf(options);
  const rounded = new Set<number>();
  const numberOf = unitNumbers();
  let read = 0;
  let rest: Piece | undefined;
  /**
   * Columns of each slot whose marks must be cleared; an earlier pass may have left some anywhere. Tracked, because
   * clearing shared memory is slow.
   */
  const marked: Iterable<number>[] = slots.map(() => columns);

  return {
    /** Small frames share a slot, unless they are live; a large one is split. */
    async fill(slot) {
      const { missing } = slots[slot]!;
      for (const k of marked[slot]!) missing[k]!.fill(0);
      const pieces: PlacedRows[] = [];
      const doubtful = new Set<number>();
      let filled = 0;
      while (filled < batchRows && read < rows) {
        if (filled > 0 && rest === undefined && tables[pieces[0]!.table]!.isLive) break;
        rest ??= (await source.next()).value ?? undefined;
        if (rest === undefined) break;
        const { frame, table, frameRow, start } = rest;
        const count = Math.min(rest.count, batchRows - filled, rows - read);
        const piece = { frame, start, count, lenient, counters, rounded, numberOf };
        for (const k of await decode(designs[table]!, columns, slots[slot]!, piece, filled)) doubtful.add(k);
        pieces.push({ table, row: frameRow + start, count });
        filled += count;
        read += count;
        rest = count < rest.count ? { ...rest, start: start + count, count: rest.count - count } : undefined;
      }
      marked[slot] = doubtful;
      return {
        rows: filled,
        pieces,
        doubtful: [...doubtful],
        rounded: [...rounded],
        more: read === rows && rest !== undefined,
        levels: new Map([...counters].map(([k, counter]) => [k, counter.tally()])),
      };
    },
    close: async () => {
      await source.return(undefined);
    },
  };
}

function countersOf({ tables, designs, columns, knownLevels }: FeedOptions): ReadonlyMap<number, LevelCounter> {
  if (knownLevels === undefined) return new Map();
  const all = columnsOf(designs[0]!);
  return new Map(
    columns.flatMap(k => {
      const { field, level, found } = all[k]!;
      if (level !== 0) return [];
      const { name } = tables[0]!.fields[field]!;
      const known = Object.hasOwn(knownLevels, name) ? knownLevels[name]! : [];
      return [[k, levelCounter(name, rankedLevels(all[k]!), known, found)] as const];
    }),
  );
}

async function* piecesOf(
  tables: readonly Table[],
  designs: readonly Design[],
  columns: readonly number[],
): AsyncGenerator<Piece, undefined> {
  for (const [index, table] of tables.entries()) {
    const all = columnsOf(designs[index]!);
    const wanted = [...new Set(columns.map(k => all[k]!.field))];
    let frameRow = 0;
    for await (const frame of table.frames(wanted)) {
      yield { frame, table: index, frameRow, start: 0, count: frame.rows };
      frameRow += frame.rows;
    }
  }
}

/** Fills rows [at, at + count) of a slot's columns from a frame; returns the doubtful columns. */
async function decode(
  design: Design,
  wanted: readonly number[],
  slot: FeedSlot,
  { frame, start, count, lenient, counters, rounded, numberOf }: DecodedRows,
  at: number,
): Promise<readonly number[]> {
  const columns = columnsOf(design);
  const outOf = (k: number): Float64Array => slot.columns[k]!.subarray(at, at + count);

  const isDoubtful = async (k: number): Promise<boolean> => {
    const { field, element, levels, level, found } = columns[k]!;
    // The first column of a text field fills all of them, from one decoding.
    if (level !== undefined && level > 0) return false;
    const out = outOf(k);
    const missing = slot.missing[k]!.subarray(at, at + count);
    const whole = { field, start, count, out, missing, lenient };
    const request = element === undefined ? whole : { ...whole, element };
    if (columns[k]!.isUnit) {
      const list = { levels: [] as string[], most: Infinity, longest: Infinity };
      await frame.discoverLevels({ ...request, ...list });
      return markUnits(out, missing, list.levels.map(numberOf)) > 0;
    }
    if (levels === undefined) {
      const absent = await frame.fill(request);
      if (columns[k]!.isLong && !rounded.has(k) && out.some(isLong)) rounded.add(k);
      return absent > 0 || !isFiniteThroughout(out);
    }
    const counter = counters.get(k);
    const absent = await (counter === undefined
      ? frame.fillLevels({ ...request, levels: rankedLevels(columns[k]!) })
      : frame.discoverLevels({ ...request, ...counter.list }));
    counter?.count(out, missing);
    if (level === undefined) return absent + markForeign(out, missing) > 0;
    // The first level is written last, because it overwrites the ranks from which all are made.
    const last = levels.length - 1;
    if (found?.pools) markOthers(out, missing, last, outOf(k + last));
    for (let rank = found?.pools ? last - 1 : last; rank >= 0; rank--) markLevel(out, missing, rank, outOf(k + rank));
    return absent > 0;
  };
  // Concurrently, because a reader may wait for the disk; and to completion, because no reader may still write after
  // the caller learns of a failure.
  const doubts = await settled(wanted.map(isDoubtful));
  return wanted.filter((_, index) => doubts[index]);
}

/** Replaces ranks by the numbers of units; a text that is not UTF-8, or empty, is nobody. Returns how many are missing. */
function markUnits(ranks: Float64Array, missing: Uint8Array, numbers: readonly number[]): number {
  let absent = 0;
  for (let i = 0; i < ranks.length; i++) {
    const number = missing[i] === 0 ? numbers[ranks[i]!] : undefined;
    missing[i] = number === undefined || number < 0 ? 1 : 0;
    ranks[i] = missing[i] === 1 ? 0 : number!;
    absent += missing[i]!;
  }
  return absent;
}

/** Whole numbers beyond are the nearest of several. */
const isLong = (value: number): boolean => Math.abs(value) > 2 ** 53;

function markLevel(ranks: Float64Array, missing: Uint8Array, rank: number, out: Float64Array): void {
  for (let i = 0; i < out.length; i++) out[i] = ranks[i] === rank && missing[i] === 0 ? 1 : 0;
}

/** Rows that have none of the levels of rank 0 to `last`, the last of which is the reference. */
function markOthers(ranks: Float64Array, missing: Uint8Array, last: number, out: Float64Array): void {
  for (let i = 0; i < out.length; i++) out[i] = (ranks[i]! < 0 || ranks[i]! > last) && missing[i] === 0 ? 1 : 0;
}

/** A text target outside its declared levels cannot be used. Returns how many there were. */
function markForeign(out: Float64Array, missing: Uint8Array): number {
  let foreign = 0;
  for (let i = 0; i < out.length; i++) {
    if (out[i]! >= 0) continue;
    missing[i] = FOREIGN;
    out[i] = 0;
    foreign++;
  }
  return foreign;
}
