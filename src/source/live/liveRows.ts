import { ArgumentError, dataError } from '../../errors.ts';
import type { FoundBy, LevelTally } from '../../sample/levelTally.ts';
import { rowsBetween, type SampleBatch } from '../../sample/sampleBatch.ts';
import type { Samples } from '../../sample/samples.ts';
import { counted, listed } from '../../words.ts';
import type { Design, DesignColumn } from '../design/design.ts';
import { tablesInPlace } from '../memory/memoryTables.ts';
import type { ArrowBatch } from '../memory/rowSource.ts';
import { privateReading } from '../read/openRows.ts';
import type { TargetRule } from '../read/rowPolicy.ts';
import { type ReadOptions, surveyFor, tableSamples } from '../read/tableSamples.ts';
import type { Field } from '../table/table.ts';
import type { Arrival, Item, LiveColumns, OpenStream, Position } from './liveSource.ts';
import { liveTable } from './liveTable.ts';

/** How the rows of a stream are read. */
export interface LiveRowsOptions
  extends Pick<ReadOptions, 'features' | 'categorical' | 'weights' | 'unit' | 'intercept' | 'nulls' | 'signal'> {
  readonly target: string;
  /** The name of the stream, for messages. */
  readonly name: string;
  readonly forPrivate: boolean;
  /** The columns that an earlier part of the run settled on. */
  readonly design?: LiveDesign | undefined;
  /** The position that the stream was opened at. */
  readonly from: Position | null;
  /** Rows that the run needs before it begins, by its number of features; they say what the columns are. */
  readonly pilotRows: (features: number) => number;
  /** The targets that the loss accepts; others cannot be used. */
  readonly targets?: (design: LiveDesign) => TargetRule | null;
  /** Rows after which the stream is taken to have ended; none unless given. */
  readonly most?: number | undefined;
  /** Milliseconds after its first row that a chunk is closed; never unless given, and never in a private run. */
  readonly every?: number | undefined;
  /** Takes the number of rows that have arrived, and of those that the pilot needs while there is none. */
  readonly onRows?: (arrived: number, needed: number | null) => void;
}

/** What a stream's first rows, or declarations, have settled for the whole run: plain data, kept in checkpoints. */
export interface LiveDesign {
  /** The features, named as in results. */
  readonly columns: readonly Pick<DesignColumn, 'name' | 'level' | 'field'>[];
  /** What the columns that are read hold; null where one is a vector, which no declaration has a word for. */
  readonly kinds: LiveColumns | null;
  readonly categorical: Readonly<Record<string, readonly string[]>>;
  readonly found: Readonly<Record<string, FoundBy>>;
  /** Features that are dates or times. */
  readonly times: readonly string[];
  /** Whether the pilot's targets are 0 and 1, both of them. */
  readonly isTwofold: boolean;
  /** The levels of text features that the pilot had and that were not declared. */
  readonly seen: Readonly<Record<string, readonly string[]>>;
}

/** What the pilot's rows had, for notes. */
export interface PilotAccount {
  readonly design: Design;
  readonly levels: readonly LevelTally[];
}

/** How far a stream has been used, and what its rows had up to there. */
export interface Used {
  readonly position: Position;
  /** Rows without a usable value, since the last call. */
  readonly unusable: number;
  /** Rows with a level that neither the pilot had nor the caller declared, since the last call, by column. */
  readonly newLevels: readonly { readonly column: string; readonly level: string | null }[];
}

/** A stream's rows for `split`, one pass that can be left and taken up again where it was used up to. */
export interface LiveRows extends Samples {
  readonly design: LiveDesign;
  /** Null where an earlier part of the run settled the columns. */
  readonly pilot: PilotAccount | null;
  /** Says that so many rows have been used since the stream was opened, never fewer than before. */
  use(rows: number): Used;
  /** Whose row it is, by the number in the rows' last column: a text is known by a number until its rows are used. */
  unitOf(number: number): string | number;
  close(): Promise<void>;
}

/** Rows of one reading: a chunk is cut anew, so that more would only take memory. */
const BATCH_ROWS = 2 ** 13;
/** As many rows tell what the columns are, whatever the pilot needs. */
const LEAST_PILOT = 400;
/** Rows without one that can be used after which columns are settled all the same: more would only take memory. */
const MOST_SURVEYED = 2 ** 16;

/**
 * A stream as endless rows. The first ones are kept and surveyed as files are: which columns are features, their
 * levels, whether the target has two classes; as many as the pilot needs, which depends on the number of coefficients,
 * and so on the levels that were found. They are then read again, followed by all others, each arrival as soon as it is
 * there. In a private run nothing is surveyed: columns are declared, and a row that cannot be used is one of weight 0,
 * in its place.
 */
