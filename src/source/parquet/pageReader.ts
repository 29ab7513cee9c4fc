import zlib from 'node:zlib';
import { fileWindow, type ReadAt } from './fileWindow.ts';
import { type PageHeader, pageHeader } from './format.ts';
import { requireCount } from './guarded.ts';
import { readStruct } from './thrift.ts';

/** Reads pages of a column chunk from given offsets. */
export interface PageReader {
  /** The header of the page that begins at `offset`. */
  header(offset: number): PlacedHeader;
  /** The bytes of a page, valid until something else is read. */
  body(placed: PlacedHeader): Uint8Array;
}

export interface PlacedHeader {
  readonly header: PageHeader;
  /** The offsets of the page's bytes after the header. */
  readonly start: number;
  readonly end: number;
}

export function pageReader(readAt: ReadAt, chunkEnd: number): PageReader {
  const window = fileWindow(readAt, chunkEnd);
  return {
    header: offset => {
      const { header, length } = parseHeader(size => window.bytes(offset, size));
      const start = offset + length;
      const end = start + requireCount('bytes', header.size);
      if (end > chunkEnd) throw new Error(`a page ends at byte ${end}, but its column ends at ${chunkEnd}`);
      return { header, start, end };
    },
    body: ({ header, start, end }) => {
      const bytes = window.bytes(start, end - start);
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
    const thrift = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 };
    try {
      return { header: readStruct(pageHeader, thrift), length: thrift.offset };
    } catch (error) {
      if (bytes.length < size || size >= largestHeader) throw error;
    }
  }
}
