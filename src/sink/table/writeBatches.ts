import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type * as Arrow from 'apache-arrow';
import type { DataType, RecordBatch } from 'apache-arrow';
import { ArgumentError } from '../../errors.ts';
import { openWhole } from '../../files.ts';
import { quoted } from './textEncoders.ts';

/** The formats of record batches with columns of any type; `arrow-stream` can be read while it is written. */
export type BatchFormat = 'arrow' | 'arrow-stream' | 'parquet' | 'csv' | 'ndjson';

/** Writes record batches to a file, which appears when it is complete. */
export async function writeBatches(
  path: string,
  batches: AsyncIterable<RecordBatch>,
  format: BatchFormat,
): Promise<void> {
  const file = await openWhole(path);
  try {
    for await (const piece of piecesOf(batches, format)) await file.write(piece);
    await file.commit();
  } finally {
    await file.abandon();
  }
}

/** Writes record batches to a stream as they come, no faster than its reader takes them. */
export async function streamBatches(
  output: Writable,
  batches: AsyncIterable<RecordBatch>,
  format: BatchFormat,
): Promise<void> {
  for await (const piece of piecesOf(batches, format)) if (!output.write(piece)) await once(output, 'drain');
}

async function* piecesOf(
  batches: AsyncIterable<RecordBatch>,
  format: BatchFormat,
): AsyncGenerator<Uint8Array | string> {
  // Loaded on demand, because a command must start fast.
  const arrow = await import('apache-arrow');
  if (format === 'arrow' || format === 'arrow-stream') {
    const writer = format === 'arrow' ? new arrow.RecordBatchFileWriter() : new arrow.RecordBatchStreamWriter();
    yield* arrowPieces(alike(batches, arrow), writer, arrow);
    return;
  }
  if (format === 'parquet') {
    const { parquetBatches } = await import('./parquetBatches.ts');
    yield* parquetBatches(alike(batches, arrow), arrow);
    return;
  }
  let isFirst = true;
  for await (const batch of alike(batches, arrow)) {
    const names = batch.schema.fields.map(({ name }) => name);
    const columns = batch.schema.fields.map((field, j) => textOf(arrow, field.type, batch.getChildAt(j)!, format));
    if (isFirst && format === 'csv') yield `${names.map(quoted).join(',')}\n`;
    isFirst = false;
    let text = '';
    for (let i = 0; i < batch.numRows; i++) {
      const cells = columns.map(cell => cell(i));
      text +=
        format === 'csv'
          ? `${cells.join(',')}\n`
          : `{${cells.map((cell, j) => `${JSON.stringify(names[j])}:${cell}`).join(',')}}\n`;
    }
    yield text;
  }
}

/** The same batches, all of the first one's schema: a file has room for one. */
async function* alike(batches: AsyncIterable<RecordBatch>, arrow: typeof Arrow): AsyncGenerator<RecordBatch> {
  let first: Arrow.Schema | undefined;
  for await (const batch of batches) {
    first ??= batch.schema;
    // As a boolean, because the compiler takes a schema that is not the same for none.
    const isSame: boolean = arrow.util.compareSchemas(first, batch.schema);
    if (!isSame) {
      const told = ({ fields }: Arrow.Schema): string => fields.map(({ name, type }) => `${name}: ${type}`).join(', ');
      throw new ArgumentError(
        `a batch has the columns ${told(batch.schema)}, but the first one has ${told(first)}, and a file has one schema; give all batches the columns of the first`,
        'ERR_COLUMN',
        { columns: batch.schema.fields.map(({ name }) => name) },
      );
    }
    yield batch;
  }
}

/**
 * What the writer makes of each batch, before the next is pulled. Dictionaries are written as their values: an Arrow file
 * has one dictionary for all its batches, which would have to be known from the first.
 */