export async function liveRows(stream: OpenStream, options: LiveRowsOptions): Promise<LiveRows> {
  const { name, from, forPrivate, signal, most = Infinity, every, onRows } = options;
  const places = placesFrom(from);
  const kept: ArrowBatch[] = [];
  const arrivals = stream.arrivals[Symbol.asyncIterator]();
  let arrived = -(from?.rows ?? 0);
  let needed = options.design === undefined && !forPrivate ? LEAST_PILOT : null;
  const pull = async (): Promise<ArrowBatch | undefined> => {
    if (arrived >= most) return undefined;
    const next = await untilAborted(arrivals.next(), signal);
    if (next.done) return undefined;
    const { batch, items } = next.value as Arrival;
    requireFirst(items, arrived, name);
    places.add(items);
    arrived += batch.numRows;
    onRows?.(Math.max(0, Math.min(arrived, most)), needed);
    return batch;
  };
  const keep = async (): Promise<boolean> => {
    const batch = await pull();
    if (batch !== undefined) kept.push(batch);
    return batch !== undefined;
  };
  const close = async (): Promise<void> => {
    await stream.close();
  };

  try {
    while (kept.every(({ numRows }) => numRows === 0) && (await keep()));
    const first = kept.find(({ numRows }) => numRows > 0);
    if (first === undefined && options.design !== undefined) return nothing(options.design, options, close);
    if (first === undefined)
      throw dataError({ table: name }, 'ended before its first row', 'give at least one row', 'ERR_NO_ROWS');
    let design: LiveDesign | undefined = options.design;
    let pilot: PilotAccount | null = null;
    if (design === undefined && forPrivate) design = declared(options);
    for (let rows = LEAST_PILOT; design === undefined; ) {
      needed = rows;
      while (arrived < rows && (await keep()));
      const found = await surveyed(kept, Math.min(rows, arrived, most), options);
      // Rows without a target say nothing of the columns.
      if (found.isEmpty && arrived >= rows && rows < Math.min(most, MOST_SURVEYED)) {
        rows *= 2;
        continue;
      }
      const wanted = options.pilotRows(found.design.columns.length);
      if (wanted <= rows && arrived >= Math.min(rows, wanted)) {
        pilot = found.pilot;
        design = found.design;
      } else if (arrived < rows || most < wanted)
        throw dataError(
          { table: name },
          `ended after ${counted(Math.min(arrived, most), 'row')}, but the first estimate needs ${wanted}, for ${counted(found.design.columns.length, 'feature')}`,
          'give more rows, name fewer `features`, or fit them as a file',
          'ERR_TOO_FEW_ROWS',
        );
      else rows = wanted;
    }
    needed = null;
    return await opened(first, design, pilot);
  } catch (error) {
    await close();
    throw error;
  }

  async function opened(first: ArrowBatch, design: LiveDesign, pilot: PilotAccount | null): Promise<LiveRows> {
    const { unit } = options;
    const units = new Map<number, string>();
    const framesOfUnits: { readonly first: number; readonly row: number }[] = [];
    let hasTextUnits = false;
    const strange: { readonly column: string; readonly level: string | null; readonly row: number }[] = [];
    const unusable: number[] = [];
    const batches = (async function* () {
      yield* kept.splice(0);
      for (let batch = await pull(); batch !== undefined; batch = await pull()) yield batch;
    })();
    const table = liveTable(batches, first, {
      name,
      skip: from?.rows ?? 0,
      forPrivate,
      leveledColumns: Object.keys(design.categorical),
      unit,
      onUnits: (first, texts, row) => {
        hasTextUnits = true;
        texts.forEach((text, k) => void units.set(first + k, text));
        if (framesOfUnits.at(-1)?.row !== row) framesOfUnits.push({ first, row });
      },
      ...(!forPrivate && {
        knownLevels: design.seen,
        onNewLevel: (column, level, row) => void strange.push({ column, level, row }),
      }),
    });
    const samples = await tableSamples([table], {
      ...reading(options, design),
      rows: Infinity,
      batchRows: BATCH_ROWS,
      isFixed: true,
      targets: options.targets?.(design) ?? null,
    });
    const columns = samples.design.features
      .filter(feature => feature.name !== unit)
      .map(({ name, level, field }) => ({ name, field, ...(level !== undefined && { level }) }));
    if (options.design === undefined) {
      const kinds = kindsOf(table.fields, reading(options, design), options);
      design = { ...design, kinds, ...(forPrivate && { columns, times: samples.design.times ?? [] }) };
    }
    requireDesign(namesOf({ columns }), namesOf(design), name);
    const pass = samples.batches()[Symbol.asyncIterator]();
    /** The latest batch, and the number of rows before it. */
    let latest: { readonly batch: SampleBatch; readonly start: number } | null = null;
    let given = 0;
    let used = 0;
    let due: number | null = null;
    let next: Promise<IteratorResult<SampleBatch>> | undefined;
    const empty = new Float64Array(0);
    const ending: SampleBatch = {
      rows: 0,
      columns: Array.from({ length: samples.features }, () => empty),
      target: empty,
      endsChunk: true,
    };

    const following = async (): Promise<SampleBatch | undefined> => {
      next ??= pass.next();
      const found = await before(next, due);
      if (found === 'late') {
        due = null;
        return ending;
      }
      next = undefined;
      if (found.done || given >= most) return undefined;
      const batch = given + found.value.rows > most ? rowsBetween(found.value, 0, most - given) : found.value;
      markUnusable(batch, given, columns.length, unusable);
      latest = { batch, start: given };
      given += batch.rows;
      if (every !== undefined && !forPrivate) due ??= performance.now() + every;
      return batch;
    };
    return {
      rows: Infinity,
      features: samples.features,
      weighted: samples.weighted,
      namesRows: !forPrivate,
      design,
      pilot,
      async *batches() {
        if (latest !== null && given > used) {
          const { batch, start } = latest;
          yield rowsBetween(batch, Math.max(0, used - start), batch.rows);
        }
        for (let batch = await following(); batch !== undefined; batch = await following()) yield batch;
        // What came last is a chunk of its own, however few rows it has.
        if (!forPrivate) yield ending;
      },
      use(rows) {
        used = rows;
        due = every !== undefined && !forPrivate && given > used ? performance.now() + every : null;
        while (framesOfUnits.length > 1 && framesOfUnits[1]!.row <= rows) {
          const [{ first }, later] = [framesOfUnits.shift()!, framesOfUnits[0]!];
          for (let number = first; number < later.first; number++) units.delete(number);
        }
        return {
          position: places.at(rows),
          unusable: takenBelow(unusable, rows, row => row).length,
          newLevels: takenBelow(strange, rows, ({ row }) => row),
        };
      },
      unitOf: number => units.get(number) ?? (hasTextUnits ? '' : number),
      close,
    };
  }
}

