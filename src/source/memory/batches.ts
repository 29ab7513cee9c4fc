import type * as Arrow from 'apache-arrow';
import type { RecordBatch } from 'apache-arrow';
import { dataError } from '../../errors.ts';
import { distinctTexts, type Kinds, requireKnown } from '../../options.ts';
import { settled } from '../../sample/shuffle/settled.ts';
import { inCode } from '../../words.ts';
import { fieldNamed } from '../design/featureColumns.ts';
import { openTables } from '../read/openRows.ts';
import type { OpenOptions } from '../read/openTable.ts';
import { readingKinds } from '../read/readingKinds.ts';
import { BATCH_ROWS } from '../read/tableSamples.ts';
import { hasTexts } from '../table/leveled.ts';
import type { Field, FillRequest, Frame, Table } from '../table/table.ts';
import { type TimeKind, timeKind } from '../table/timeKind.ts';
import type { RowSource } from './rowSource.ts';
import type { SpoolOptions } from './spool.ts';

/** Which columns are read, and how. */
export interface BatchesOptions
  extends OpenOptions,
    Pick<SpoolOptions, 'memoryBytes' | 'scratch' | 'scratchBytes' | 'signal'> {
  /** The columns to read, by name, in their order; all that can be read unless given. */
  readonly columns?: readonly string[];
}

/**
 * Any source as record batches of apache-arrow, so that a filter or a derived column can stand before `split` or
 * `estimate`. Each iteration reads the source from its beginning, and its batches are the caller's to keep.
 *
 * Whatever the source, nulls are nulls, and the types are
 *
 *   numbers          Float64; Int32, Uint32, Int64 or Uint64 if the source has whole numbers of such a type, to the
 *                    last digit
 *   true and false   Bool
 *   dates and times  Timestamp, Time or Duration, as in the source, in microseconds, or in nanoseconds, to the last, if
 *                    the source has those
 *   texts            Dictionary<Int32, Utf8>, with a dictionary for each batch
 *   vectors          FixedSizeList<Float64>
 *
 * All batches have the same schema: where files or batches differ, a type is the first of these that holds the values of
 * all. Columns of other types are left out, unless `columns` names them, which is refused. Without any rows there is one
 * batch, which is empty. Fitted, the batches give the same bits as the source itself.
 */
export function batches(source: RowSource, options: BatchesOptions = {}): AsyncIterable<RecordBatch> {
  requireKnown(options, batchesKinds());
  return { [Symbol.asyncIterator]: () => batchesLike(source, options) };
}

/** The same, with columns like those of `known`, to which columns that are not there yet are added. */
export async function* batchesLike(
  source: RowSource,
  options: BatchesOptions,
  known: KnownColumns = new Map(),
): AsyncGenerator<RecordBatch> {
  const arrow = await import('apache-arrow');
  const tables = await openTables(source, { ...options, mayBeEmpty: true });
  try {
    const columns = columnsIn(tables, options, known, arrow);
    const batchOf = batchMaker(columns, arrow);
    let isEmpty = true;
    for (const table of tables)
      for await (const { cells, count } of cellsIn(table, columns, options)) {
        isEmpty = false;
        yield batchOf(cells, count);
      }
    // Even where there are no rows, somebody may ask what columns they have.
    const noCells = { doubles: new Float64Array(0), missing: new Uint8Array(0), nullCount: 0 };
    const none = ({ shape }: ReadColumn) => ({ levels: [], elements: Array(shape.width).fill(noCells) as Cells[] });
    if (isEmpty && tables.length > 0) yield batchOf(columns.map(none), 0);
  } finally {
    await Promise.all(tables.map(table => table.close()));
  }
}

/** Columns by name, as batches before had them. */
export type KnownColumns = Map<string, ReadColumn>;

/** A column that is of one type in all batches. */
interface ReadColumn {
  readonly field: Pick<Field, 'name' | 'type'>;
  readonly table: string;
  readonly shape: Shape;
  readonly column: Column;
}

