/** How a value lies in the bytes of the PLAIN encoding, and how it becomes a double. */
export type Layout = NumberLayout | BitLayout | ByteLayout;

export interface NumberLayout {
  readonly of: 'numbers';
  /** Bytes of a value. */
  readonly width: number;
  /** Decodes `count` values, whose bytes begin at `from`, into `out` from `at` on. */
  readonly widen: Widen;
}

export type Widen = (bytes: Uint8Array, from: number, out: Float64Array, at: number, count: number) => void;

/** Booleans, a bit each. */
export interface BitLayout {
  readonly of: 'bits';
}

export interface ByteLayout {
  readonly of: 'bytes';
  /** Bytes of a value where all have the same number, otherwise null: each then follows its length. */
  readonly width: number | null;
  readonly value: (bytes: Buffer, start: number, end: number) => number;
}

/**
 * Stands for a number that a double cannot hold: whoever knows its row refuses it. Whole numbers and decimals have no
 * NaN of their own.
 */
export const notExact = Number.NaN;
