/**
 * A format for columns of doubles: bytes for the beginning of a file, for rows, and for its end. An encoder does no
 * input or output; the code that writes its pieces decides when to ask for more, so formats need no support for
 * back-pressure.
 */
export interface TableEncoder {
  begin(): readonly Piece[];
  /**
   * Takes columns of equal length, at least 1, with NaN for a missing value. The pieces may be views of the columns,
   * valid until those change.
   */
  encode(columns: readonly Float64Array[]): readonly Piece[];
  end(): readonly Piece[];
}

export interface EncoderOptions {
  readonly names: readonly string[];
  /** Whether values may be missing. */
  readonly nullable: boolean;
  /** Stored in the file if its format can; CSV and NDJSON cannot. */
  readonly metadata?: Readonly<Record<string, string>>;
}

export type Piece = Uint8Array | string;

/** The bytes of a column as stored in memory: doubles are little-endian there and in the formats. */
export const bytesOf = (column: Float64Array): Uint8Array =>
  new Uint8Array(column.buffer, column.byteOffset, column.byteLength);

/** One bit per value, least significant first: 1 if the value is present. Padded to whole bytes. */
export function presence(column: Float64Array): Uint8Array {
  const bits = new Uint8Array(Math.ceil(column.length / 8));
  for (let i = 0; i < column.length; i++) if (!Number.isNaN(column[i]!)) bits[i >> 3]! |= 1 << (i & 7);
  return bits;
}

/** The shortest decimal that parses back to the same double, including the sign of a zero. */
export const exactDigits = (value: number): string => (Object.is(value, -0) ? '-0' : String(value));