/** The columns of all tables, each of a type that can hold what any of them has. */
function columnsIn(
  tables: readonly Table[],
  { columns: named }: BatchesOptions,
  known: KnownColumns,
  arrow: typeof Arrow,
): readonly ReadColumn[] {
  const [first, ...others] = tables;
  if (first === undefined) return [];
  const unread = tables.flatMap(({ fields }) => fields.filter(isUnread).map(({ name }) => name));
  if (named === undefined) requireSameNames(first, others, unread);
  const wanted = named ?? first.fields.map(({ name }) => name).filter(name => !unread.includes(name));
  return wanted.map((name, k) => {
    const before = known.get(name);
    let found: Pick<ReadColumn, 'field' | 'table' | 'shape'> | undefined = before;
    for (const table of tables) {
      const { field } = fieldNamed(table, name);
      const place = { table: table.name, column: name };
      if (isUnread(field))
        throw dataError(place, `is ${field.type}, which cannot be read`, 'leave it out, or convert it with `fromSql`');
      const own = shapeOf(field, table.format);
      const shape = found === undefined ? own : together(found.shape, own);
      const isFixed = before !== undefined && before.shape.is !== 'blank';
      if (shape === undefined || (isFixed && !isSame(shape, before.shape)))
        throw dataError(
          place,
          `is ${field.type}, but ${found!.field.type} in ${found!.table}`,
          'columns need one type in all batches: convert the column before, or leave it out',
        );
      found = isSame(shape, own) || found === undefined ? { field, table: table.name, shape } : { ...found, shape };
    }
    const nth = wanted.slice(0, k).filter(other => other === name).length;
    const read = { ...found!, column: columnOfShape(found!.shape, `${name}\0${nth}`, arrow) };
    known.set(name, read);
    return read;
  });
}

const isUnread = ({ kind }: Field): boolean => kind === 'unsupported';

/** A column that only some tables have would be lost, or be nulls that nobody wrote. */
function requireSameNames(first: Table, others: readonly Table[], unread: readonly string[]): void {
  const names = new Set(first.fields.map(({ name }) => name));
  for (const table of others) {
    const other = table.fields.find(({ name }) => !names.has(name) && !unread.includes(name));
    if (other !== undefined)
      throw dataError(
        { table: table.name, column: other.name },
        `is not in ${first.name}`,
        'name the columns that all have in `columns`',
      );
  }
}

/** The cells of a table, some rows at a time. */
async function* cellsIn(table: Table, columns: readonly ReadColumn[], { signal }: BatchesOptions) {
  const read = columns.map(column => {
    const { field, place } = fieldNamed(table, column.field.name);
    return { column, place, field: field.isBlank ? blankField(column.shape) : field };
  });
  for await (const frame of table.frames(read.map(({ place }) => place))) {
    for (let start = 0; start < frame.rows; start += BATCH_ROWS) {
      signal?.throwIfAborted();
      const count = Math.min(BATCH_ROWS, frame.rows - start);
      const cells = await settled(
        read.map(({ field, place }) => cellsOf(field, { frame, field: place, start, count })),
      );
      for (const [k, { elements }] of cells.entries()) requireHeld(table, columns[k]!, elements[0]!);
      yield { cells, count };
    }
  }
}

/** How a column without a value is read beside others that have some. */
const blankField = ({ is, width }: Shape): Pick<Field, 'kind' | 'type' | 'width'> => ({
  kind: is === 'text' || is === 'blank' ? 'text' : 'float',
  type: is,
  width,
});

/**
 * A column of doubles must not change ids: a text file does not say that all its numbers are whole. Nor has a time in
 * nanoseconds room for more than some centuries.
 */
function requireHeld({ name: table }: Table, { field, column }: ReadColumn, { doubles, rest }: Cells): void {
  const place = { table, column: field.name };
  const { most } = column;
  if (most !== undefined && doubles.some(value => Math.abs(value) > most))
    throw dataError(place, 'has times that nanoseconds cannot hold', 'give times in microseconds throughout');
  if (column.isExact || !rest?.some(lack => lack !== 0)) return;
  throw dataError(
    place,
    'has whole numbers beyond 2^53, which doubles cannot hold',
    `if it is an id, declare it as text: \`types: { ${inCode(field.name)}: 'text' }\``,
  );
}

