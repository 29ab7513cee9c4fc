/**
 * Decodes to `length` bytes (at least 1) or fewer, never to more, in `spare` memory if it likes; throws what it likes.
 */
export type Decoder = (bytes: Uint8Array, length: number, spare?: Uint8Array) => Uint8Array;
