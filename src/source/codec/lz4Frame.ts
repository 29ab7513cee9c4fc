import type { BlockDecoder, Decoder } from './loadCodec.ts';

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

const prime1 = 0x9e3779b1;
const prime2 = 0x85ebca77;
const prime3 = 0xc2b2ae3d;
const prime4 = 0x27d4eb2f;
const prime5 = 0x165667b1;

/** The checksum of LZ4 frames (xxHash, 32 bits, seed 0), unsigned. */
export function xxHash32(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { length } = bytes;
  let hash = prime5;
  let i = 0;
  if (length >= 16) {
    let a = (prime1 + prime2) | 0;
    let b = prime2;
    let c = 0;
    let d = -prime1 | 0;
    for (; i + 16 <= length; i += 16) {
      a = round(a, view.getUint32(i, true));
      b = round(b, view.getUint32(i + 4, true));
      c = round(c, view.getUint32(i + 8, true));
      d = round(d, view.getUint32(i + 12, true));
    }
    hash = rotate(a, 1) + rotate(b, 7) + rotate(c, 12) + rotate(d, 18);
  }
  hash = (hash + length) | 0;
  for (; i + 4 <= length; i += 4) {
    hash = Math.imul(rotate(hash + Math.imul(view.getUint32(i, true), prime3), 17), prime4);
  }
  for (; i < length; i++) hash = Math.imul(rotate(hash + Math.imul(bytes[i]!, prime5), 11), prime1);
  hash = Math.imul(hash ^ (hash >>> 15), prime2);
  hash = Math.imul(hash ^ (hash >>> 13), prime3);
  return (hash ^ (hash >>> 16)) >>> 0;
}

const rotate = (word: number, by: number): number => (word << by) | (word >>> (32 - by));

const round = (lane: number, input: number): number => Math.imul(rotate(lane + Math.imul(input, prime2), 13), prime1);