/** Makes record batches of cells of these columns, all with the same schema, so that it need be read once. */
export function batchMaker(
  columns: readonly { readonly field: Pick<Field, 'name'>; readonly column: Column }[],
  arrow: typeof Arrow,
): (cells: readonly ColumnCells[], count: number) => RecordBatch {
  const schema = new arrow.Schema(columns.map(({ field, column }) => new arrow.Field(field.name, column.type, true)));
  const type = new arrow.Struct(schema.fields);
  return (cells, length) => {
    const children = columns.map(({ column }, k) => column.dataOf(cells[k]!, length));
    return new arrow.RecordBatch(schema, arrow.makeData({ type, length, nullCount: 0, children }));
  };
}

/** Which rows of which field of a frame are read; `lenient` as in `FillRequest`. */
export type Rows = Pick<FillRequest, 'field' | 'start' | 'count' | 'lenient'> & { readonly frame: Frame };

/** The cells of some rows of a column: its elements, of which only a vector has several, and the levels of a text. */
export interface ColumnCells {
  readonly elements: readonly Cells[];
  readonly levels: readonly string[];
}

export interface Cells {
  readonly doubles: Float64Array;
  /** What rounding to doubles has changed; absent where the column has doubles, or nothing is rounded. */
  readonly rest?: Float64Array;
  /** 1 for a null. */
  readonly missing: Uint8Array;
  nullCount: number;
}

/** A column of record batches. */
export interface Column {
  readonly type: Arrow.DataType;
  /** Whether a number can be a value of the column, where not all doubles can. */
  readonly holds?: (value: number) => boolean;
  /** Whether it is made of the rest, too, which doubles lack. */
  readonly isExact?: boolean;
  /** The largest number that is one of its values, with either sign, where not all are. */
  readonly most?: number;
  dataOf(cells: ColumnCells, count: number): Arrow.Data;
}

/** What a column holds, as far as the type of record batches goes. */
interface Shape {
  readonly is: (typeof NUMBERS)[number] | TimeKind | 'text' | 'vector' | 'blank';
  readonly width: number;
  /** Whether times are in nanoseconds. */
  readonly isFine: boolean;
}

/** Types of numbers, so that of two the first that holds both is theirs. */
const NUMBERS = ['Bool', 'Int32', 'Uint32', 'Int64', 'Uint64', 'Float64'] as const;

/** What else each of them holds. */
const HELD: Readonly<Record<(typeof NUMBERS)[number], readonly Shape['is'][]>> = {
  Bool: [],
  Int32: ['Bool'],
  Uint32: ['Bool'],
  Int64: ['Bool', 'Int32', 'Uint32'],
  Uint64: ['Bool', 'Uint32'],
  Float64: NUMBERS,
};

const isSame = (a: Shape, b: Shape): boolean => a.is === b.is && a.width === b.width && a.isFine === b.isFine;

/** What holds the values of both; undefined if nothing does. */
function together(a: Shape, b: Shape): Shape | undefined {
  if (a.is === 'blank' || b.is === 'blank') return a.is === 'blank' ? b : a;
  if (a.is === b.is) return a.width === b.width ? { ...a, isFine: a.isFine || b.isFine } : undefined;
  const is = NUMBERS.find(type => [a, b].every(one => one.is === type || HELD[type].includes(one.is)));
  return is && { ...a, is };
}

