import type { Decoded } from './thrift.ts';

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

const empty = {} as const;
const timeUnit = { 1: ['millis', empty], 2: ['micros', empty], 3: ['nanos', empty] } as const;
const time = { 2: ['unit', timeUnit] } as const;

const logicalType = {
  1: ['STRING', empty],
  2: ['MAP', empty],
  3: ['LIST', empty],
  4: ['ENUM', empty],
  5: ['DECIMAL', { 1: ['scale', 'integer'], 2: ['precision', 'integer'] }],
  6: ['DATE', empty],
  7: ['TIME', time],
  8: ['TIMESTAMP', time],
  10: ['INTEGER', { 1: ['bits', 'integer'], 2: ['isSigned', 'boolean'] }],
  11: ['NULL', empty],
  12: ['JSON', empty],
  13: ['BSON', empty],
  14: ['UUID', empty],
  15: ['FLOAT16', empty],
} as const;

const schemaElement = {
  1: ['type', 'integer'],
  2: ['typeLength', 'integer'],
  3: ['repetition', 'integer'],
  4: ['name', 'text'],
  5: ['children', 'integer'],
  6: ['convertedType', 'integer'],
  7: ['scale', 'integer'],
  8: ['precision', 'integer'],
  10: ['logicalType', logicalType],
} as const;
export type SchemaElement = Decoded<typeof schemaElement>;

const columnChunk = {
  1: ['filePath', 'text'],
  3: [
    'metadata',
    {
      1: ['type', 'integer'],
      3: ['path', ['text']],
      4: ['codec', 'integer'],
      5: ['values', 'integer'],
      7: ['compressedSize', 'integer'],
      9: ['dataPageOffset', 'integer'],
      11: ['dictionaryPageOffset', 'integer'],
      12: ['statistics', { 3: ['nulls', 'integer'] }],
    },
  ],
  /** Present if the column is encrypted, with its own key or with that of the footer. */
  8: ['encryption', empty],
} as const;
export type ColumnChunk = Decoded<typeof columnChunk>;

export const fileMetadata = {
  2: ['schema', [schemaElement]],
  3: ['rows', 'integer'],
  4: ['rowGroups', [{ 1: ['columns', [columnChunk]], 3: ['rows', 'integer'] }]],
} as const;

export const pageHeader = {
  1: ['type', 'integer'],
  2: ['decodedSize', 'integer'],
  3: ['size', 'integer'],
  4: ['crc', 'integer'],
  5: ['data', { 1: ['values', 'integer'], 2: ['encoding', 'integer'], 3: ['levelEncoding', 'integer'] }],
  7: ['dictionary', { 1: ['values', 'integer'], 2: ['encoding', 'integer'] }],
  8: [
    'dataV2',
    {
      1: ['values', 'integer'],
      2: ['nulls', 'integer'],
      3: ['rows', 'integer'],
      4: ['encoding', 'integer'],
      5: ['levelBytes', 'integer'],
      6: ['repetitionBytes', 'integer'],
      7: ['isCompressed', 'boolean'],
    },
  ],
} as const;
export type PageHeader = Decoded<typeof pageHeader>;
