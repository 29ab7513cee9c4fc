/**
 * A table on disk or in a stream, as every format presents it: fields with a type, and frames of rows (a record batch,
 * a row group, a run of lines) whose columns are decoded on demand, straight into memory that the caller gives.
 */
import type { DeclaredLevels, DiscoveredLevels } from './levels.ts';

/** What a column holds, as far as estimation cares. */
export type FieldKind =
  | 'float'
  | 'integer'
  /** int64, uint64 and decimals: refused at the first value that a double cannot hold exactly. */
  | 'exact'
  | 'boolean'
  /** Dates and timestamps, as seconds since 1970 (UTC). */
  | 'time'
  /** Strings and dictionaries of strings: usable through declared levels only. */
  | 'text'
  /** A fixed-size list of numbers: `width` features side by side. */
  | 'vector'
  /**
   * Text whose cells are numbers, true or false, or times, each by itself: for readers that no row may tell how to read
   * another.
   */
  | 'mixed'
  | 'unsupported';

export interface Field {
  readonly name: string;
  readonly kind: FieldKind;
  /** The format's own name of the type, for messages: 'Decimal128(10, 2)', 'BYTE_ARRAY (UTF8)'. */
  readonly type: string;
  /** Numbers per row: 1, but for vectors. */
  readonly width: number;
  /** Of text that is numbers in most rows of a sample: the first row that is not, counted from 0. */
  readonly strayRow?: number;
  /**
   * Whether it is taken for text for want of a value in the sample: its rows can be asked for as numbers too. False
   * unless given.
   */
  readonly isBlank?: boolean;
}

export interface Frame {
  readonly rows: number;
  /**
   * Decodes rows [start, start + count) of a field into `out` and sets `missing[i]` to 1 where the value is null; `out`
   * holds 0 there. A vector is filled element by element: `element` says which. Returns how many were missing.
   */
  fill(request: FillRequest): number | Promise<number>;
  /** For text fields: the index in `levels` of every row's value, -1 for a value outside them; nulls as in `fill`. */
  fillLevels(request: LevelRequest): number | Promise<number>;
  /**
   * The same, but first appends to `levels` every value that is not among them, while there are fewer than `most`; long
   * texts stay outside (see levels.ts). What a dictionary lists may be appended too, even if no row has it.
   */
  discoverLevels(request: DiscoverRequest): number | Promise<number>;
}

export interface FillRequest {
  /** Index into the table's fields. */
  readonly field: number;
  readonly element?: number;
  readonly start: number;
  readonly count: number;
  /** At least `count` long. */
  readonly out: Float64Array;
  /** At least `count` long, zeroed by the caller. */
  readonly missing: Uint8Array;
  /** Makes NaN of a value that is malformed, or that a double cannot hold exactly, instead of refusing it. */
  readonly lenient?: boolean;
}

export type LevelRequest = FillRequest & DeclaredLevels;

export type DiscoverRequest = FillRequest & DiscoveredLevels;

export interface Table {
  /** How messages name it: the file's path as given, or 'standard input'. */
  readonly name: string;
  readonly format: 'arrow-file' | 'arrow-stream' | 'parquet' | 'csv' | 'ndjson' | 'sql';
  readonly fields: readonly Field[];
  /** Known from metadata, or null where only reading tells. */
  readonly rows: number | null;
  /**
   * The frames in order. Only the fields listed are read from disk. A frame is valid until the next is pulled. Leaving
   * the loop early releases what the iteration holds.
   */
  frames(fields: readonly number[]): AsyncIterable<Frame>;
  close(): Promise<void>;
}

/** What is known of a table before any row is read, as far as columns are chosen by it. */
export type Schema = Pick<Table, 'name' | 'fields'>;
