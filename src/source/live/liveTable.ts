import { dataError } from '../../errors.ts';
import { memoryRegion } from '../arrow/region.ts';
import { isNumber } from '../design/featureColumns.ts';
import { batchHolder, type HeldBatch, type HeldBatches } from '../memory/heldBatch.ts';
import { heldTable } from '../memory/memoryTables.ts';
import type { ArrowBatch } from '../memory/rowSource.ts';
import { leveled } from '../table/leveled.ts';
import type { DiscoverRequest, Field, FillRequest, Frame, LevelRequest, Table } from '../table/table.ts';

/** A batch of a stream that is to be decoded, with the rows of it that are passed over, and those before it. */
export interface HandedOver {
  readonly batch: ArrowBatch;
  readonly from: number;
  readonly row: number;
}

/** How a stream's batches are read as a table. */
export interface LiveTableOptions {
  /** For messages. */
  readonly name: string;
  /**
   * Whether nothing that a row holds may show: a value that cannot be read is a null, and so are all rows of a batch
   * without the columns.
   */
  readonly forPrivate: boolean;
  /** Columns with levels, which are read as texts even where they hold whole numbers. */
  readonly leveledColumns: readonly string[];
  /** The column that says whose rows they are; where it is text, its values are read as numbers that stand for texts. */
  readonly unit?: string | undefined;
  /** Takes texts of units, whose numbers begin at `first`, of the batch whose first row is `row`. */
  readonly onUnits?: (first: number, texts: readonly string[], row: number) => void;
  /** Undeclared levels of text columns that are known; rows with another are told of. Those of other columns are not. */
  readonly knownLevels?: Readonly<Record<string, readonly string[]>>;
  readonly onNewLevel?: (column: string, level: string | null, row: number) => void;
}

/**
 * Batches as they arrive, as one table that lasts as long as the stream: each is a frame, which columns are decoded from
 * as from any other. The columns are those of the first batch. A batch of another schema will do if it has the columns
 * that are read, of the same kind; otherwise it is refused, unless the run is private.
 */
export function liveTable(batches: AsyncIterator<HandedOver>, first: ArrowBatch, options: LiveTableOptions): Table {
  const { name, forPrivate, unit, onUnits, knownLevels = {}, onNewLevel } = options;
  const { groups, add } = batchHolder(name, memoryRegion);
  add(first);
  groups[0]!.batches.pop();
  const { fields } = tableOf(groups[0]!, options).table;
  const isTextUnit = fields.some(field => field.name === unit && field.kind === 'text');
  const shown = fields.map(field =>
    field.name === unit && isTextUnit ? Object.freeze({ ...field, kind: 'exact' as const }) : field,
  );
  let units = 0;

  async function* frames(wanted: readonly number[]): AsyncGenerator<Frame> {
    let open: Opened | undefined;
    try {
      for (;;) {
        const { value, done } = await batches.next();
        if (done) return;
        const { batch, from: skip, row } = value;
        const rows = add(batch) - skip;
        const group = groups.at(-1)!;
        groups.splice(0, groups.length - 1);
        const held = group.batches.pop();
        if (held === undefined) continue;
        if (open?.group !== group) {
          await open?.frames.return?.();
          open = openedFor(group, wanted);
        }
        if (open.problem !== null && !forPrivate) throw open.problem;
        const whole = open.problem === null ? await open.next(held) : blank;
        const shifted = from(whole, skip);
        if (rows > 0) yield { rows, ...readers(forPrivate ? lenient(shifted) : shifted, row) };
      }
    } finally {
      await open?.frames.return?.();
    }
  }

  /** How the fields that are wanted are read from batches of one schema. */
  const openedFor = (group: HeldBatches, wanted: readonly number[]): Opened => {
    const { table, give } = tableOf(group, options);
    const places = new Map(wanted.map(field => [field, placeIn(table, fields[field]!)]));
    const lost = wanted.find(field => places.get(field) === undefined);
    const problem =
      lost === undefined
        ? null
        : dataError(
            { table: name, column: fields[lost]!.name },
            `is missing, or of another type, in rows that came later; it was ${fields[lost]!.type}`,
            'a stream keeps the schema that it began with: begin another run for another',
            'ERR_CHANGED',
          );
    const pass = table.frames(problem === null ? [...places.values()].map(Number) : [])[Symbol.asyncIterator]();
    return {
      group,
      problem,
      frames: pass,
      next: async held => {
        give(held);
        const frame: Frame = (await pass.next()).value;
        const at = <R extends FillRequest>(request: R): R => ({ ...request, field: places.get(request.field)! });
        return {
          fill: request => frame.fill(at(request)),
          fillLevels: request => frame.fillLevels(at(request)),
          discoverLevels: request => frame.discoverLevels(at(request)),
        };
      },
    };
  };

  /** Whose rows they are as numbers; and undeclared levels that are not known, told by their rows. */
  const readers = (reads: Reads, row: number): Reads => {
    const texts: string[] = [];
    const base = units;
    return {
      fill: async request => {
        if (!isTextUnit || fields[request.field]!.name !== unit) return reads.fill(request);
        const told = texts.length;
        let absent = await reads.discoverLevels({ ...request, levels: texts, most: Infinity, longest: Infinity });
        onUnits?.(base + told, texts.slice(told), row);
        units = base + texts.length;
        for (let i = 0; i < request.count; i++) {
          if (request.missing[i] !== 0) continue;
          if (request.out[i]! >= 0) request.out[i]! += base;
          else {
            // What is no text belongs to nobody.
            [request.out[i], request.missing[i]] = [0, 1];
            absent++;
          }
        }
        return absent;
      },
      fillLevels: async request => {
        const { name: column } = fields[request.field]!;
        const known = Object.hasOwn(knownLevels, column) ? knownLevels[column]! : null;
        if (onNewLevel === undefined || known === null) return reads.fillLevels(request);
        const { levels } = request;
        const all = [...levels, ...known];
        const list = [...all];
        const absent = await reads.discoverLevels({ ...request, levels: list, most: all.length + MOST_NEW });
        for (let i = 0; i < request.count; i++) {
          const rank = request.out[i]!;
          if (request.missing[i] !== 0 || (rank >= 0 && rank < levels.length)) continue;
          if (rank < 0 || rank >= all.length) onNewLevel(column, list[rank] ?? null, row + request.start + i);
          request.out[i] = -1;
        }
        return absent;
      },
      discoverLevels: request => reads.discoverLevels(request),
    };
  };

  return Object.freeze({
    name,
    format: 'memory' as const,
    fields: Object.freeze(shown),
    rows: null,
    isReadOnce: true,
    isLive: true,
    frames,
    close: async () => {
      await batches.return?.();
    },
  });
}

