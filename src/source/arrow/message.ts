/** The messages of Arrow's IPC format: their length prefixes, and their metadata. */
// Imported from individual files, because the whole package takes longer to load than a small fit.
import { MessageHeader, MetadataVersion } from 'apache-arrow/enum';
import { CompressionType } from 'apache-arrow/fb/compression-type';
import type { Codec } from '../codec/loadCodec.ts';
import { type FlatTable, flatbuffer } from './flatbuffer.ts';
import type { Damaged } from './region.ts';

export interface Message {
  readonly version: MetadataVersion;
  readonly header: MessageHeader;
  readonly content: FlatTable;
  /** The length of the body, which follows the metadata. */
  readonly bodyLength: number;
}

export type BatchHeader = ReturnType<typeof decodeBatch>;

/** Since Arrow 0.15 this word precedes the length of the metadata; before, there was only the length. */
export const CONTINUATION = -1;

/** Extracts the metadata from bytes that also contain their length prefix and padding. */
export function unframe(bytes: Uint8Array, damaged: Damaged): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isNew = bytes.length >= 8 && view.getInt32(0, true) === CONTINUATION;
  const start = isNew ? 8 : 4;
  const length = bytes.length >= start ? view.getInt32(start - 4, true) : 0;
  requireMetadataLength(length, damaged, bytes.length - start);
  return bytes.subarray(start, start + length);
}

export function requireMetadataLength(length: number, damaged: Damaged, most = MOST_METADATA): void {
  if (length > 0 && length <= most) return;
  throw damaged(`metadata is damaged: a message claims to have ${length} bytes of it`);
}

export function decodeMessage(metadata: Uint8Array, damaged: Damaged): Message {
  const message = flatbuffer(metadata, damaged);
  const version = requireVersion(message.short(MESSAGE.version), damaged);
  const content = message.table(MESSAGE.header);
  const bodyLength = message.long(MESSAGE.bodyLength);
  if (content === undefined || bodyLength < 0) throw damaged('metadata is damaged: a message has no content');
  const notes = version < MetadataVersion.V5 ? message.tables(MESSAGE.custom) : [];
  if (notes.some(pair => pair.string(0) === OLD_COMPRESSION)) {
    throw damaged('uses the experimental compression of Arrow 0.17; write it again with a later version');
  }
  return { version, header: message.byte(MESSAGE.headerType), content, bodyLength };
}

export function requireVersion(version: number, damaged: Damaged): MetadataVersion {
  if (version === MetadataVersion.V4 || version === MetadataVersion.V5) return version;
  throw damaged(`has metadata of version V${version + 1}; only versions V4 and V5 can be read`);
}

/**
 * The header of a record batch, or of the batch in a dictionary. Nodes and buffers are numbered depth first through the
 * columns.
 */
export function decodeBatch(content: FlatTable, damaged: Damaged) {
  const rows = content.long(BATCH.rows);
  if (rows < 0) throw damaged(`metadata is damaged: a record batch of ${rows} rows`);
  const nodes = content.structs(BATCH.nodes, 16);
  const buffers = content.structs(BATCH.buffers, 16);
  const variadic = content.structs(BATCH.variadic, 8);
  const compression = content.table(BATCH.compression);
  return {
    rows,
    nodes: nodes.count,
    node: (index: number) => ({ rows: nodes.long(index, 0), nulls: nodes.long(index, 8) }),
    buffers: buffers.count,
    buffer: (index: number) => ({ from: buffers.long(index, 0), length: buffers.long(index, 8) }),
    /** The number of buffers that each view column has beyond its first two. */
    variadic: Array.from({ length: variadic.count }, (_, k) => variadic.long(k, 0)),
    codec: compression && decodeCodec(compression, damaged),
  };
}

export function decodeDictionary(content: FlatTable, damaged: Damaged) {
  const data = content.table(DICTIONARY.data);
  if (data === undefined) throw damaged('metadata is damaged: a dictionary has no values');
  return {
    id: content.long(DICTIONARY.id),
    isDelta: content.bool(DICTIONARY.isDelta),
    batch: decodeBatch(data, damaged),
  };
}

function decodeCodec(compression: FlatTable, damaged: Damaged): Codec {
  const [codec, method] = [compression.byte(COMPRESSION.codec), compression.byte(COMPRESSION.method)];
  if (method === BY_BUFFER && codec === CompressionType.LZ4_FRAME) return 'lz4-frame';
  if (method === BY_BUFFER && codec === CompressionType.ZSTD) return 'zstd';
  throw damaged(`is compressed by method ${method}, codec ${codec}; only LZ4 frames and Zstandard can be read`);
}

export const isSchema = ({ header }: Message): boolean => header === MessageHeader.Schema;
export const isBatch = ({ header }: Message): boolean => header === MessageHeader.RecordBatch;
export const isDictionary = ({ header }: Message): boolean => header === MessageHeader.DictionaryBatch;

const MESSAGE = { version: 0, headerType: 1, header: 2, bodyLength: 3, custom: 4 };
const BATCH = { rows: 0, nodes: 1, buffers: 2, compression: 3, variadic: 4 };
const COMPRESSION = { codec: 0, method: 1 };
const DICTIONARY = { id: 0, data: 1, isDelta: 2 };

/** Enough for the names of a million columns; a larger value is a damaged length rather than a schema. */
export const MOST_METADATA = 2 ** 28;

const BY_BUFFER = 0;
const OLD_COMPRESSION = 'ARROW:experimental_compression';
