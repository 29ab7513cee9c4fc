import type * as Arrow from 'apache-arrow';
import type { RecordBatch } from 'apache-arrow';
import { dataError, requireKnown } from '../../errors.ts';
import { settled } from '../../sample/shuffle/settled.ts';
import { inCode } from '../../words.ts';
import { fieldNamed } from '../design/featureColumns.ts';
import { openTables } from '../read/openRows.ts';
import type { OpenOptions } from '../read/openTable.ts';
import { BATCH_ROWS } from '../read/tableSamples.ts';
import { hasTexts } from '../table/leveled.ts';
import type { Field, FillRequest, Frame, Table } from '../table/table.ts';
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
 *   dates and times  Timestamp in microseconds, or in nanoseconds, to the last, if the source has those
 *   texts            Dictionary<Int32, Utf8>, with a dictionary for each batch
 *   vectors          FixedSizeList<Float64>
 *
 * Columns of other types are left out. Fitted, the batches give the same bits as the source itself.
 */
export function batches(source: RowSource, options: BatchesOptions = {}): AsyncIterable<RecordBatch> {
  requireKnown(options, 'columns malformed memoryBytes sampleRows scratch scratchBytes signal stdin types unit');
  return {
    async *[Symbol.asyncIterator]() {
      const arrow = await import('apache-arrow');
      const tables = await openTables(source, options);
      try {
        for (const table of tables) yield* batchesOf(table, options, arrow);
      } finally {
        await Promise.all(tables.map(table => table.close()));
      }
    },
  };
}

async function* batchesOf(
  table: Table,
  { columns, signal }: BatchesOptions,
  arrow: typeof Arrow,
): AsyncGenerator<RecordBatch> {
  const { fields, format } = table;
  const places = columns?.map(name => fieldNamed(table, name).place) ?? [...fields.keys()];
  const read = places
    .filter(place => fields[place]!.kind !== 'unsupported')
    .map(place => ({ field: fields[place]!, place, column: columnOf(fields[place]!, format, arrow) }));
  const batchOf = batchMaker(read, arrow);
  for await (const frame of table.frames(read.map(({ place }) => place))) {
    for (let start = 0; start < frame.rows; start += BATCH_ROWS) {
      signal?.throwIfAborted();
      const count = Math.min(BATCH_ROWS, frame.rows - start);
      const cells = await settled(
        read.map(({ field, place }) => cellsOf(field, { frame, field: place, start, count })),
      );
      for (const [k, { elements }] of cells.entries()) requireHeld(table, read[k]!, elements[0]!);
      yield batchOf(cells, count);
    }
  }
}

/** A column of doubles must not change ids: a text file does not say that all its numbers are whole. */
function requireHeld({ name: table }: Table, { field, column }: Read, { rest }: Cells): void {
  if (column.isExact || !rest?.some(lack => lack !== 0)) return;
  throw dataError(
    { table, column: field.name },
    'has whole numbers beyond 2^53, which doubles cannot hold',
    `if it is an id, declare it as text: \`types: { ${inCode(field.name)}: 'text' }\``,
  );
}

interface Read {
  readonly field: Field;
  readonly column: Column;
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
  dataOf(cells: ColumnCells, count: number): Arrow.Data;
}

/** How cells of a field become Arrow data. */
export function columnOf(
  field: Pick<Field, 'kind' | 'type' | 'width'>,
  format: Table['format'],
  arrow: typeof Arrow,
): Column {
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
  // Numbers of a text file have no type: one that is whole so far may have a fraction further down.
  const isTyped = format !== 'csv' && format !== 'ndjson' && hasTexts(field);
  switch (field.kind) {
    case 'boolean':
      return of(new arrow.Bool(), bitsOf);
    case 'time': {
      const isFine = /\bns\b|_ns$|nanos/i.test(field.type);
      const type = isFine ? new arrow.TimestampNanosecond() : new arrow.TimestampMicrosecond();
      return of(type, (seconds, rest) => countsOf(seconds, isFine ? 1e9 : 1e6, rest));
    }
    case 'text':
      return textColumn(arrow);
    case 'vector':
      return vectorColumn(field.width, arrow);
    case 'integer':
      if (!isTyped) break;
      return UNSIGNED.test(field.type)
        ? of(
            new arrow.Uint32(),
            doubles => Uint32Array.from(doubles),
            value => value === value >>> 0,
          )
        : of(
            new arrow.Int32(),
            doubles => Int32Array.from(doubles),
            value => value === (value | 0),
          );
    case 'exact':
      if (!isTyped) break;
      if (/hugeint/i.test(field.type)) break;
      return /uint_?64|ubigint/i.test(field.type)
        ? of(new arrow.Uint64(), (doubles, rest) => BigUint64Array.from(wholesOf(doubles, rest)), Number.isSafeInteger)
        : of(new arrow.Int64(), (doubles, rest) => BigInt64Array.from(wholesOf(doubles, rest)), Number.isSafeInteger);
  }
  return of(new arrow.Float64(), doubles => doubles);
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

function textColumn(arrow: typeof Arrow): Column {
  const type = new arrow.Dictionary(new arrow.Utf8(), new arrow.Int32());
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
