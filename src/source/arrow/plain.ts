import type { BatchColumn } from './batchColumn.ts';

/** Rows from `start` on, as many as the length of `out` and `missing`. */
export interface Slice {
  readonly start: number;
  readonly out: Float64Array;
  readonly missing: Uint8Array;
  /** As in a `FillRequest`. */
  readonly lenient?: boolean;
}

/** Values stored directly in a buffer: those of plain columns, of dictionaries, and of vectors. */
export type Plain = PlainNumbers | PlainTexts;

export interface PlainNumbers {
  readonly of: 'numbers';
  /** The number of bits of buffer 1 per row. */
  readonly bitsPerRow: number;
  /** Fills a slice and returns the number of nulls; those are marked, and 0. */
  fill(column: BatchColumn, slice: Slice): Promise<number>;
}

export interface PlainTexts {
  readonly of: 'texts';
  readonly bitsPerRow: number;
  /** Visits every text of at most `longest` bytes, except nulls; marks the nulls and returns their number. */
  visit(column: BatchColumn, slice: TextSlice, visit: TextVisitor): Promise<number>;
}

export interface TextSlice {
  readonly start: number;
  readonly missing: Uint8Array;
  readonly longest: number;
}

/** Receives the UTF-8 text of the slice's row `row` in bytes [from, to), which are valid during the call. */
export type TextVisitor = (row: number, bytes: Uint8Array, from: number, to: number) => void;
