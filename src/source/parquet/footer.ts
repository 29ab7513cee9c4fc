import { dataError, type Place } from '../../errors.ts';
import { type Column, columnsOf } from './columns.ts';
import { type ColumnChunk, type Compression, compressions, fileMetadata, physicalTypes } from './format.ts';
import { requireCount, viewOf } from './guarded.ts';
import type { ReadAt } from './page.ts';
import { readStruct } from './thrift.ts';

export interface Footer {
  readonly rows: number;
  readonly columns: readonly Column[];
  readonly rowGroups: readonly RowGroup[];
  /** The offset at which it begins; the data end before. */
  readonly start: number;
}

export interface RowGroup {
  readonly rows: number;
  /** The index in the file of its first row. */
  readonly firstRow: number;
  readonly chunks: readonly ColumnChunk[];
}

const magic = 'PAR1';
const encryptedMagic = 'PARE';
/** The 4 bytes of the footer's length and the 4 of the magic. */
const tail = 8;

/** A file is the magic, data, metadata, the length of the metadata, and the magic again. */
export function readFooter(table: string, size: number, readAt: ReadAt): Footer {
  const bytesAt = (position: number, length: number): Buffer => {
    const bytes = Buffer.alloc(length);
    readAt(bytes, position);
    return bytes;
  };
  const notParquet = (reason: string) =>
    dataError(
      { table },
      `is not a complete Parquet file: ${reason}`,
      'perhaps it was not written or copied completely',
    );
  if (size < magic.length + tail) throw notParquet(`it has ${size} bytes`);
  const ending = bytesAt(size - tail, tail);
  const [first, last] = [bytesAt(0, 4), ending.subarray(4)].map(bytes => bytes.toString('latin1'));
  if (first === encryptedMagic || last === encryptedMagic) {
    throw dataError({ table }, 'is encrypted', 'decrypt it first');
  }
  if (first !== magic || last !== magic) throw notParquet(`it does not begin and end with ${magic}`);
  const length = ending.readUInt32LE();
  const start = size - tail - length;
  if (start < magic.length) throw notParquet(`a footer of ${length} bytes does not fit into ${size}`);

  const view = viewOf(bytesAt(start, length));
  const { schema = [], rowGroups = [], rows } = readStruct(fileMetadata, { view, offset: 0 });
  let firstRow = 0;
  const groups = rowGroups.map(group => {
    const place = { rows: requireCount('rows', group.rows), firstRow, chunks: group.columns ?? [] };
    firstRow += place.rows;
    return Object.freeze(place);
  });
  if (requireCount('rows', rows) !== firstRow) {
    throw new Error(`its row groups have ${firstRow} rows in total, not ${rows}`);
  }
  return Object.freeze({ rows: firstRow, columns: columnsOf(schema), rowGroups: Object.freeze(groups), start });
}

/** The position of the pages of one column of one row group. */
export interface ChunkPlace {
  readonly start: number;
  readonly end: number;
  readonly compression: Compression;
  /** The number of nulls, if the file says. */
  readonly nulls: number | undefined;
}

/** Rejects a chunk that is elsewhere, unreadable, or not as long as the row group. */
export function chunkPlace(place: Place, column: Column, { rows, chunks }: RowGroup, dataEnd: number): ChunkPlace {
  const chunk = chunks[column.chunk];
  if (chunk?.filePath)
    throw dataError(place, `is stored in another file, ${JSON.stringify(chunk.filePath)}`, undefined, 'ERR_FILE');
  if (chunk?.encryption) throw dataError(place, 'is encrypted', 'leave it out, or decrypt the file first', 'ERR_FILE');
  const metadata = chunk?.metadata;
  if (metadata === undefined) throw new Error('a row group does not say where its values are');
  const path = metadata.path ?? [];
  if (path.length !== column.path.length || !path.every((name, i) => name === column.path[i])) {
    throw new Error(`a row group has ${JSON.stringify(path.join('.'))} in place of this column`);
  }
  const physical = physicalTypes[metadata.type!];
  if (physical !== column.physical) throw new Error(`a row group stores it as ${physical ?? 'an unknown type'}`);
  if (metadata.values !== rows)
    throw new Error(`a row group of ${rows} rows has ${metadata.values ?? 'an unknown number of'} values`);
  const compression = compressions[metadata.codec!];
  if (compression === undefined) throw new Error(`its compression codec ${metadata.codec ?? 'none'} is unknown`);

  const data = requireCount('bytes', metadata.dataPageOffset);
  const dictionary = requireCount('bytes', metadata.dictionaryPageOffset ?? 0);
  // Some writers store 0 if there is no dictionary.
  const start = dictionary > 0 && dictionary < data ? dictionary : data;
  const end = start + requireCount('bytes', metadata.compressedSize);
  if (end > dataEnd) throw new Error(`its pages end at byte ${end}, but the data end at ${dataEnd}`);
  return { start, end, compression, nulls: metadata.statistics?.nulls };
}
