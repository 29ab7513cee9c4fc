/** Decodes to `length` bytes (at least 1) or fewer, never to more; throws what it likes. */
export type Decoder = (bytes: Uint8Array, length: number) => Uint8Array;
