/** Decodes to at most `length` bytes (at least 1), possibly in the `spare` memory; may throw any error. */
export type Decoder = (bytes: Uint8Array, length: number, spare?: Uint8Array) => Uint8Array;
