import zlib from 'node:zlib';
import { encodings, type PageHeader, pageHeader, pageTypes } from './format.ts';
import { requireCount, viewOf } from './guarded.ts';
import { hybrid } from './hybrid.ts';
import { type ColumnValues, pageValues, plainValues, prefixed, type Values } from './pageValues.ts';
import { readStruct } from './thrift.ts';

/** A data page, ready to be read. */
export interface Page {
  /** Null if every row has a value. */
  readonly presence: Presence | null;
  /** The values that are present. */
  readonly values: Values;
}

export interface PageSource {
  readonly header: PageHeader;
  readonly body: Uint8Array;
  readonly decompress: (bytes: Uint8Array, decodedLength: number) => Uint8Array;
}

/**
 * The number of rows in a page: none, if it is not a data page. In a column without lists, each value (or null) is a
 * row.
 */
export function pageRows({ type, data, dataV2 }: PageHeader): number {
  if (type === pageTypes.data) return requireCount('rows', data?.values);
  return type === pageTypes.dataV2 ? requireCount('rows', dataV2?.values) : 0;
}

/** Opens a data page of either version of the format. */
export function dataPage(source: PageSource, highestLevel: number, column: ColumnValues): Page {
  const { type, data, dataV2 } = source.header;
  const isFirst = type === pageTypes.data;
  const rows = pageRows(source.header);
  const { presence, bytes } = (isFirst ? firstVersion : secondVersion)(source, highestLevel, rows);
  const encoding = encodings[(isFirst ? data : dataV2)!.encoding!];
  return { presence, values: pageValues(encoding, column, bytes, presence?.count ?? rows) };
}

/** The values of a dictionary page. */
export function dictionaryPage({ header, body, decompress }: PageSource, { layout }: ColumnValues): Float64Array {
  const { values, encoding } = header.dictionary ?? {};
  const count = requireCount('entries', values);
  // The first version of the format used the encoding of the pages that refer to it.
  if (encoding !== encodings.indexOf('PLAIN') && encoding !== encodings.indexOf('PLAIN_DICTIONARY')) {
    throw new Error(`a dictionary is encoded as ${encodings[encoding!]}`);
  }
  const entries = plainValues(layout, decompress(body, requireCount('bytes', header.decodedSize)), count);
  const dictionary = new Float64Array(count);
  entries(dictionary, 0, count);
  return dictionary;
}

interface PageParts {
  readonly presence: Presence | null;
  /** The values, decompressed. */
  readonly bytes: Uint8Array;
}

/** Levels and values are compressed together; levels are preceded by their length. */
function firstVersion({ header, body, decompress }: PageSource, highestLevel: number, rows: number): PageParts {
  const bytes = decompress(body, requireCount('bytes', header.decodedSize));
  if (highestLevel === 0) return { presence: null, bytes };
  if (encodings[header.data!.levelEncoding!] === 'BIT_PACKED') {
    const length = Math.ceil((rows * levelWidth(highestLevel)) / 8);
    return {
      presence: oldPresence(bytes.subarray(0, length), highestLevel, rows),
      bytes: bytes.subarray(length),
    };
  }
  const levels = prefixed(bytes);
  return { presence: presenceOf(levels, highestLevel, rows), bytes: bytes.subarray(4 + levels.length) };
}

/** Levels are not compressed, and their length is in the header. */
function secondVersion({ header, body, decompress }: PageSource, highestLevel: number, rows: number): PageParts {
  const { levelBytes, repetitionBytes, isCompressed = true, nulls } = header.dataV2!;
  const levels = requireCount('bytes', repetitionBytes);
  const values = levels + requireCount('bytes', levelBytes);
  if (values > body.length) throw new Error(`levels of ${values} bytes are in a page of ${body.length}`);
  const rest = body.subarray(values);
  const bytes = isCompressed ? decompress(rest, requireCount('bytes', header.decodedSize) - values) : rest;
  const presence = highestLevel === 0 ? null : presenceOf(body.subarray(levels, values), highestLevel, rows);
  const absent = presence === null ? 0 : rows - presence.count;
  if (absent !== nulls) throw new Error(`a page has ${absent} nulls, but its header says ${nulls}`);
  return { presence, bytes };
}

/** Which rows of a page have a value: those whose definition level is the highest. */
interface Presence {
  /** The number of rows that have a value. */
  readonly count: number;
  /** Reads the levels of the next rows. */
  read(into: Uint32Array, count: number): void;
}

