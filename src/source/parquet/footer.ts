import { dataError } from '../../errors.ts';
import type { ReadAt } from './fileWindow.ts';
import { type ColumnChunk, fileMetadata } from './format.ts';
import { requireCount } from './guarded.ts';
import { type Column, columnsOf } from './schema.ts';
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

  const bytes = bytesAt(start, length);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
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
  return Object.freeze({
    rows: firstRow,
    columns: columnsOf(schema),
    rowGroups: Object.freeze(groups),
    start,
  });
}
