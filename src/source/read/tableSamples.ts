import { dataError, type Place, requireChoice, requireInteger } from '../../errors.ts';
import type { Slot } from '../../sample/arena.ts';
import type { LevelTally } from '../../sample/levelTally.ts';
import { LEAST_WEIGHT, type SampleBatch } from '../../sample/sampleBatch.ts';
import type { Samples } from '../../sample/samples.ts';
import { counted } from '../../words.ts';
import { columnsOf, type Design, type DesignOptions, featuresWithout } from '../design/design.ts';
import { designOf } from '../design/designOf.ts';
import { fieldNamed, requireUnits } from '../design/featureColumns.ts';
import { type FoundLevels, requireLevels } from '../design/foundLevels.ts';
import { laterColumns, sameDesign } from '../design/sameDesign.ts';
import { leveled } from '../table/leveled.ts';
import type { Table } from '../table/table.ts';
import { type KnownLevels, originOf } from './columnFeed.ts';
import type { ReadingThread } from './columnThreads.ts';
import { type PassAccount, readingAccount } from './readingAccount.ts';
import { readingPlaces } from './readingPlaces.ts';
import { type NullPolicy, rowPolicy, type TargetRule } from './rowPolicy.ts';
import { survey } from './survey.ts';

/** How rows are read: which columns, what becomes of values that cannot be used, how many rows and threads. */
export interface ReadOptions extends DesignOptions {
  /**
   * Whether the rows are for a private run, whose errors must not depend on what rows hold; false unless given.
   * `openRows` then reads as `privateReading` says, and `fitPrivate` takes rows of files in no other way.
   */
  readonly forPrivate?: boolean;
  /** What becomes of rows that cannot be used; `auto` by default. */
  readonly nulls?: NullPolicy;
  /** The targets that a loss accepts; any unless given. */
  readonly targets?: TargetRule | null;
  /** Rows per batch. */
  readonly batchRows?: number;
  /**
   * The declared number of rows, for tables that do not know theirs; Infinity to read them once to the end, wherever it
   * is.
   */
  readonly rows?: number;
  /** The number of threads that may decode large files; 1 by default. */
  readonly threads?: number;
  /**
   * Undeclared levels that are counted separately, however many there are. Levels are counted only if this is given,
   * even as {}, because a private run must not reveal what rows contain.
   */
  readonly knownLevels?: KnownLevels;
  /** Ends a pass with the reason of the signal. */
  readonly signal?: AbortSignal;
}

/** The number of rows without a usable value in a column. */
export interface UnusableIn {
  readonly name: string;
  readonly rows: number;
}

/** Tables read one after another as rows of features and a target, a bounded number of rows at a time. */
export interface TableSamples extends Samples {
  readonly design: Design;
  /** For the latest pass: the rows read so far, and how many of them were invalid. */
  readonly tally: { readonly read: number; readonly invalid: number };
  /**
   * The number of rows with each level, for every text feature, in the pass that came furthest; empty if levels are not
   * counted.
   */
  levels(): readonly LevelTally[];
  /** Whether there are rows beyond the declared number, as far as metadata or a pass have shown. */
  hasMore(): boolean;
  /** Columns of the table in which rows of the latest pass had no usable value, and the number of such rows. */
  unusable(): readonly UnusableIn[];
  /** Whether they come from files, for words about them. */
  readonly inFiles: boolean;
  /** Columns of the latest pass with whole numbers beyond 2^53, which are the doubles nearest to them. */
  rounded(): readonly string[];
  /** How to leave columns of the table out of the features, for messages. */
  wayOutWithout(columns: readonly string[]): string;
  /** The table that a row of the latest pass comes from, and its row number there. */
  originOf(row: number): Required<Pick<Place, 'table' | 'row'>>;
  close(): Promise<void>;
}

/** Default rows per batch: 20 features of them take 11 MB, and a read of one column is half a megabyte. */
export const BATCH_ROWS = 2 ** 16;

const NO_ROWS = 'give at least one row; in a CSV file, rows follow the header line';