/** New levels of a batch that are told by name. */
const MOST_NEW = 20;

type Reads = Omit<Frame, 'rows'>;

interface Opened {
  readonly group: HeldBatches;
  /** Why its rows cannot be read. */
  readonly problem: Error | null;
  readonly frames: AsyncIterator<Frame>;
  next(held: HeldBatch): Promise<Reads>;
}

/** A table of batches of one schema, which are given to it one by one before they are pulled. */
function tableOf({ schema }: HeldBatches, { name, leveledColumns }: LiveTableOptions) {
  let given: HeldBatch;
  const batches = {
    *[Symbol.iterator]() {
      for (;;) yield given;
    },
  };
  const table = heldTable({ name, schema, rows: null, close: async () => {} }, batches);
  return {
    table: leveled(table, leveledColumns),
    give: (held: HeldBatch): void => {
      given = held;
    },
  };
}

/** Where a table has a field of the same name and kind; numbers of all types are of one kind. */
function placeIn({ fields }: Table, { name, kind, width }: Field): number | undefined {
  const place = fields.findIndex(field => field.name === name);
  const found = fields[place];
  if (found === undefined || found.width !== width) return undefined;
  return found.kind === kind || (isNumber(found) && isNumber({ kind })) ? place : undefined;
}

/** Rows without any value. */
const blank: Reads = { fill: fillNone, fillLevels: fillNone, discoverLevels: fillNone };

function fillNone({ out, missing, count }: FillRequest): number {
  out.fill(0, 0, count);
  missing.fill(1, 0, count);
  return count;
}

/** The rows of a frame from one of them on. */
const from = (reads: Reads, skip: number): Reads => {
  if (skip === 0) return reads;
  const later = <R extends FillRequest>(request: R): R => ({ ...request, start: request.start + skip });
  return {
    fill: request => reads.fill(later(request)),
    fillLevels: request => reads.fillLevels(later(request)),
    discoverLevels: request => reads.discoverLevels(later(request)),
  };
};

/** What cannot be read is read again row by row, so that no row has a say in how another is read. */
function lenient(reads: Reads): Reads {
  const alone = async <R extends FillRequest>(request: R, read: (one: R) => number | Promise<number>) => {
    try {
      return await read(request);
    } catch {
      request.missing.fill(0, 0, request.count);
      let absent = 0;
      for (let i = 0; i < request.count; i++) {
        const [out, missing] = [request.out.subarray(i, i + 1), request.missing.subarray(i, i + 1)];
        const one = { ...request, start: request.start + i, count: 1, out, missing };
        try {
          absent += await read(one);
        } catch {
          absent += fillNone(one);
        }
      }
      return absent;
    }
  };
  return {
    fill: (request: FillRequest) => alone(request, one => reads.fill(one)),
    fillLevels: (request: LevelRequest) => alone(request, one => reads.fillLevels(one)),
    discoverLevels: (request: DiscoverRequest) => alone(request, one => reads.discoverLevels(one)),
  };
}