async function* arrowPieces(
  batches: AsyncIterable<RecordBatch>,
  writer: Arrow.RecordBatchWriter,
  arrow: typeof Arrow,
): AsyncGenerator<Uint8Array> {
  const pieces = writer[Symbol.asyncIterator]();
  let next = pieces.next();
  /** The next piece; null if the writer waits for another batch, because those it has come before a turn ends. */
  const ready = (): Promise<IteratorResult<Uint8Array> | null> =>
    Promise.race([next, new Promise<null>(resolve => setImmediate(resolve, null))]);
  for await (const batch of batches) {
    writer.write(withValues(batch, arrow));
    for (let piece = await ready(); piece !== null; piece = await ready()) {
      if (piece.done) throw new Error('the writer of Arrow files ended before its batches');
      yield piece.value;
      next = pieces.next();
    }
  }
  writer.finish();
  for (let piece = await next; !piece.done; piece = await pieces.next()) yield piece.value;
}

/** A batch whose columns are those of the values of its dictionaries. */
function withValues(batch: RecordBatch, arrow: typeof Arrow): RecordBatch {
  const { DataType } = arrow;
  if (!batch.schema.fields.some(({ type }) => DataType.isDictionary(type))) return batch;
  const columns = batch.schema.fields.map((field, k) => {
    if (!DataType.isDictionary(field.type)) return { field, data: batch.data.children[k]! };
    const { dictionary: type } = field.type;
    const [data] = arrow.vectorFromArray([...batch.getChildAt(k)!], type).data;
    return { field: field.clone({ type }), data: data ?? arrow.makeData({ type } as never) };
  });
  const fields = columns.map(({ field }) => field);
  return new arrow.RecordBatch(
    new arrow.Schema(fields, batch.schema.metadata),
    arrow.makeData({
      type: new arrow.Struct(fields),
      length: batch.numRows,
      nullCount: 0,
      children: columns.map(({ data }) => data),
    }),
  );
}

/** The text of every value of a column: whole numbers in full, dates and times by ISO 8601, nulls as the format has them. */
function textOf(
  { DataType }: typeof import('apache-arrow'),
  type: DataType,
  column: { get(row: number): unknown },
  format: 'csv' | 'ndjson',
): (row: number) => string {
  if (type.children?.length)
    throw new ArgumentError(`a ${format} file has no place for a column of type ${type}; write .arrow`, 'ERR_COLUMN', {
      type: String(type),
    });
  const value = DataType.isDictionary(type) ? type.dictionary : type;
  const isTime = DataType.isDate(value) || DataType.isTimestamp(value);
  const inUnits = DataType.isTime(value) || DataType.isDuration(value) ? 1000 ** value.unit : undefined;
  return row => {
    const found = column.get(row);
    if (found === null || found === undefined) return format === 'csv' ? '' : 'null';
    if (inUnits !== undefined) {
      const text = spanOf(BigInt(found as bigint | number), BigInt(inUnits), DataType.isDuration(value));
      return format === 'csv' ? text : JSON.stringify(text);
    }
    if (typeof found === 'bigint' || typeof found === 'boolean') return String(found);
    if (typeof found === 'number' && !isTime)
      return Object.is(found, -0) ? '-0' : Number.isFinite(found) || format === 'csv' ? String(found) : 'null';
    const text = isTime ? new Date(Number(found)).toISOString() : String(found);
    return format === 'csv' ? quoted(text) : JSON.stringify(text);
  };
}

/** By ISO 8601: a time of day as 00:00:05, a duration as PT5S; a fraction of a second has as many digits as it needs. */
function spanOf(count: bigint, perSecond: bigint, isDuration: boolean): string {
  const [sign, size] = count < 0n ? ['-', -count] : ['', count];
  const [seconds, rest] = [size / perSecond, size % perSecond];
  const digits =
    rest === 0n
      ? ''
      : `.${String(perSecond + rest)
          .slice(1)
          .replace(/0+$/, '')}`;
  if (isDuration) return `${sign}PT${seconds}${digits}S`;
  const parts = [seconds / 3600n, (seconds / 60n) % 60n, seconds % 60n].map(part => String(part).padStart(2, '0'));
  return `${sign}${parts.join(':')}${digits}`;
}
