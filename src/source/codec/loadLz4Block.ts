import { peer } from '../../peers.ts';

/** Decodes one LZ4 block to at most `length` bytes; `before` contains preceding output that the block may refer to. */
export type BlockDecoder = (bytes: Uint8Array, length: number, before?: Uint8Array) => Uint8Array;

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
