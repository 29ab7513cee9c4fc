import zlib from 'node:zlib';
import { type PageHeader, pageHeader } from './format.ts';
import { requireCount, viewOf } from './guarded.ts';
import { readStruct } from './thrift.ts';

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
