import { once } from 'node:events';
import { Readable, type Writable } from 'node:stream';
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
    const writer = format === 'arrow' ? arrow.RecordBatchFileWriter : arrow.RecordBatchStreamWriter;
    yield* Readable.from(batches).pipe(writer.throughNode()) as AsyncIterable<Uint8Array>;
    return;
  }
  if (format === 'parquet') {
    const { parquetBatches } = await import('./parquetBatches.ts');
    yield* parquetBatches(batches, arrow);
    return;
  }
  let isFirst = true;
  for await (const batch of batches) {
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
  return row => {
    const found = column.get(row);
    if (found === null || found === undefined) return format === 'csv' ? '' : 'null';
    if (typeof found === 'bigint' || typeof found === 'boolean') return String(found);
    if (typeof found === 'number' && !isTime)
      return Object.is(found, -0) ? '-0' : Number.isFinite(found) || format === 'csv' ? String(found) : 'null';
    const text = isTime ? new Date(Number(found)).toISOString() : String(found);
    return format === 'csv' ? quoted(text) : JSON.stringify(text);
  };
}