/** Null if every row of the page has a value. */
function presenceOf(bytes: Uint8Array, highest: number, rows: number): Presence | null {
  const width = levelWidth(highest);
  const levels = hybrid(bytes, width);
  // For a column without nulls, writers store a single run.
  const count = levels.repeats(highest, rows) ? rows : levels.count(highest, rows);
  return count === rows ? null : { count, read: hybrid(bytes, width).read };
}

/** The same from levels in the format's first encoding, BIT_PACKED: no runs, and the most significant bits first. */
function oldPresence(bytes: Uint8Array, highest: number, rows: number): Presence | null {
  const width = levelWidth(highest);
  const levelOf = (row: number): number => {
    let level = 0;
    for (let bit = row * width; bit < (row + 1) * width; bit++) {
      level = 2 * level + ((bytes[Math.floor(bit / 8)]! >> (7 - (bit % 8))) & 1);
    }
    return level;
  };
  let count = 0;
  for (let row = 0; row < rows; row++) if (levelOf(row) === highest) count++;
  let row = 0;
  const read = (into: Uint32Array, asked: number): void => {
    for (let i = 0; i < asked; i++) into[i] = levelOf(row++);
  };
  return count === rows ? null : { count, read };
}

/** The number of bits per level. */
const levelWidth = (highest: number): number => 32 - Math.clz32(highest);

/** Fills `into` with the bytes of a file from `position` on, or throws. */
export type ReadAt = (into: Uint8Array, position: number) => void;

export type PageReader = ReturnType<typeof pageReader>;

interface PlacedHeader {
  readonly header: PageHeader;
  /** The offsets of the page's bytes after the header. */
  readonly start: number;
  readonly end: number;
}

/** Reads pages of a column chunk from given offsets. */
export function pageReader(readAt: ReadAt, chunkEnd: number) {
  const bytesAt = fileWindow(readAt, chunkEnd);
  return {
    /** The header of the page that begins at `offset`. */
    header: (offset: number): PlacedHeader => {
      const { header, length } = parseHeader(size => bytesAt(offset, size));
      const start = offset + length;
      const end = start + requireCount('bytes', header.size);
      if (end > chunkEnd) throw new Error(`a page ends at byte ${end}, but its column ends at ${chunkEnd}`);
      return { header, start, end };
    },
    /** The bytes of a page, valid until something else is read. */
    body: ({ header, start, end }: PlacedHeader): Uint8Array => {
      const bytes = bytesAt(start, end - start);
      // Older versions of Node have no crc32.
      if (header.crc !== undefined && zlib.crc32 !== undefined && zlib.crc32(bytes) !== header.crc >>> 0) {
        throw new Error('a page fails its checksum');
      }
      return bytes;
    },
  };
}

const usualHeader = 2 ** 12;
const largestHeader = 2 ** 24;

/**
 * A header does not state its length: if it does not end, more bytes are tried. Statistics of long texts make it long.
 */
function parseHeader(bytesOf: (size: number) => Uint8Array): { header: PageHeader; length: number } {
  for (let size = usualHeader; ; size *= 16) {
    const bytes = bytesOf(size);
    const thrift = { view: viewOf(bytes), offset: 0 };
    try {
      return { header: readStruct(pageHeader, thrift), length: thrift.offset };
    } catch (error) {
      if (bytes.length < size || size >= largestHeader) throw error;
    }
  }
}

/** The smallest amount read at once: large enough that the cost of a call is negligible. */
const least = 2 ** 18;

/**
 * A section of a file that is read from beginning to end, with memory for about a page: gives bytes [offset, offset +
 * length) of the file, fewer if the section ends before. They are valid until the next call.
 */
function fileWindow(readAt: ReadAt, end: number): (offset: number, length: number) => Uint8Array {
  let memory = new Uint8Array(0);
  let first = 0;
  let held = 0;
  return (offset, length) => {
    const wanted = Math.min(length, end - offset);
    if (offset < first || offset + wanted > first + held) {
      const size = Math.min(Math.max(wanted, least), end - offset);
      // Bytes already read move to the front.
      const kept = offset < first ? 0 : Math.max(0, first + held - offset);
      const moving = memory.subarray(held - kept, held);
      if (size > memory.length) memory = new Uint8Array(size);
      memory.set(moving);
      // In case reading fails.
      held = 0;
      readAt(memory.subarray(kept, size), offset + kept);
      first = offset;
      held = size;
    }
    return memory.subarray(offset - first, offset - first + wanted);
  };
}
