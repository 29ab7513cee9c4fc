import { readSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dataError, requireInteger } from '../../errors.ts';
import { type Codec, type Decompress, loadCodec } from '../codec/loadCodec.ts';
import { fileError } from '../table/fileError.ts';
import type { Frame, Table } from '../table/table.ts';
import { chunkPlace, type Footer, type RowGroup, readFooter } from './footer.ts';
import type { Compression } from './format.ts';
import { guarded, viewOf } from './guarded.ts';
import type { ReadAt } from './page.ts';
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

/** The function that decompresses pages, once it is loaded; undefined for an unsupported compression. */
async function loadCompression(compression: Compression): Promise<Decompress | undefined> {
  if (compression === 'UNCOMPRESSED') return asStored;
  if (compression === 'LZ4') return hadoopLz4(await loadCodec('lz4-raw'));
  const codec = codecs[compression];
  return codec && loadCodec(codec);
}

const codecs: Readonly<Partial<Record<Compression, Codec>>> = {
  SNAPPY: 'snappy',
  GZIP: 'gzip',
  BROTLI: 'brotli',
  ZSTD: 'zstd',
  LZ4_RAW: 'lz4-raw',
};

const asStored: Decompress = (bytes, length) => {
  if (bytes.length === length) return bytes;
  throw new Error(`a page of ${length} bytes is stored as ${bytes.length}`);
};

/**
 * The deprecated LZ4 of Parquet. Hadoop wrote blocks, each preceded by its decoded length and its length (big-endian);
 * others wrote a bare block under the same name. Lengths that add up to the page indicate the former.
 */
export const hadoopLz4 =
  (decodeBlock: Decompress): Decompress =>
  (bytes, decodedLength, what) => {
    const blocks = hadoopBlocks(bytes, decodedLength);
    if (blocks === null) return decodeBlock(bytes, decodedLength, what);
    return Buffer.concat(blocks.map(({ start, end, length }) => decodeBlock(bytes.subarray(start, end), length, what)));
  };

interface Block {
  readonly start: number;
  readonly end: number;
  readonly length: number;
}

function hadoopBlocks(bytes: Uint8Array, decodedLength: number): readonly Block[] | null {
  const view = viewOf(bytes);
  const blocks: Block[] = [];
  let total = 0;
  let end = 0;
  while (end + 8 <= bytes.length) {
    const length = view.getUint32(end);
    const start = end + 8;
    end = start + view.getUint32(start - 4);
    total += length;
    blocks.push({ start, end, length });
  }
  return end === bytes.length && total === decodedLength ? blocks : null;
}
