/** Tables read one after the other as rows of features and a target, a bounded number of rows at a time. */
import { type Arena, columnArena, type Slot } from '../sample/arena.ts';
import type { LevelTally } from '../sample/levelTally.ts';
import type { SampleBatch } from '../sample/sampleBatch.ts';
import type { Samples } from '../sample/samples.ts';
import { spares } from '../sample/spares.ts';
import { columnFeed, type FeedSlot, type KnownLevels } from './columnFeed.ts';
import { type ColumnThreads, columnThreads, suitsThreads } from './columnThreads.ts';
import { dataError } from './dataError.ts';
import { designOf } from './design/designOf.ts';
import { sameDesign } from './design/sameDesign.ts';
import { columnsOf, type Design, type DesignOptions } from './design.ts';
import type { ReadingThread } from './readingThread.ts';
import { requireLevels } from './requireLevels.ts';
import { type NullPolicy, rowPolicy, type TargetRule } from './rowPolicy.ts';
import type { Table } from './table.ts';

export interface ReadOptions extends DesignOptions {
  readonly nulls?: NullPolicy;
  readonly targets?: TargetRule | null;
  /** Rows of a batch. */
  readonly batchRows?: number;
  /** Declared number of rows, for tables that do not know theirs; infinitely many to read them once to their end, however far it is. */
  readonly rows?: number;
  /** How many threads may decode large files; 1 unless given. */
  readonly threads?: number;
  /**
   * Undeclared levels that are told from others however many there are. Levels are counted only where this is given, if only as {}: what rows hold
   * is nothing that a private run may tell.
   */
  readonly knownLevels?: KnownLevels;
}

export interface TableSamples extends Samples {
  readonly design: Design;
  /** Of the latest pass: rows read so far, and how many of them were invalid. */
  readonly tally: { readonly read: number; readonly invalid: number };
  /** How many rows have which level, for every text feature, in the pass that came furthest; none where levels are not counted. */
  levels(): readonly LevelTally[];
  /** Whether there are rows beyond the declared number, as far as metadata or a pass have told. */
  hasMore(): boolean;
  close(): Promise<void>;
}

/** Rows of a batch unless told: 20 features of it fit in 11 MB, and a read of one column is half a megabyte. */
export const BATCH_ROWS = 2 ** 16;

const NO_ROWS = 'give a file with at least one, which in a CSV file come after the names of its columns';

