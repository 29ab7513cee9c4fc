import { type Codec, type Decompress, loadCodec } from '../codec/loadCodec.ts';
import type { Compression } from './format.ts';
import { viewOf } from './guarded.ts';

/** The function that decompresses pages, once it is loaded; undefined for an unsupported compression. */
export async function loadCompression(compression: Compression): Promise<Decompress | undefined> {
  if (compression === 'UNCOMPRESSED') return asStored;
  if (compression === 'LZ4') return hadoopLz4(await loadCodec('lz4-raw'));
  const codec = codecs[compression];
  return codec && loadCodec(codec);
}

const codecs: Readonly<Partial<Record<Compression, Codec>>> = {
  SNAPPY: 'snappy',
  GZIP: 'gzip',
  BROTLI: 'brotli',
  ZSTD: 'zstd',
  LZ4_RAW: 'lz4-raw',
};

const asStored: Decompress = (bytes, length) => {
  if (bytes.length === length) return bytes;
  throw new Error(`a page of ${length} bytes is stored as ${bytes.length}`);
};

/**
 * The deprecated LZ4 of Parquet. Hadoop wrote blocks, each preceded by its decoded length and its length (big-endian);
 * others wrote a bare block under the same name. Lengths that add up to the page indicate the former.
 */
export const hadoopLz4 =
  (decodeBlock: Decompress): Decompress =>
  (bytes, decodedLength, what) => {
    const blocks = hadoopBlocks(bytes, decodedLength);
    if (blocks === null) return decodeBlock(bytes, decodedLength, what);
    return Buffer.concat(blocks.map(({ start, end, length }) => decodeBlock(bytes.subarray(start, end), length, what)));
  };

interface Block {
  readonly start: number;
  readonly end: number;
  readonly length: number;
}

function hadoopBlocks(bytes: Uint8Array, decodedLength: number): readonly Block[] | null {
  const view = viewOf(bytes);
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
