import { readSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dataError, requireInteger } from '../../errors.ts';
import { fileError } from '../table/fileError.ts';
import type { Frame, Table } from '../table/table.ts';
import { chunkPlace, type Footer, type RowGroup, readFooter } from './footer.ts';
import { guarded } from './guarded.ts';
import { loadCompression } from './loadCompression.ts';
import type { ReadAt } from './pageReader.ts';
import { type ColumnPart, rowGroupFrame } from './rowGroupFrame.ts';

/**
 * A Parquet file; its frames are its row groups. Pages are read and decoded as their rows are requested, so a column
 * takes the memory of about a page, however long the row group is. Filling is synchronous: it waits for the disk and
 * for nothing else.
 */
export async function openParquet(path: string): Promise<Table> {
  const file = await open(path).catch(error => Promise.reject(fileError(path, error)));
  try {
    const readAt = readerOf(path, file);
    const { size } = await file.stat();
    const footer = guarded({ table: path }, () => readFooter(path, size, readAt));
    return Object.freeze({
      name: path,
      format: 'parquet',
      fields: Object.freeze(footer.columns.map(({ field }) => field)),
      rows: footer.rows,
      frames: (fields: readonly number[]) => frames(path, footer, fields, readAt),
      close: () => file.close(),
    });
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function* frames(
  table: string,
  footer: Footer,
  fields: readonly number[],
  readAt: ReadAt,
): AsyncGenerator<Frame, void> {
  for (const field of fields) requireInteger('field', field, 0, footer.columns.length - 1);
  for (const rowGroup of footer.rowGroups) {
    const parts = new Map<number, ColumnPart>();
    for (const field of fields) parts.set(field, await columnPart(table, footer, rowGroup, field));
    yield rowGroupFrame({ table, rowGroup, parts, readAt });
  }
}

async function columnPart(table: string, footer: Footer, rowGroup: RowGroup, field: number): Promise<ColumnPart> {
  const column = footer.columns[field]!;
  if (column.field.kind === 'unsupported') return { column, chunk: null };
  const name = { table, column: column.field.name };
  const place = guarded(name, () => chunkPlace(name, column, rowGroup, footer.start));
  const decompress = await loadCompression(place.compression);
  if (decompress === undefined) {
    throw dataError(name, `is compressed with ${place.compression}, which cannot be read`, 'write it with ZSTD');
  }
  return { column, chunk: { ...place, decompress } };
}

/** Node rejects reads of 2^31 bytes in one call. */
const mostAtOnce = 2 ** 30;

const readerOf =
  (table: string, file: FileHandle): ReadAt =>
  (into, position) => {
    // A closed file has no descriptor, and its old one may now refer to another file.
    if (file.fd < 0) throw dataError({ table }, 'is closed');
    for (let done = 0; done < into.length; ) {
      let count: number;
      try {
        count = readSync(file.fd, into, done, Math.min(into.length - done, mostAtOnce), position + done);
      } catch (error) {
        throw fileError(table, error);
      }
      if (count === 0) throw dataError({ table }, 'became shorter while it was being read', undefined, 'ERR_CHANGED');
      done += count;
    }
  };
