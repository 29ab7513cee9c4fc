import { type Codec, type Decompress, loadCodec } from './loadCodec.ts';

export type { Codec } from './loadCodec.ts';

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
