/** Decodes to at most `length` bytes (at least 1), possibly in the `spare` memory; may throw any error. */
export type Decoder = (bytes: Uint8Array, length: number, spare?: Uint8Array) => Uint8Array;

/** Decodes one LZ4 block to at most `length` bytes; `before` contains preceding output that the block may refer to. */
export type BlockDecoder = (bytes: Uint8Array, length: number, before?: Uint8Array) => Uint8Array;
