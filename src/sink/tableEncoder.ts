/**
 * A format for columns of doubles: bytes for the beginning of a file, for rows, and for its end. An encoder does no
 * input or output; whoever writes its pieces decides when to ask for more, so that back-pressure needs no support from
 * a format.
 */
export interface TableEncoder {
  begin(): readonly Piece[];
  /**
   * Columns of equal length, at least 1; NaN where a value is missing. The pieces may be views of them: valid until
   * they change.
   */
  encode(columns: readonly Float64Array[]): readonly Piece[];
  end(): readonly Piece[];
}

export interface EncoderOptions {
  readonly names: readonly string[];
  /** Whether values may be missing. */
  readonly nullable: boolean;
  /** What the file says of itself, where its format has a place for it; CSV and NDJSON have none. */
  readonly metadata?: Readonly<Record<string, string>>;
}

export type Piece = Uint8Array | string;

/** Of a column, as it lies in memory: doubles are little-endian there as in the formats. */
export const bytesOf = (column: Float64Array): Uint8Array =>
  new Uint8Array(column.buffer, column.byteOffset, column.byteLength);

/** A bit per value, the lowest first: 1 where there is one. As long as whole bytes need. */
export function presence(column: Float64Array): Uint8Array {
  const bits = new Uint8Array(Math.ceil(column.length / 8));
  for (let i = 0; i < column.length; i++) if (!Number.isNaN(column[i]!)) bits[i >> 3]! |= 1 << (i & 7);
  return bits;
}
