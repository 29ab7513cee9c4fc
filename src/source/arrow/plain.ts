/**
 * Values that lie in a buffer as they are: what columns hold themselves or by way of a dictionary, and what vectors are
 * made of.
 */
import type { BatchColumn } from './batchColumn.ts';

/** Rows from `start` on, as many as `out` and `missing` are long. */
export interface Slice {
  readonly start: number;
  readonly out: Float64Array;
  readonly missing: Uint8Array;
  /** As in a `FillRequest`. */
  readonly lenient?: boolean;
}

export type Plain = PlainNumbers | PlainTexts;

export interface PlainNumbers {
  readonly of: 'numbers';
  /** What a row takes of buffer 1. */
  readonly bitsPerRow: number;
  /** Fills a slice and returns how many values are null; those are marked, and 0. */
  fill(column: BatchColumn, slice: Slice): Promise<number>;
}

export interface PlainTexts {
  readonly of: 'texts';
  readonly bitsPerRow: number;
  /** Visits every text of at most `longest` bytes, but for nulls; marks the nulls and returns how many there are. */
  visit(column: BatchColumn, slice: TextSlice, visit: TextVisitor): Promise<number>;
}

export interface TextSlice {
  readonly start: number;
  readonly missing: Uint8Array;
  readonly longest: number;
}

/** Takes the UTF-8 text in bytes [from, to), which are valid during the call, as that of the slice's row `row`. */
export type TextVisitor = (row: number, bytes: Uint8Array, from: number, to: number) => void;
