import type * as Arrow from 'apache-arrow';
import type { RecordBatch } from 'apache-arrow';
import { requireKnown } from '../../errors.ts';
import { settled } from '../../sample/shuffle/settled.ts';
import { fieldNamed } from '../design/featureColumns.ts';
import { openTables } from '../read/openRows.ts';
import type { OpenOptions } from '../read/openTable.ts';
import { BATCH_ROWS } from '../read/tableSamples.ts';
import { hasTexts } from '../table/leveled.ts';
import type { Field, Frame, Table } from '../table/table.ts';
import type { RowSource } from './rowSource.ts';
import type { SpoolOptions } from './spool.ts';

/** Which columns are read, and how. */
export interface BatchesOptions extends OpenOptions, Pick<SpoolOptions, 'memoryBytes' | 'scratch' | 'signal'> {
  /** The columns to read, by name, in their order; all that can be read unless given. */
  readonly columns?: readonly string[];
}

/**
 * Any source as record batches of apache-arrow, so that a filter or a derived column can stand before `split` or
 * `estimate`. Each iteration reads the source from its beginning, and its batches are the caller's to keep.
 *
 * Whatever the source, nulls are nulls, and the types are
 *
 *   numbers          Float64; Int32, Uint32 or Int64 if the source has whole numbers of such a type
 *   true and false   Bool
 *   dates and times  Timestamp in microseconds, or in nanoseconds if the source has those
 *   texts            Dictionary<Int32, Utf8>, with a dictionary for each batch
 *   vectors          FixedSizeList<Float64>
 *
 * Columns of other types are left out. Fitted, the batches give the same bits as the source itself.
 */
export function batches(source: RowSource, options: BatchesOptions = {}): AsyncIterable<RecordBatch> {
  requireKnown(options, 'columns malformed memoryBytes sampleRows scratch signal stdin types unit');
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
    .map(place => ({ ...columnOf(fields[place]!, format, arrow), place }));
  const schema = new arrow.Schema(read.map(({ place, type }) => new arrow.Field(fields[place]!.name, type, true)));
  for await (const frame of table.frames(read.map(({ place }) => place))) {
    for (let start = 0; start < frame.rows; start += BATCH_ROWS) {
      signal?.throwIfAborted();
      const count = Math.min(BATCH_ROWS, frame.rows - start);
      const children = await settled(read.map(({ place, fill }) => fill({ frame, field: place, start, count })));
      const type = new arrow.Struct(schema.fields);
      yield new arrow.RecordBatch(
        schema,
        arrow.makeData({ type, length: count, nullCount: 0, children: [...children] }),
      );
    }
  }
}

interface Rows {
  readonly frame: Frame;
  readonly field: number;
  readonly start: number;
  readonly count: number;
}

interface Column {
  readonly type: Arrow.DataType;
  fill(rows: Rows): Promise<Arrow.Data>;
}

function columnOf(field: Field, format: Table['format'], arrow: typeof Arrow): Column {
  /** A column whose values are made from doubles. */
  const of = (type: Arrow.DataType, valuesOf: (doubles: Float64Array) => unknown): Column => ({
    type,
    fill: async rows => {
      const { doubles, missing, nullCount } = await doublesOf(rows);
      const nulls = nullsOf(missing, nullCount);
      return arrow.makeData({ type, length: rows.count, ...nulls, data: valuesOf(doubles) } as never);
    },
  });
  // Numbers of a text file have no type: one that is whole so far may have a fraction further down.
  const isTyped = format !== 'csv' && format !== 'ndjson' && hasTexts(field);
  switch (field.kind) {
    case 'boolean':
      return of(new arrow.Bool(), bitsOf);
    case 'time': {
      const isFine = /\bns\b|nanos/i.test(field.type);
      const type = isFine ? new arrow.TimestampNanosecond() : new arrow.TimestampMicrosecond();
      return of(type, seconds => countsOf(seconds, isFine ? 1e9 : 1e6));
    }
    case 'text':
      return textColumn(arrow);
    case 'vector':
      return vectorColumn(field.width, arrow);
    case 'integer':
      if (!isTyped) break;
      return UNSIGNED.test(field.type)
        ? of(new arrow.Uint32(), doubles => Uint32Array.from(doubles))
        : of(new arrow.Int32(), doubles => Int32Array.from(doubles));
    case 'exact':
      if (!isTyped) break;
      return of(new arrow.Int64(), doubles => BigInt64Array.from(doubles, BigInt));
  }
  return of(new arrow.Float64(), doubles => doubles);
}

/** The names of 32 unsigned bits in Arrow, Parquet and SQL, also as the values of a dictionary. */
const UNSIGNED = /(uint_?32|uinteger)[)>]?$/i;

async function doublesOf({ frame, ...rows }: Rows, element = 0) {
  const doubles = new Float64Array(rows.count);
  const missing = new Uint8Array(rows.count);
  const nullCount = await frame.fill({ ...rows, element, out: doubles, missing });
  return { doubles, missing, nullCount };
}

const nullsOf = (missing: Uint8Array, nullCount: number) => ({
  nullCount,
  nullBitmap: nullCount === 0 ? null : bitsOf(missing.map(mark => 1 - mark)),
});

/** One bit for each number, which is 0 or 1. */
function bitsOf(numbers: Float64Array | Uint8Array): Uint8Array {
  const bits = new Uint8Array(Math.ceil(numbers.length / 8));
  for (let i = 0; i < numbers.length; i++) bits[i >> 3]! |= numbers[i]! << (i & 7);
  return bits;
}

/** Seconds as whole counts of a fraction of a second; the whole seconds apart, because the product may be rounded. */
const countsOf = (seconds: Float64Array, perSecond: number): BigInt64Array =>
  BigInt64Array.from(seconds, value => {
    const whole = Math.floor(value);
    return BigInt(whole) * BigInt(perSecond) + BigInt(Math.round((value - whole) * perSecond));
  });

function textColumn(arrow: typeof Arrow): Column {
  const type = new arrow.Dictionary(new arrow.Utf8(), new arrow.Int32());
  return {
    type,
    fill: async ({ frame, ...rows }) => {
      // Stands for texts that are not UTF-8.
      const levels = ['\ufffd'];
      const out = new Float64Array(rows.count);
      const missing = new Uint8Array(rows.count);
      const most = Infinity;
      const nullCount = await frame.discoverLevels({ ...rows, out, missing, levels, most, longest: most });
      return arrow.makeData({
        type,
        length: rows.count,
        ...nullsOf(missing, nullCount),
        data: Int32Array.from(out, rank => Math.max(rank, 0)),
        dictionary: arrow.vectorFromArray(levels, new arrow.Utf8()),
      });
    },
  };
}

function vectorColumn(width: number, arrow: typeof Arrow): Column {
  const element = new arrow.Field('item', new arrow.Float64(), true);
  const type = new arrow.FixedSizeList(width, element);
  return {
    type,
    fill: async rows => {
      const values = new Float64Array(width * rows.count);
      const missing = new Uint8Array(width * rows.count);
      let nullCount = 0;
      for (let k = 0; k < width; k++) {
        const element = await doublesOf(rows, k);
        nullCount += element.nullCount;
        for (let i = 0; i < rows.count; i++) {
          values[i * width + k] = element.doubles[i]!;
          missing[i * width + k] = element.missing[i]!;
        }
      }
      const child = arrow.makeData({
        type: element.type,
        length: width * rows.count,
        ...nullsOf(missing, nullCount),
        data: values,
      });
      return arrow.makeData({ type, length: rows.count, nullCount: 0, child });
    },
  };
}
