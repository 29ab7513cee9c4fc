import type { Decompress } from '../codec/loadCodec.ts';

/**
 * The deprecated LZ4 of Parquet. Hadoop wrote blocks, each preceded by its decoded length and its length (big-endian);
 * others wrote a bare block under the same name. Lengths that add up to the page indicate the former.
 */
export const hadoopLz4 =
  (decodeBlock: Decompress): Decompress =>
  (bytes, decodedLength, what) => {
    const blocks = hadoopBlocks(bytes, decodedLength);
    if (blocks === null) return decodeBlock(bytes, decodedLength, what);
    return Buffer.concat(
      blocks.map(({ start, end, length }) => decodeBlock(bytes.subarray(start, end), length, what)),
    );
  };

interface Block {
  readonly start: number;
  readonly end: number;
  readonly length: number;
}

function hadoopBlocks(bytes: Uint8Array, decodedLength: number): readonly Block[] | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const blocks: Block[] = [];
  let total = 0;
  let end = 0;
  while (end + 8 <= bytes.length) {
    const length = view.getUint32(end);
    const start = end + 8;
    end = start + view.getUint32(start - 4);
    total += length;
    blocks.push({ start, end, length });
  }
  return end === bytes.length && total === decodedLength ? blocks : null;
}
