import { type Codec, type Decompress, loadCodec } from '../codec/loadCodec.ts';
import type { Compression } from './format.ts';
import { hadoopLz4 } from './hadoopLz4.ts';

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
