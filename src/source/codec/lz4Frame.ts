import type { Decoder } from './decoder.ts';
import type { BlockDecoder } from './loadLz4Block.ts';
import { xxHash32 } from './xxHash32.ts';

/**
 * The LZ4 frame format 1.6 on top of a decoder of single blocks: faster than the package's frame decoder, and bounded
 * by the requested length. Frames that need an external dictionary are rejected; bytes after the frame are ignored.
 */
export const lz4Frame =
  (decodeBlock: BlockDecoder): Decoder =>
  (bytes, length) => {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const header = frameHeader(view);
    const out = new Uint8Array(length);
    let from = header.length;
    let to = 0;
    for (;;) {
      const word = view.getUint32(from, true);
      from += 4;
      if (word === 0) break;
      const size = word & 0x7fff_ffff;
      if (size > view.byteLength - from) throw new Error('a block extends beyond the end');
      const block = bytes.subarray(from, from + size);
      from += size;
      if (header.blockChecksum) {
        if (view.getUint32(from, true) !== xxHash32(block)) throw new Error('a block fails its checksum');
        from += 4;
      }
      const isPlain = word > 0x7fff_ffff;
      const reach = header.linked ? out.subarray(Math.max(0, to - 65536), to) : undefined;
      const decoded = isPlain ? block : decodeBlock(block, Math.min(header.blockSize, length - to), reach);
      // Throws a RangeError if the block does not fit.
      out.set(decoded, to);
      to += decoded.length;
    }
    const decoded = out.subarray(0, to);
    if (header.checksum && view.getUint32(from, true) !== xxHash32(decoded)) {
      throw new Error('the frame fails its checksum');
    }
    return decoded;
  };

function frameHeader(view: DataView) {
  if (view.getUint32(0, true) !== 0x184d_2204) throw new Error('the magic number is missing');
  const flags = view.getUint8(4);
  if (flags >> 6 !== 1) throw new Error(`version ${flags >> 6} of the format is not supported`);
  if (flags & 1) throw new Error('the frame needs a dictionary');
  // After the flags and the block size come an optional content size and a checksum byte.
  const end = flags & 8 ? 14 : 6;
  const descriptor = new Uint8Array(view.buffer, view.byteOffset + 4, end - 4);
  if (view.getUint8(end) !== ((xxHash32(descriptor) >>> 8) & 0xff)) {
    throw new Error('the frame header fails its checksum');
  }
  return {
    length: end + 1,
    linked: (flags & 32) === 0,
    blockChecksum: (flags & 16) !== 0,
    checksum: (flags & 4) !== 0,
    blockSize: 2 ** (8 + 2 * ((view.getUint8(5) >> 4) & 7)),
  };
}
