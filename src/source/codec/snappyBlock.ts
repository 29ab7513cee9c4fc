import { snappyBinary } from '../../math/wasm/binaries.ts';
import { arithmeticIn, sharedMemory } from '../../math/wasm/webAssembly.ts';
import type { Decoder } from './loadCodec.ts';

const PAGE = 2 ** 16;
/** The memory below holds the decoder's tables. */
const START = 4096;

interface Workshop {
  readonly bytes: Uint8Array;
  readonly decode: (from: number, size: number, to: number, length: number) => number;
}

/**
 * The compiled snappy decoder, in a separate memory that grows with the largest block.
 *
 * Not a native package, because one that returns new memory for every page spends more time on allocation than on
 * decoding.
 */
export function snappyBlock(): Decoder {
  let workshop: Workshop | undefined;

  const roomFor = (size: number): Workshop => {
    if (workshop !== undefined && workshop.bytes.length >= size) return workshop;
    const pages = Math.ceil((size + size / 4) / PAGE);
    const memory = sharedMemory(pages, 2 ** 16);
    const { decode } = arithmeticIn<Pick<Workshop, 'decode'>>(snappyBinary, memory);
    workshop = { bytes: new Uint8Array(memory.buffer), decode };
    return workshop;
  };

  return (block, length, spare) => {
    if (statedLength(block) !== length) throw new Error('the preamble states another length');
    // Copies to shared memory go byte by byte, at a tenth of the speed, unless both sides have the same alignment
    // within a word.
    const from = START + (block.byteOffset % 8);
    const to = START + Math.ceil((block.length + 72) / 64) * 64;
    const { bytes, decode } = roomFor(to + length);
    bytes.set(block, from);
    if (!decode(from, block.length, to, length)) throw new Error('a literal or copy extends outside the block');
    const decoded = spare !== undefined && spare.length >= length ? spare.subarray(0, length) : new Uint8Array(length);
    decoded.set(bytes.subarray(to, to + length));
    return decoded;
  };
}

/** The decoded length, a varint at the start of the block. */
function statedLength(block: Uint8Array): number {
  let length = 0;
  for (let i = 0; i < 5; i++) {
    const byte = block[i] ?? 0;
    length += (byte & 0x7f) * 2 ** (7 * i);
    if (byte < 0x80) break;
  }
  return length;
}
