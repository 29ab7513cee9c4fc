import { createHash } from 'node:crypto';

/** A message to which bytes are added until its code is asked for. */
export interface Authenticated {
  add(bytes: Uint8Array | string): Authenticated;
  /** 32 bytes. */
  code(): Buffer;
}

/** Bytes that SHA-256 takes at a time. */
const BLOCK = 64;

/** HMAC-SHA-256 (RFC 2104) under a key: each call begins another message. */
export function hmac(key: Uint8Array): () => Authenticated {
  const short = key.length > BLOCK ? createHash('sha256').update(key).digest() : key;
  const block = (change: number): Uint8Array => {
    const whole = new Uint8Array(BLOCK);
    whole.set(short);
    return whole.map(byte => byte ^ change);
  };
  const [inner, outer] = [block(0x36), block(0x5c)];
  return () => {
    const hash = createHash('sha256').update(inner);
    const message: Authenticated = {
      add: bytes => {
        hash.update(bytes);
        return message;
      },
      code: () => createHash('sha256').update(outer).update(hash.digest()).digest(),
    };
    return message;
  };
}