/** Items in their order, and how many rows have arrived with them. */
function placesFrom(from: Position | null) {
  const items: { readonly end: number; readonly place: Position['after'] }[] = [];
  let after = from?.after ?? null;
  let [ended, arrived] = [-(from?.rows ?? 0), -(from?.rows ?? 0)];
  return {
    add(more: readonly Item[]): void {
      for (const { rows, place } of more) {
        arrived += rows;
        items.push({ end: arrived, place });
      }
    },
    /** The position after so many rows. */
    at(rows: number): Position {
      let count = 0;
      for (; count < items.length && items[count]!.end <= rows; count++)
        [after, ended] = [items[count]!.place, items[count]!.end];
      items.splice(0, count);
      return { after, rows: rows - ended };
    },
  };
}

/** Rows that were used are of one item; items before it may have come to nothing. */
function requireFirst(items: readonly Item[], arrived: number, name: string): void {
  const rows = items.find(item => item.rows > 0)?.rows ?? 0;
  if (arrived >= 0 || arrived + rows >= 0) return;
  throw dataError(
    { table: name },
    `has ${counted(rows, 'row')} in an item of which ${-arrived} were used, so it is not what it was`,
    'begin another run',
    'ERR_CHANGED',
  );
}

/** What columns the first rows make. */
async function surveyed(
  kept: readonly ArrowBatch[],
  rows: number,
  options: LiveRowsOptions,
): Promise<{ readonly design: LiveDesign; readonly pilot: PilotAccount; readonly isEmpty: boolean }> {
  const { name, target, features, categorical, weights, intercept } = options;
  const nulls = policyOf(options);
  const tables = tablesInPlace(name, kept);
  const asked = { target, features, categorical, weights, intercept, nulls, rows };
  const { options: found } = await surveyFor(tables, asked as ReadOptions, nulls);
  const samples = await tableSamples(tables, {
    ...asked,
    ...found,
    rows,
    isFixed: true,
    knownLevels: {},
  } as ReadOptions);
  const values = new Set<number>();
  for await (const { rows: count, target: targets, weights: given } of samples.batches())
    for (let i = 0; i < count && values.size <= 2; i++) if (given?.[i] !== 0) values.add(targets[i]!);
  const { design } = samples;
  const levels = samples.levels();
  return {
    isEmpty: values.size === 0,
    pilot: { design, levels },
    design: {
      columns: design.features.map(({ name, level, field }) => ({
        name,
        field,
        ...(level !== undefined && { level }),
      })),
      kinds: null,
      categorical: design.categorical,
      found: Object.fromEntries(
        Object.entries(found.found ?? {}).filter(([column]) => levels.some(tally => tally.column === column)),
      ),
      times: design.times ?? [],
      isTwofold: values.size === 2 && values.has(0) && values.has(1),
      seen: Object.fromEntries(levels.map(({ column, others }) => [column, others.map(({ level }) => level)])),
    },
  };
}