/** `started` is a thread for reading that is on its way, which these samples close. */
export async function tableSamples(
  tables: readonly Table[],
  options: ReadOptions,
  started?: ReadingThread,
): Promise<TableSamples> {
  const [first] = tables;
  if (first === undefined) throw dataError({ table: 'no table' }, 'was given', 'name at least one file');
  const { nulls = 'error', targets = null, batchRows = BATCH_ROWS, threads = 1, knownLevels } = options;
  const design = await designFor(tables, options);
  const designs = tables.map(table => sameDesign(first, table, design));
  const names = tables.map(({ name }) => name);
  const rows = options.rows ?? (await countRows(tables));
  if (rows === 0) throw dataError({ table: names.join(', ') }, 'has no rows', NO_ROWS);
  let more = knownRows(tables) > rows;
  const tally = { read: 0, invalid: 0 };
  let furthest: Pass = { read: 0, levels: [] };

  // Rows that cannot be used are either named, or left out whatever is wrong with them.
  const lenient = nulls === 'skip';
  const reading = { tables, designs, lenient, batchRows, rows, knownLevels };
  const threading = { ...reading, threads };
  const isThreaded = suitsThreads(threading);
  let ready = isThreaded ? started : undefined;
  if (!isThreaded) started?.close();
  const columns = columnsOf(design).map((_, k) => k);
  const places = spares((): Place => {
    const arena = columnArena({
      features: design.features.length,
      capacity: batchRows,
      slots: 2,
      weights: true,
    });
    const helpers = isThreaded ? columnThreads(threading, ready) : undefined;
    ready = undefined;
    return { arena, slots: arena.slots.map(slot => feedSlot(design, slot, batchRows)), helpers };
  });

  async function* batches(): AsyncGenerator<SampleBatch> {
    tally.read = 0;
    tally.invalid = 0;
    let pass: Pass = { read: 0, levels: [] };
    let counts = design.weights === undefined;
    const place = places.take();
    const { arena, slots, helpers } = place;
    const judge = rowPolicy({ design, nulls, targets, tables: names, capacity: batchRows });
    const feed = helpers?.begin(slots) ?? columnFeed({ ...reading, columns, slots });

    const fillSlot = async (k: number): Promise<SampleBatch | undefined> => {
      const filled = await feed.fill(k);
      if (filled.rows === 0) return undefined;
      const { columns, target, weights } = arena.slots[k]!;
      const invalid = judge(slots[k]!, filled, weights);
      tally.read += filled.rows;
      tally.invalid += invalid;
      pass = { read: pass.read + filled.rows, levels: inOrder(filled.levels) };
      if (pass.read >= furthest.read) furthest = pass;
      more ||= filled.more;
      counts ||= weights.subarray(0, filled.rows).some(weight => weight > 0);
      const cut = (column: Float64Array): Float64Array => column.subarray(0, filled.rows);
      const batch = { rows: filled.rows, columns: columns.map(cut), target: cut(target) };
      return design.weights !== undefined || invalid > 0 ? { ...batch, weights: cut(weights) } : batch;
    };

    // One batch ahead: while the caller works on a batch, the next one is being read into the other slot.
    let ahead = fillSlot(0);
    try {
      for (let k = 1; ; k++) {
        const batch = await ahead;
        if (batch === undefined) break;
        ahead = fillSlot(k % 2);
        // Whoever leaves the loop never awaits it; its failure must not count as unhandled.
        ahead.catch(() => {});
        yield batch;
      }
      if (tally.read < rows && rows !== Infinity) {
        throw dataError(
          { table: first!.name },
          `ended after ${tally.read} of ${rows} rows`,
          'declare the right --rows',
        );
      }
      // What a model's columns hold is no fault of theirs.
      if (!options.isFixed) requireLevels(names, pass.levels);
      if (!counts) {
        throw dataError(
          { table: names.join(', '), column: design.weights!.name },
          'gives every row that can be used the weight 0, so that none counts',
          'choose another column as --weights',
        );
      }
    } finally {
      await ahead.catch(() => {});
      await feed.close();
      places.give(place);
    }
  }

  return {
    rows,
    features: design.features.length,
    weighted: design.weights !== undefined || nulls === 'skip',
    design,
    tally,
    batches,
    levels: () => furthest.levels,
    hasMore: () => more,
    close: async () => {
      await Promise.all(
        [...places.idle.map(({ helpers }) => helpers), ready, ...tables].map(opened => opened?.close()),
      );
    },
  };
}

/** Where nothing was read, the columns of a text file have no types, and the true fault is that it is empty. */
async function designFor(tables: readonly Table[], options: DesignOptions): Promise<Design> {
  try {
    return designOf(tables[0]!, options);
  } catch (error) {
    for (const table of tables) if (await hasRows(table)) throw error;
    throw dataError({ table: tables.map(({ name }) => name).join(', ') }, 'has no rows', NO_ROWS);
  }
}

async function hasRows(table: Table): Promise<boolean> {
  if (table.rows !== null) return table.rows > 0;
  for await (const frame of table.frames([])) if (frame.rows > 0) return true;
  return false;
}

/** How far a pass has come. */
interface Pass {
  readonly read: number;
  readonly levels: readonly LevelTally[];
}

const inOrder = (levels: ReadonlyMap<number, LevelTally>): readonly LevelTally[] =>
  [...levels].sort(([a], [b]) => a - b).map(([, tally]) => tally);

/** What a pass works with. */
interface Place {
  readonly arena: Arena;
  readonly slots: readonly FeedSlot[];
  readonly helpers: ColumnThreads | undefined;
}

/** An arena's slot as the design's columns, in their order, with marks for what is missing. */
function feedSlot(design: Design, { columns, target, weights }: Slot, capacity: number): FeedSlot {
  const own = [
    ...columns,
    ...(design.target === undefined ? [] : [target]),
    ...(design.weights === undefined ? [] : [weights]),
  ];
  const marks = new SharedArrayBuffer(own.length * capacity);
  return { columns: own, missing: own.map((_, k) => new Uint8Array(marks, k * capacity, capacity)) };
}

/** Rows that metadata tell of. */
const knownRows = (tables: readonly Table[]): number =>
  tables.reduce((sum, { rows }) => sum + (rows ?? 0), 0);

/** From metadata where the format has it, otherwise by one pass that decodes nothing. */
async function countRows(tables: readonly Table[]): Promise<number> {
  let total = 0;
  for (const table of tables) {
    if (table.rows !== null) {
      total += table.rows;
      continue;
    }
    for await (const frame of table.frames([])) total += frame.rows;
  }
  return total;
}
