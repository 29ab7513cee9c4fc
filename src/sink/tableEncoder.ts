/**
 * A format for columns of doubles: bytes for the beginning of a file, for rows, and for its end. An encoder does no input or output; whoever writes
 * its pieces decides when to ask for more, so that back-pressure needs no support from a format.
 */
export interface TableEncoder {
  begin(): readonly Piece[];
  /** Columns of equal length, at least 1. The pieces may be views of them: valid until they change. */
  encode(columns: readonly Float64Array[]): readonly Piece[];
  end(): readonly Piece[];
}

export type Piece = Uint8Array | string;

/** Of a column, as it lies in memory: doubles are little-endian there as in the formats. */
export const bytesOf = (column: Float64Array): Uint8Array =>
  new Uint8Array(column.buffer, column.byteOffset, column.byteLength);