/** The columns of a private run, none of which was looked at. */
const declared = ({ features = [], categorical = {} }: LiveRowsOptions): LiveDesign => ({
  columns: features.map((name, field) => ({ name, field })),
  kinds: null,
  categorical,
  found: {},
  times: [],
  isTwofold: false,
  seen: {},
});

/** A row that cannot be used never ends a stream, unless it was asked for. */
const policyOf = ({ nulls }: LiveRowsOptions): NonNullable<ReadOptions['nulls']> =>
  nulls === 'error' ? nulls : 'skip';

/** How the columns of a design are read. */
function reading(options: LiveRowsOptions, { columns, categorical, found }: LiveDesign): ReadOptions {
  const { target, weights, unit, forPrivate, signal } = options;
  const columnOf = (name: string): string =>
    Object.keys(categorical).find(
      column => column !== target && categorical[column]!.some(level => name === `${column}=${level}`),
    ) ?? name;
  const common = {
    target,
    features: [...new Set(columns.map(({ name }) => columnOf(name))), ...(unit === undefined ? [] : [unit])],
    namedByResult: true,
    categorical,
    nulls: policyOf(options),
    ...(weights !== undefined && { weights }),
    ...(unit !== undefined && { unit }),
    ...(signal && { signal }),
  };
  return forPrivate ? privateReading({ ...common, forPrivate }) : { ...common, found };
}

/** The names of a run's features. */
export const namesOf = ({ columns }: Pick<LiveDesign, 'columns'>): readonly string[] => columns.map(({ name }) => name);

/** Columns that are read must be those that the run began with. */
function requireDesign(features: readonly string[], known: readonly string[], name: string): void {
  if (features.length === known.length && features.every((feature, j) => feature === known[j])) return;
  throw new ArgumentError(
    `${name} gives the features ${listed(features)}, but the run has ${listed(known)}; begin another run for others`,
    'ERR_CHANGED',
    { features },
  );
}

/** What the columns that are read hold, so that a later part of the run is not at the mercy of its first row. */
function kindsOf(
  fields: readonly Field[],
  { features = [] }: ReadOptions,
  options: LiveRowsOptions,
): LiveColumns | null {
  const { target, weights } = options;
  const names = [...new Set([...features, target, ...(weights === undefined ? [] : [weights])])];
  const kinds = names.map(name => {
    const kind = fields.find(field => field.name === name)?.kind;
    const told = kind === 'boolean' || kind === 'text' || kind === 'time' ? kind : ('number' as const);
    return [name, kind === undefined || kind === 'vector' ? null : told] as const;
  });
  return kinds.some(([, kind]) => kind === null) ? null : (Object.fromEntries(kinds) as LiveColumns);
}

/** The rows of a stream that has ended where the run stood. */
const nothing = (design: LiveDesign, { forPrivate, from }: LiveRowsOptions, close: () => Promise<void>): LiveRows => ({
  rows: Infinity,
  features: design.columns.length,
  weighted: false,
  namesRows: !forPrivate,
  design,
  pilot: null,
  async *batches() {},
  use: () => ({ position: from ?? { after: null, rows: 0 }, unusable: 0, newLevels: [] }),
  unitOf: number => number,
  close,
});

/** Rows that cannot be used have no weight, and zeros throughout. */
function markUnusable({ rows, weights, columns, target }: SampleBatch, start: number, features: number, to: number[]) {
  if (weights === undefined) return;
  for (let i = 0; i < rows; i++) {
    if (weights[i] !== 0 || target[i] !== 0) continue;
    let isZero = true;
    for (let j = 0; j < features && isZero; j++) isZero = columns[j]![i] === 0;
    if (isZero) to.push(start + i);
  }
}

/** Removes what belongs to rows before `rows`; entries are in the order of rows, within a batch. */
function takenBelow<T>(list: T[], rows: number, rowOf: (entry: T) => number): readonly T[] {
  const taken: T[] = [];
  let left = 0;
  for (const entry of list) {
    if (rowOf(entry) < rows) taken.push(entry);
    else list[left++] = entry;
  }
  list.length = left;
  return taken;
}

async function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  signal.throwIfAborted();
  let abort = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
  });
  signal.addEventListener('abort', abort);
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
    work.catch(() => {});
  }
}

/** The result of the work, unless it is not there when it is due. */
async function before<T>(work: Promise<T>, due: number | null): Promise<T | 'late'> {
  if (due === null) return work;
  const left = due - performance.now();
  if (left <= 0) return 'late';
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>(resolve => {
    timer = setTimeout(resolve, left, 'late');
  });
  try {
    return await Promise.race([late, work]);
  } finally {
    clearTimeout(timer);
  }
}