/** `started` is a reading thread started in advance, which these samples close. */
export async function tableSamples(
  given: readonly Table[],
  options: ReadOptions,
  started?: ReadingThread,
): Promise<TableSamples> {
  const tables = given.map(table => leveled(withUnits(table, options), Object.keys(options.categorical ?? {})));
  const [first] = tables;
  if (first === undefined)
    throw dataError({ table: 'no table' }, 'was given', 'name at least one file', 'ERR_ARGUMENT');
  const { nulls = 'auto', targets = null, batchRows = BATCH_ROWS, threads = 1, knownLevels } = options;
  requireChoice('nulls', nulls, ['auto', 'error', 'skip']);
  requireInteger('batchRows', batchRows, 1);
  requireInteger('threads', threads, 1);
  if (options.rows !== undefined && options.rows !== Infinity) requireInteger('rows', options.rows, 0);
  const surveyed = await surveyFor(tables, options, nulls);
  const design = withLater(await designFor(tables, surveyed.options), tables, options);
  const isWeighted = design.weights !== undefined;
  const designs = tables.map(table => sameDesign(first, table, design));
  if (options.unit !== undefined)
    for (const table of tables) requireUnits(table, fieldNamed(table, options.unit).field);
  const names = tables.map(({ name }) => name);
  const rows = options.rows ?? surveyed.rows ?? (await countRows(tables, options.signal));
  if (rows === 0) throw dataError({ table: names.join(', ') }, 'has no rows', NO_ROWS, 'ERR_NO_ROWS');
  const account = readingAccount(columnsOf(design).length, isWeighted, knownRows(tables) > rows);
  // Unusable rows are either reported, or skipped whatever is wrong with them.
  const lenient = nulls !== 'error';
  const places = readingPlaces(design, { tables, designs, lenient, batchRows, rows, knownLevels, threads }, started);

  async function* batches(): AsyncGenerator<SampleBatch> {
    const pass = account.begin();
    const place = places.take();
    const { slots, feedSlots } = place;
    const { unusableIn } = pass;
    const { isFixed = false } = options;
    const judge = rowPolicy({ design, nulls, targets, tables: names, capacity: batchRows, unusableIn, isFixed });
    const feed = place.begin();
    try {
      yield* oneAhead(async k => {
        options.signal?.throwIfAborted();
        const filled = await feed.fill(k);
        if (filled.rows === 0) return undefined;
        const slot = slots[k]!;
        const invalid = judge(feedSlots[k]!, filled, slot.weights);
        account.add(pass, filled, invalid, slot.weights);
        return batchIn(slot, filled.rows, isWeighted || invalid > 0);
      });
      requireWhole(pass);
    } finally {
      await feed.close().then(
        () => places.give(place),
        // A thread of the place has died: no pass can use the place again, so its other threads are ended here.
        async error => {
          await place.close();
          throw error;
        },
      );
    }
  }

  function requireWhole({ read, levels, largestWeight }: PassAccount): void {
    if (read < rows && rows !== Infinity) {
      throw dataError(
        { table: first!.name },
        `ended after ${read} of ${counted(rows, 'declared row')}`,
        'declare the right `rows`',
        'ERR_TOO_FEW_ROWS',
      );
    }
    // A model's levels need not occur in the data.
    if (!options.isFixed) requireLevels(names, levels);
    if (largestWeight >= LEAST_WEIGHT) return;
    const place = { table: names.join(', '), column: design.weights!.name };
    if (largestWeight > 0) {
      throw dataError(
        place,
        `has no weight above ${largestWeight}, and numbers that small lose precision`,
        'multiply all weights by one number, so that the largest is about 1',
      );
    }
    throw dataError(place, 'gives every usable row the weight 0', 'choose another column as `weights`');
  }

  return {
    rows,
    features: design.features.length,
    weighted: isWeighted || lenient,
    hasTarget: design.target !== undefined,
    namesRows: !options.forPrivate,
    design,
    tally: account.tally,
    batches,
    levels: account.levels,
    hasMore: account.hasMore,
    unusable: () => unusableIn(first, design, account.unusable()),
    inFiles: tables.every(({ format }) => format !== 'memory' && format !== 'sql'),
    rounded: () => account.rounded().map(k => columnsOf(design)[k]!.name),
    wayOutWithout: columns => featuresWithout(design, columns),
    originOf: row => originOf(account.pieces(), row, names),
    close: async () => {
      await Promise.all([places, ...tables].map(opened => opened.close()));
    },
  };
}

/**
 * The levels of a text are missing in the same rows, elements of a vector possibly in different ones: takes the largest
 * number.
 */
function unusableIn({ fields }: Table, design: Design, counts: readonly number[]): readonly UnusableIn[] {
  const most = new Map<string, number>();
  for (const [k, { field }] of columnsOf(design).entries()) {
    const { name } = fields[field]!;
    if (counts[k]! > (most.get(name) ?? 0)) most.set(name, counts[k]!);
  }
  return [...most].map(([name, rows]) => ({ name, rows }));
}

