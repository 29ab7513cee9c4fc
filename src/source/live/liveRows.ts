import { dataError } from '../../errors.ts';
import { rowsBetween, type SampleBatch } from '../../sample/sampleBatch.ts';
import type { Samples } from '../../sample/samples.ts';
import { counted } from '../../words.ts';
import { withOwnDoubles } from '../memory/doubleColumns.ts';
import type { ArrowBatch } from '../memory/rowSource.ts';
import type { TargetRule } from '../read/rowPolicy.ts';
import { tableSamples } from '../read/tableSamples.ts';
import {
  declared,
  kindsOf,
  type LiveDesign,
  type LiveReading,
  namesOf,
  type PilotAccount,
  reading,
  requireDesign,
  surveyed,
} from './liveDesign.ts';
import type { OpenStream, Position } from './liveSource.ts';
import { type HandedOver, liveTable } from './liveTable.ts';
import { untilStopped } from './openedStream.ts';
import { type RowsInPlace, rowsInPlace } from './rowsInPlace.ts';
import { usedPlaces } from './usedPlaces.ts';

/** How the rows of a stream are read. */
export interface LiveRowsOptions extends LiveReading {
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
  const places = usedPlaces(from, name);
  const { arrived } = places;
  const kept: ArrowBatch[] = [];
  const arrivals = stream.arrivals[Symbol.asyncIterator]();
  let needed = options.design === undefined && !forPrivate ? LEAST_PILOT : null;
  const pull = async (): Promise<ArrowBatch | undefined> => {
    if (arrived() >= most) return undefined;
    const next = await (signal === undefined ? arrivals.next() : untilStopped(arrivals.next(), signal));
    if (next.done) return undefined;
    const { batch, items } = next.value;
    places.add(items);
    onRows?.(Math.max(0, Math.min(arrived(), most)), needed);
    return batch;
  };
  const keep = async (): Promise<boolean> => {
    const batch = await pull();
    if (batch !== undefined) kept.push(withOwnDoubles(batch));
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
      while (arrived() < rows && (await keep()));
      const found = await surveyed(kept, Math.min(rows, arrived(), most), options);
      // Rows without a target say nothing of the columns.
      if (found.isEmpty && arrived() >= rows && rows < Math.min(most, MOST_SURVEYED)) {
        rows *= 2;
        continue;
      }
      const wanted = options.pilotRows(found.design.columns.length);
      if (wanted <= rows && arrived() >= Math.min(rows, wanted)) {
        pilot = found.pilot;
        design = found.design;
      } else if (arrived() < rows || most < wanted)
        throw dataError(
          { table: name },
          `ended after ${counted(Math.min(arrived(), most), 'row')}, but the first estimate needs ${wanted}, for ${counted(found.design.columns.length, 'feature')}`,
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
    const decoding = handedOver();
    const table = liveTable(decoding.batches, first, {
      name,
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
    const targets = options.targets?.(design) ?? null;
    const samples = await tableSamples([table], {
      ...reading(options, design),
      rows: Infinity,
      batchRows: BATCH_ROWS,
      isFixed: true,
      targets,
    });
    const columns = samples.design.features
      .filter(feature => feature.name !== unit)
      .map(({ name, level, field }) => ({ name, field, ...(level !== undefined && { level }) }));
    if (options.design === undefined) {
      const kinds = kindsOf(table.fields, reading(options, design), options);
      design = { ...design, kinds, ...(forPrivate && { columns, times: samples.design.times ?? [] }) };
    }
    requireDesign(namesOf({ columns }), namesOf(design), name);
    const next = async (): Promise<ArrowBatch | undefined> => kept.shift() ?? (await pull());
    const pass = inTurn(next, from?.rows ?? 0, {
      inPlace: rowsInPlace(design, options, targets),
      decoding,
      decoded: samples.batches()[Symbol.asyncIterator](),
    });
    /** The latest batch, and the number of rows before it. */
    let latest: { readonly batch: SampleBatch; readonly start: number } | null = null;
    let given = 0;
    let used = 0;
    let due: number | null = null;
    let ahead: Promise<IteratorResult<SampleBatch>> | undefined;
    const empty = new Float64Array(0);
    const ending: SampleBatch = {
      rows: 0,
      columns: Array.from({ length: samples.features }, () => empty),
      target: empty,
      endsChunk: true,
    };

    const following = async (): Promise<SampleBatch | undefined> => {
      ahead ??= pass.next();
      const found = await before(ahead, due);
      if (found === 'late') {
        due = null;
        return ending;
      }
      ahead = undefined;
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

/** Batches that are decoded as a table, each of which is handed over when it is its turn. */
function handedOver() {
  let take: ((batch: HandedOver | null) => void) | null = null;
  const waiting: (HandedOver | null)[] = [];
  const give = (given: HandedOver | null): void => {
    if (take === null) waiting.push(given);
    else take(given);
    take = null;
  };
  return {
    give,
    batches: (async function* () {
      for (;;) {
        const given =
          waiting.shift() ??
          (await new Promise<HandedOver | null>(resolve => {
            take = resolve;
          }));
        if (given === null) return;
        yield given;
      }
    })(),
  };
}

/**
 * The rows of batches, in their order, whichever way they go: as they lie, or decoded. `skip` rows of the first batch are
 * passed over.
 */
async function* inTurn(
  next: () => Promise<ArrowBatch | undefined>,
  skip: number,
  ways: {
    readonly inPlace: RowsInPlace;
    readonly decoding: ReturnType<typeof handedOver>;
    readonly decoded: AsyncIterator<SampleBatch>;
  },
): AsyncGenerator<SampleBatch> {
  const { inPlace, decoding, decoded } = ways;
  let row = 0;
  let from = skip;
  try {
    for (let batch = await next(); batch !== undefined; batch = await next()) {
      const rows = batch.numRows - from;
      if (rows <= 0) {
        from -= batch.numRows;
        continue;
      }
      const lying = inPlace(batch, from);
      if (lying !== null) yield lying;
      else {
        decoding.give({ batch, from, row });
        for (let left = rows; left > 0; ) {
          const { value, done } = await decoded.next();
          if (done) throw new Error(`${left} rows that arrived were not decoded`);
          yield value;
          left -= value.rows;
        }
      }
      row += rows;
      from = 0;
    }
  } finally {
    decoding.give(null);
    await decoded.return?.();
  }
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
