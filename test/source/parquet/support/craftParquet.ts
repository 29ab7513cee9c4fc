import { type ThriftRecord, writeThrift } from './writeThrift.ts';

/**
 * A file put together by hand, right or wrong. Records are those of parquet.thrift; what is given here goes before what
 * is usual.
 */
export interface Craft {
  /** Of the one column: a DOUBLE that may not be null, unless given. */
  readonly element?: ThriftRecord;
  readonly pages: readonly Buffer[];
  readonly rows: number;
  /** The column's ColumnMetaData, ColumnChunk, the row group and the FileMetaData. */
  readonly metadata?: ThriftRecord;
  readonly chunk?: ThriftRecord;
  readonly rowGroup?: ThriftRecord;
  readonly file?: ThriftRecord;
}

export function craftParquet({ element = {}, pages, rows, metadata, chunk, rowGroup, file }: Craft): Buffer {
  const leaf: ThriftRecord = { 1: 5, 3: 0, 4: 'x', ...element };
  const data = Buffer.concat(pages);
  const column = {
    1: leaf[1],
    2: [0],
    3: ['x'],
    4: 0,
    5: rows,
    6: data.length,
    7: data.length,
    9: 4,
    ...metadata,
  };
  const group = { 1: [{ 2: 0, 3: column, ...chunk }], 2: data.length, 3: rows, ...rowGroup };
  const footer = writeThrift({ 1: 1, 2: [{ 4: 'root', 5: 1 }, leaf], 3: rows, 4: [group], ...file });
  return wholeFile(data, footer);
}

/** Data and a footer in their places. */
export function wholeFile(data: Uint8Array, footer: Uint8Array): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(footer.length);
  return Buffer.concat([Buffer.from('PAR1'), data, footer, length, Buffer.from('PAR1')]);
}

/** A data page of the first version, PLAIN unless its header says otherwise. */
export function page(values: number, body: Uint8Array, data: ThriftRecord = {}, header: ThriftRecord = {}): Buffer {
  const inner = { 1: values, 2: 0, 3: 3, 4: 3, ...data };
  return Buffer.concat([writeThrift({ 1: 0, 2: body.length, 3: body.length, 5: inner, ...header }), body]);
}

/** A data page of the second version; `levels` are not compressed and come before the values. */
export function pageV2(rows: number, levels: Uint8Array, body: Uint8Array, data: ThriftRecord = {}): Buffer {
  const inner = { 1: rows, 2: 0, 3: rows, 4: 0, 5: levels.length, 6: 0, ...data };
  const size = levels.length + body.length;
  return Buffer.concat([writeThrift({ 1: 3, 2: size, 3: size, 8: inner }), levels, body]);
}

export function dictionary(values: number, body: Uint8Array, data: ThriftRecord = {}): Buffer {
  const header = { 1: 2, 2: body.length, 3: body.length, 7: { 1: values, 2: 0, ...data } };
  return Buffer.concat([writeThrift(header), body]);
}

export const doubles = (...values: number[]): Buffer => Buffer.from(Float64Array.from(values).buffer);

/** Bytes behind their length in four bytes, as levels and texts are. */
export function prefixed(bytes: Uint8Array | string): Buffer {
  const buffer = Buffer.from(bytes as string);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(buffer.length);
  return Buffer.concat([length, buffer]);
}
