import zlib from 'node:zlib';
import { dataError } from '../../errors.ts';
import { peer } from '../../peers.ts';
import { lz4Frame } from './lz4Frame.ts';

/** The compressions of Arrow buffers (`lz4-frame`, `zstd`) and of Parquet pages (all but `lz4-frame`). */
export type Codec = 'lz4-frame' | 'zstd' | 'snappy' | 'gzip' | 'brotli' | 'lz4-raw';

/**
 * Decodes one buffer whose decoded length the file states elsewhere. Bytes that decode to another length, or not at
 * all, are rejected with an error that names `what`. The result begins at a multiple of 8 bytes, so that any typed
 * array can view it. It may use `spare`, an earlier result that is no longer needed.
 */
export type Decompress = (bytes: Uint8Array, decodedLength: number, what: string, spare?: Uint8Array) => Uint8Array;

/** Decodes to at most `length` bytes (at least 1), possibly in the `spare` memory; may throw any error. */
export type Decoder = (bytes: Uint8Array, length: number, spare?: Uint8Array) => Uint8Array;

/** Decodes one LZ4 block to at most `length` bytes; `before` contains preceding output that the block may refer to. */
export type BlockDecoder = (bytes: Uint8Array, length: number, before?: Uint8Array) => Uint8Array;

const loading = new Map<Codec, Promise<Decompress>>();

/** Loads a codec on first use: most files need one, but starting up needs none. */
export function loadCodec(codec: Codec): Promise<Decompress> {
  const known = loading.get(codec) ?? loaders[codec]().then(decoder => checked(codec, decoder));
  loading.set(codec, known);
  return known;
}

function checked(codec: Codec, decoder: Decoder): Decompress {
  return (bytes, decodedLength, what, spare) => {
    const damaged = (problem: string) => dataError({ table: what }, problem, 'the file is damaged');
    // Checked before memory is allocated for the result.
    if (!isLength(decodedLength) || decodedLength > bytes.length * growth[codec]) {
      throw damaged(`${bytes.length} bytes of ${codec} data cannot decode to ${decodedLength} bytes`);
    }
    if (decodedLength === 0) return new Uint8Array(0);
    let decoded: Uint8Array;
    try {
      decoded = decoder(bytes, decodedLength, spare);
    } catch (cause) {
      throw damaged(`the ${codec} data do not decode (${cause instanceof Error ? cause.message : cause})`);
    }
    if (decoded.length !== decodedLength) {
      throw damaged(`the ${codec} data decode to ${decoded.length} bytes instead of ${decodedLength}`);
    }
    return decoded.byteOffset % 8 === 0 ? decoded : decoded.slice();
  };
}

const isLength = (length: number): boolean => Number.isInteger(length) && length >= 0 && length <= 2 ** 31;

/** The largest expansion factor of each format. Brotli has no useful bound, but allocates memory only as it decodes. */
const growth: Readonly<Record<Codec, number>> = {
  'lz4-frame': 255,
  'lz4-raw': 255,
  snappy: 22,
  gzip: 1032,
  zstd: 2 ** 15,
  brotli: Infinity,
};

const loaders: Readonly<Record<Codec, () => Promise<Decoder>>> = {
  // Parquet specifies gzip, but some writers wrote zlib: `unzip` detects which.
  gzip: async () => bounded(zlib.unzipSync),
  brotli: async () => bounded(zlib.brotliDecompressSync),
  zstd: async () => {
    const { zstdDecompressSync } = zlib as { zstdDecompressSync?: NodeDecoder };
    if (zstdDecompressSync !== undefined) return bounded(zstdDecompressSync);
    const { isLoaded, decompress } = (await peer('@foxglove/wasm-zstd', 'Zstandard')).default;
    await isLoaded;
    return decompress;
  },
  snappy: async () => (await import('./snappyBlock.ts')).snappyBlock(),
  'lz4-raw': async () => {
    const decode = await loadLz4Block();
    return (bytes, length) => decode(bytes, length);
  },
  'lz4-frame': async () => lz4Frame(await loadLz4Block()),
};

type NodeDecoder = (bytes: Uint8Array, options: { maxOutputLength: number; chunkSize: number }) => Buffer;

/** Larger chunks mean fewer copies, but only data with a large output may allocate much. */
const bounded =
  (decode: NodeDecoder): Decoder =>
  (bytes, length) =>
    decode(bytes, { maxOutputLength: length, chunkSize: Math.min(Math.max(length, 64), 2 ** 20) });

export async function loadLz4Block(): Promise<BlockDecoder> {
  const { uncompressSync } = (await peer('lz4-napi', 'LZ4')).default;
  return (bytes, length, before) => {
    // The package expects a block to be prefixed with its decoded length.
    const prefixed = Buffer.allocUnsafe(4 + bytes.length);
    prefixed.writeUInt32LE(length);
    prefixed.set(bytes, 4);
    return uncompressSync(prefixed, before);
  };
}

const ready = new Map<Codec, Decompress>();

/**
 * Decodes one buffer, see `Decompress`. The first use of a codec loads it and returns a promise; later uses return the
 * result directly.
 */
export function decompress(
  codec: Codec,
  bytes: Uint8Array,
  decodedLength: number,
  what: string,
): Uint8Array | Promise<Uint8Array> {
  const known = ready.get(codec);
  if (known !== undefined) return known(bytes, decodedLength, what);
  return loadCodec(codec).then(loaded => {
    ready.set(codec, loaded);
    return loaded(bytes, decodedLength, what);
  });
}
