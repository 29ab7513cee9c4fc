/** How a value is stored in the PLAIN encoding, and how it becomes a double. */
export type ColumnLayout = NumberLayout | BitLayout | ByteLayout;

export interface NumberLayout {
  readonly of: 'numbers';
  /** The number of bytes per value. */
  readonly width: number;
  /** Decodes `count` values, whose bytes begin at `from`, into `out` from `at` on. */
  readonly widen: Widen;
}

export type Widen = (bytes: Uint8Array, from: number, out: Float64Array, at: number, count: number) => void;

/** Booleans, one bit each. */
export interface BitLayout {
  readonly of: 'bits';
}

export interface ByteLayout {
  readonly of: 'bytes';
  /** The number of bytes per value if fixed; otherwise null, and each value is preceded by its length. */
  readonly width: number | null;
  readonly value: (bytes: Buffer, start: number, end: number) => number;
}

/**
 * Marks a number that a double cannot represent; the caller, who knows its row, rejects it. Integers and decimals have
 * no NaN themselves.
 */
export const notExact = Number.NaN;