function shapeOf(field: Pick<Field, 'kind' | 'type' | 'width' | 'isBlank'>, format: Table['format']): Shape {
  const { kind, type, width, isBlank } = field;
  const of = (is: Shape['is'], isFine = false): Shape => ({ is, width, isFine });
  // Numbers of a text file have no type: one that is whole so far may have a fraction further down.
  const isTyped = format !== 'csv' && format !== 'ndjson' && hasTexts(field);
  if (isBlank) return of('blank');
  if (kind === 'boolean') return of('Bool');
  if (kind === 'time') return of(timeKind(type), /\bns\b|_ns$|nanos/i.test(type));
  if (kind === 'text' || kind === 'vector') return of(kind);
  if (kind === 'integer' && isTyped) return of(UNSIGNED.test(type) ? 'Uint32' : 'Int32');
  if (kind === 'exact' && isTyped && !/hugeint/i.test(type))
    return of(/uint_?64|ubigint/i.test(type) ? 'Uint64' : 'Int64');
  return of('Float64');
}

/** How cells of a field become Arrow data. */
export const columnOf = (
  field: Pick<Field, 'name' | 'kind' | 'type' | 'width'>,
  format: Table['format'],
  arrow: typeof Arrow,
): Column => columnOfShape(shapeOf(field, format), `${field.name}\0${0}`, arrow);

function columnOfShape({ is, width, isFine }: Shape, key: string, arrow: typeof Arrow): Column {
  /** A column whose values are made from doubles. */
  const of = (
    type: Arrow.DataType,
    valuesOf: (doubles: Float64Array, rest?: Float64Array) => unknown,
    holds?: (value: number) => boolean,
  ): Column => ({
    type,
    ...(holds && { holds }),
    isExact: valuesOf.length > 1,
    dataOf: ({ elements: [cells] }, length) =>
      arrow.makeData({ type, length, ...nullsOf(cells!), data: valuesOf(cells!.doubles, cells!.rest) } as never),
  });
  const ofTimes = (types: readonly [new () => Arrow.DataType, new () => Arrow.DataType]): Column => ({
    ...of(new types[isFine ? 1 : 0](), (seconds, rest) => countsOf(seconds, isFine ? 1e9 : 1e6, rest)),
    ...(isFine && { most: 2 ** 63 / 1e9 }),
  });
  switch (is) {
    case 'Bool':
      return of(new arrow.Bool(), bitsOf);
    case 'instant':
      return ofTimes([arrow.TimestampMicrosecond, arrow.TimestampNanosecond]);
    case 'time of day':
      return ofTimes([arrow.TimeMicrosecond, arrow.TimeNanosecond]);
    case 'duration':
      return ofTimes([arrow.DurationMicrosecond, arrow.DurationNanosecond]);
    case 'text':
    case 'blank':
      return textColumn(key, arrow);
    case 'vector':
      return vectorColumn(width, arrow);
    case 'Uint32':
      return of(
        new arrow.Uint32(),
        doubles => Uint32Array.from(doubles),
        value => value === value >>> 0,
      );
    case 'Int32':
      return of(
        new arrow.Int32(),
        doubles => Int32Array.from(doubles),
        value => value === (value | 0),
      );
    case 'Uint64':
      return of(
        new arrow.Uint64(),
        (doubles, rest) => BigUint64Array.from(wholesOf(doubles, rest)),
        Number.isSafeInteger,
      );
    case 'Int64':
      return of(
        new arrow.Int64(),
        (doubles, rest) => BigInt64Array.from(wholesOf(doubles, rest)),
        Number.isSafeInteger,
      );
    case 'Float64':
      return of(new arrow.Float64(), doubles => doubles);
  }
}

/** The names of 32 unsigned bits in Arrow, Parquet and SQL, also as the values of a dictionary. */
const UNSIGNED = /(uint_?32|uinteger)[)>]?$/i;

/** Reads the cells of some rows, of a field of this kind and width. */
export async function cellsOf(field: Pick<Field, 'kind' | 'type' | 'width'>, rows: Rows): Promise<ColumnCells> {
  const { kind, width } = field;
  const { frame, ...asked } = rows;
  // The first stands for texts that are not UTF-8.
  const levels = ['\ufffd'];
  const elements: Cells[] = [];
  for (let element = 0; element < width; element++) {
    const request = {
      ...asked,
      element,
      out: new Float64Array(rows.count),
      missing: new Uint8Array(rows.count),
    };
    const most = Infinity;
    const nullCount = await (kind === 'text'
      ? frame.discoverLevels({ ...request, levels, most, longest: most })
      : frame.fill(request));
    const rest = isRounded(field) ? new Float64Array(rows.count) : undefined;
    if (rest) await frame.fill({ ...request, out: rest, missing: request.missing.slice(), rest: true });
    elements.push({ doubles: request.out, missing: request.missing, nullCount, ...(rest && { rest }) });
  }
  return { elements, levels };
}