/**
 * With levels found in the rows, and columns left out that the rows say are no features. Not for a private run, whose
 * columns must not depend on rows; nor for a model, whose columns are known; nor for rows that can be read once only.
 */
export async function surveyFor(
  tables: readonly Table[],
  options: ReadOptions,
  nulls: NullPolicy,
): Promise<{ readonly rows?: number; readonly options: DesignOptions }> {
  const { forPrivate = false, isFixed = false, target, categorical = {}, rows: most = Infinity } = options;
  if (forPrivate || isFixed || tables.some(({ isReadOnce }) => isReadOnce)) return { options };
  const { rows, found, classes, leftOut } = await survey(tables, { ...options, nulls, most });
  const ofColumns = <T>(of: (column: FoundLevels) => T): Readonly<Record<string, T>> =>
    Object.fromEntries([...found].map(([name, column]) => [name, of(column)]));
  const ofTarget = target === undefined || classes === undefined ? {} : { [target]: classes };
  return {
    ...(rows !== null && { rows }),
    options: {
      ...options,
      categorical: { ...categorical, ...ofColumns(({ levels }) => levels), ...ofTarget },
      found: ofColumns(({ reference, pools }) => ({ reference, pools })),
      leftOut,
      classes,
    },
  };
}

/** Named features decide about columns that only later tables have. */
function withLater(design: Design, tables: readonly Table[], { features }: DesignOptions): Design {
  const later = features === undefined ? laterColumns(tables) : [];
  if (later.length === 0) return design;
  return Object.freeze({ ...design, passedOver: Object.freeze([...(design.passedOver ?? []), ...later]) });
}

/** If a text file is empty, its columns have no types, and the real problem is that it is empty. */
async function designFor(tables: readonly Table[], options: DesignOptions): Promise<Design> {
  try {
    return designOf(tables[0]!, options);
  } catch (error) {
    for (const table of tables) if (await hasRows(table)) throw error;
    throw dataError({ table: tables.map(({ name }) => name).join(', ') }, 'has no rows', NO_ROWS, 'ERR_NO_ROWS');
  }
}

/** The first rows of a slot. */
function batchIn({ columns, target, weights }: Slot, rows: number, isWeighted: boolean): SampleBatch {
  const cut = (column: Float64Array): Float64Array => column.subarray(0, rows);
  const batch = { rows, columns: columns.map(cut), target: cut(target) };
  return isWeighted ? { ...batch, weights: cut(weights) } : batch;
}

/**
 * Yields the results of `fill`, called for two slots in turn until it returns nothing, one ahead: while the caller
 * works on one, the next is being made in the other slot.
 */
export async function* oneAhead<T>(fill: (slot: number) => Promise<T | undefined>): AsyncGenerator<T> {
  let ahead = fill(0);
  try {
    for (let k = 1; ; k++) {
      const made = await ahead;
      if (made === undefined) return;
      ahead = fill(k % 2);
      // If the caller leaves the loop, this is never awaited; its failure must not be reported as unhandled.
      ahead.catch(() => {});
      yield made;
    }
  } finally {
    await ahead.catch(() => {});
  }
}

/** A unit's whole numbers of 64 bits are told apart by their texts, because doubles would round them. */
const withUnits = (table: Table, { unit }: ReadOptions): Table =>
  unit !== undefined && table.fields.some(({ name, kind }) => name === unit && kind === 'exact')
    ? leveled(table, [unit])
    : table;

/** The number of rows according to metadata. */
const knownRows = (tables: readonly Table[]): number => tables.reduce((sum, { rows }) => sum + (rows ?? 0), 0);

/** From metadata if the format has it, otherwise by one pass that decodes nothing. */
export async function countRows(tables: readonly Table[], signal?: AbortSignal): Promise<number> {
  let total = 0;
  for (const table of tables) {
    if (table.rows !== null) {
      total += table.rows;
      continue;
    }
    for await (const frame of table.frames([])) {
      signal?.throwIfAborted();
      total += frame.rows;
    }
  }
  return total;
}

async function hasRows(table: Table): Promise<boolean> {
  if (table.rows !== null) return table.rows > 0;
  for await (const frame of table.frames([])) if (frame.rows > 0) return true;
  return false;
}
