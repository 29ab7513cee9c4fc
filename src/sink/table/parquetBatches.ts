import type * as Arrow from 'apache-arrow';
import { ArgumentError } from '../../errors.ts';
import { type ParquetColumn, type ParquetPage, parquetFile } from './parquetEncoder.ts';
import { bool, i32, struct, type ThriftValue } from './thriftWriter.ts';

/** Record batches as a Parquet file, a row group each; every column may have nulls. */
export async function* parquetBatches(
  batches: AsyncIterable<Arrow.RecordBatch>,
  arrow: typeof Arrow,
): AsyncGenerator<Uint8Array> {
  let file: ReturnType<typeof parquetFile> | undefined;
  let columns: readonly WrittenColumn[] = [];
  for await (const batch of batches) {
    if (file === undefined) {
      columns = batch.schema.fields.map(({ name, type }) => columnOf(name, type, arrow));
      file = parquetFile(columns);
      yield* file.begin();
    }
    if (batch.numRows > 0) yield* file.encode(columns.map((column, j) => pageOf(column, batch.getChildAt(j)!)));
  }
  if (file !== undefined) yield* file.end();
}

interface WrittenColumn extends ParquetColumn {
  /** The values that are there, as the format has them. */
  bytesOf(values: readonly unknown[]): Uint8Array;
  /** How a value that is there is read, where not by `get`. */
  cellsOf?(column: Arrow.Vector): (row: number) => unknown;
}

/** Physical types by their numbers in parquet.thrift. */
const [BOOLEAN, INT64, DOUBLE, BYTE_ARRAY] = [0, 2, 5, 6];

function columnOf(name: string, declared: Arrow.DataType, arrow: typeof Arrow): WrittenColumn {
  const { DataType } = arrow;
  const type: Arrow.DataType = DataType.isDictionary(declared) ? declared.dictionary : declared;
  const column = (physical: number, bytesOf: WrittenColumn['bytesOf'], said: Record<number, ThriftValue> = {}) => ({
    name,
    type: physical,
    nullable: true,
    said,
    bytesOf,
  });
  if (DataType.isBool(type)) return column(BOOLEAN, bits);
  if (DataType.isFloat(type)) return column(DOUBLE, values => memoryOf(Float64Array.from(values as number[])));
  if (DataType.isInt(type)) return column(INT64, wholeNumbers);
  if (DataType.isUtf8(type)) return column(BYTE_ARRAY, texts, { 6: i32(0), 10: struct({ 1: struct({}) }) });
  if (DataType.isTimestamp(declared)) {
    const isFine = declared.unit === arrow.TimeUnit.NANOSECOND;
    const perUnit = isFine ? 1n : BigInt(1e6 / 1000 ** declared.unit);
    const inUnit = { 1: bool(Boolean(declared.timezone)), 2: struct({ [isFine ? 3 : 2]: struct({}) }) };
    const logical = { 10: struct({ 8: struct(inUnit) }) };
    return {
      ...column(INT64, wholeNumbers, isFine ? logical : { 6: i32(10), ...logical }),
      // apache-arrow gives milliseconds as a double, which has no room for nanoseconds.
      cellsOf:
        ({ data: [data] }) =>
        i =>
          (data!.values as BigInt64Array)[i]! * perUnit,
    };
  }
  throw new ArgumentError(
    `a Parquet file is not written with a column of type ${declared}; write .arrow`,
    'ERR_COLUMN',
    { column: name, type: String(declared) },
  );
}

function pageOf({ bytesOf, cellsOf }: WrittenColumn, column: Arrow.Vector): ParquetPage {
  const marks = Array.from({ length: column.length }, (_, i) => column.isValid(i));
  const cell = cellsOf?.(column) ?? ((i: number): unknown => column.get(i));
  return { rows: marks.length, present: bits(marks), values: bytesOf(marks.flatMap((is, i) => (is ? [cell(i)] : []))) };
}

const memoryOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** One bit for each value that is true, least significant first. */
function bits(values: readonly unknown[]): Uint8Array {
  const packed = new Uint8Array(Math.ceil(values.length / 8));
  values.forEach((value, i) => {
    if (value === true) packed[i >> 3]! |= 1 << (i & 7);
  });
  return packed;
}

const wholeNumbers = (values: readonly unknown[]): Uint8Array =>
  memoryOf(BigInt64Array.from(values as readonly (number | bigint)[], BigInt));

/** Every text after its length in bytes. */
function texts(values: readonly unknown[]): Uint8Array {
  return Buffer.concat(
    values.flatMap(value => {
      const bytes = Buffer.from(String(value));
      const length = Buffer.alloc(4);
      length.writeUInt32LE(bytes.length);
      return [length, bytes];
    }),
  );
}