/** Whether doubles may round values of such a column. */
const isRounded = ({ kind, type }: Pick<Field, 'kind' | 'type'>): boolean =>
  kind === 'time' || (kind === 'exact' && !/decimal|hugeint/i.test(type));

const nullsOf = ({ missing, nullCount }: Cells) => ({
  nullCount,
  nullBitmap: nullCount === 0 ? null : bitsOf(missing.map(mark => 1 - mark)),
});

/** One bit for each number, which is 0 or 1. */
function bitsOf(numbers: Float64Array | Uint8Array): Uint8Array {
  const bits = new Uint8Array(Math.ceil(numbers.length / 8));
  for (let i = 0; i < numbers.length; i++) bits[i >> 3]! |= numbers[i]! << (i & 7);
  return bits;
}

/** Whole numbers of 64 bits. */
const wholesOf = (doubles: Float64Array, rest?: Float64Array): readonly bigint[] =>
  Array.from(doubles, (value, i) => BigInt(value) + BigInt(rest?.[i] ?? 0));

/** Seconds as whole counts of a fraction of a second; the whole seconds apart, because the product may be rounded. */
const countsOf = (seconds: Float64Array, perSecond: number, rest?: Float64Array): BigInt64Array =>
  BigInt64Array.from(seconds, (value, i) => {
    const whole = Math.floor(value);
    return BigInt(whole) * BigInt(perSecond) + BigInt(Math.round((value - whole + (rest?.[i] ?? 0)) * perSecond));
  });

/**
 * Types of dictionaries are the same only if they are numbered alike, and numbers must differ within a batch: each column
 * of texts has one type for ever.
 */
const dictionaries = new Map<string, Arrow.Dictionary<Arrow.Utf8, Arrow.Int32>>();

function textColumn(key: string, arrow: typeof Arrow): Column {
  const type = dictionaries.get(key) ?? new arrow.Dictionary(new arrow.Utf8(), new arrow.Int32());
  dictionaries.set(key, type);
  return {
    type,
    dataOf: ({ elements: [cells], levels }, length) =>
      arrow.makeData({
        type,
        length,
        ...nullsOf(cells!),
        data: Int32Array.from(cells!.doubles, rank => Math.max(rank, 0)),
        dictionary: arrow.vectorFromArray(levels, new arrow.Utf8()),
      }),
  };
}

function vectorColumn(width: number, arrow: typeof Arrow): Column {
  const element = new arrow.Field('item', new arrow.Float64(), true);
  const type = new arrow.FixedSizeList(width, element);
  return {
    type,
    dataOf: ({ elements }, length) => {
      const data = new Float64Array(width * length);
      const missing = new Uint8Array(width * length);
      let nullCount = 0;
      elements.forEach((cells, k) => {
        nullCount += cells.nullCount;
        for (let i = 0; i < length; i++) {
          data[i * width + k] = cells.doubles[i]!;
          missing[i * width + k] = cells.missing[i]!;
        }
      });
      const nulls = nullsOf({ doubles: data, missing, nullCount });
      const child = arrow.makeData({ type: element.type, length: width * length, ...nulls, data });
      return arrow.makeData({ type, length, nullCount: 0, child });
    },
  };
}

const batchesKinds = (): Kinds<BatchesOptions> => {
  const { malformed, memoryBytes, sampleRows, scratch, scratchBytes, signal, stdin, types, unit } = readingKinds();
  return {
    columns: distinctTexts,
    ...{ malformed, memoryBytes, sampleRows, scratch, scratchBytes, signal, stdin, types, unit },
  };
};
