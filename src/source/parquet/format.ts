import { boolean, type Decoder, integer, list, struct, text } from './thrift.ts';

type Decoded<D> = D extends Decoder<infer T> ? T : never;

/**
 * The structs of the Parquet format (apache/parquet-format, parquet.thrift) needed to read flat columns, with its
 * numeric ids as names.
 */
export const physicalTypes = [
  'BOOLEAN',
  'INT32',
  'INT64',
  'INT96',
  'FLOAT',
  'DOUBLE',
  'BYTE_ARRAY',
  'FIXED_LEN_BYTE_ARRAY',
] as const;
export type PhysicalType = (typeof physicalTypes)[number];

/** The older type annotation, for files without a `LogicalType`. */
export const convertedTypes = [
  'UTF8',
  'MAP',
  'MAP_KEY_VALUE',
  'LIST',
  'ENUM',
  'DECIMAL',
  'DATE',
  'TIME_MILLIS',
  'TIME_MICROS',
  'TIMESTAMP_MILLIS',
  'TIMESTAMP_MICROS',
  'UINT_8',
  'UINT_16',
  'UINT_32',
  'UINT_64',
  'INT_8',
  'INT_16',
  'INT_32',
  'INT_64',
  'JSON',
  'BSON',
  'INTERVAL',
] as const;

export const encodings = [
  'PLAIN',
  'GROUP_VAR_INT',
  'PLAIN_DICTIONARY',
  'RLE',
  'BIT_PACKED',
  'DELTA_BINARY_PACKED',
  'DELTA_LENGTH_BYTE_ARRAY',
  'DELTA_BYTE_ARRAY',
  'RLE_DICTIONARY',
  'BYTE_STREAM_SPLIT',
] as const;
export type Encoding = (typeof encodings)[number];

export const compressions = ['UNCOMPRESSED', 'SNAPPY', 'GZIP', 'LZO', 'BROTLI', 'LZ4', 'ZSTD', 'LZ4_RAW'] as const;
export type Compression = (typeof compressions)[number];

export const repetitions = { required: 0, optional: 1, repeated: 2 } as const;
export const pageTypes = { data: 0, index: 1, dictionary: 2, dataV2: 3 } as const;

const empty = struct({});
const timeUnit = struct({ millis: [1, empty], micros: [2, empty], nanos: [3, empty] });
const time = struct({ unit: [2, timeUnit] });

const logicalType = struct({
  STRING: [1, empty],
  MAP: [2, empty],
  LIST: [3, empty],
  ENUM: [4, empty],
  DECIMAL: [5, struct({ scale: [1, integer], precision: [2, integer] })],
  DATE: [6, empty],
  TIME: [7, time],
  TIMESTAMP: [8, time],
  INTEGER: [10, struct({ bits: [1, integer], isSigned: [2, boolean] })],
  NULL: [11, empty],
  JSON: [12, empty],
  BSON: [13, empty],
  UUID: [14, empty],
  FLOAT16: [15, empty],
});

const schemaElement = struct({
  type: [1, integer],
  typeLength: [2, integer],
  repetition: [3, integer],
  name: [4, text],
  children: [5, integer],
  convertedType: [6, integer],
  scale: [7, integer],
  precision: [8, integer],
  logicalType: [10, logicalType],
});
export type SchemaElement = Decoded<typeof schemaElement>;

const columnChunk = struct({
  filePath: [1, text],
  metadata: [
    3,
    struct({
      type: [1, integer],
      path: [3, list(text)],
      codec: [4, integer],
      values: [5, integer],
      compressedSize: [7, integer],
      dataPageOffset: [9, integer],
      dictionaryPageOffset: [11, integer],
      statistics: [12, struct({ nulls: [3, integer] })],
    }),
  ],
  /** Present if the column is encrypted, with its own key or with that of the footer. */
  encryption: [8, empty],
});
export type ColumnChunk = Decoded<typeof columnChunk>;

export const fileMetadata = struct({
  schema: [2, list(schemaElement)],
  rows: [3, integer],
  rowGroups: [4, list(struct({ columns: [1, list(columnChunk)], rows: [3, integer] }))],
});

export const pageHeader = struct({
  type: [1, integer],
  decodedSize: [2, integer],
  size: [3, integer],
  crc: [4, integer],
  data: [5, struct({ values: [1, integer], encoding: [2, integer], levelEncoding: [3, integer] })],
  dictionary: [7, struct({ values: [1, integer], encoding: [2, integer] })],
  dataV2: [
    8,
    struct({
      values: [1, integer],
      nulls: [2, integer],
      rows: [3, integer],
      encoding: [4, integer],
      levelBytes: [5, integer],
      repetitionBytes: [6, integer],
      isCompressed: [7, boolean],
    }),
  ],
});
export type PageHeader = Decoded<typeof pageHeader>;
