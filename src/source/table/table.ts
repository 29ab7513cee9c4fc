import type { DeclaredLevels, DiscoveredLevels } from './levels.ts';

/** What a column contains, as far as it matters for estimation. */
export type FieldKind =
  | 'float'
  | 'integer'
  /** int64, uint64, decimals, and whole numbers in text files: doubles round those beyond 2^53 (`FillRequest.rest`). */
  | 'exact'
  | 'boolean'
  /** Dates and timestamps, as seconds since 1970 (UTC). */
  | 'time'
  /** Strings and dictionaries of strings: usable through declared levels only. */
  | 'text'
  /** A fixed-size list of numbers: `width` adjacent features. */
  | 'vector'
  /**
   * Text in which each cell may be a number, true or false, or a time: for private reads, in which no row may influence
   * how another is read.
   */
  | 'mixed'
  | 'unsupported';

/** A column of a table, by name and kind. */
export interface Field {
  readonly name: string;
  readonly kind: FieldKind;
  /** The format's name of the type, for messages: 'Decimal128(10, 2)', 'BYTE_ARRAY (UTF8)'. */
  readonly type: string;
  /** Numbers per row: 1, except for vectors. */
  readonly width: number;
  /** For text that is numeric in most rows of a sample: the first row that is not, counted from 0. */
  readonly strayRow?: number;
  /** For numbers in a text file: the texts found in the sample that stand for a missing number, such as n/a. */
  readonly nullTokens?: readonly string[];
  /**
   * Whether it is considered text only because the sample has no value: its rows can be requested as numbers too. False
   * by default.
   */
  readonly isBlank?: boolean;
}

/** Consecutive rows of a table, whose columns are decoded on demand. */
export interface Frame {
  readonly rows: number;
  /**
   * Decodes rows [start, start + count) of a field into `out` and sets `missing[i]` to 1 for a null, with 0 in `out`. A
   * vector is filled one element at a time, given by `element`. Returns the number of missing values.
   */
  fill(request: FillRequest): number | Promise<number>;
  /** For text fields: the index in `levels` of every row's value, -1 for a value not among them; nulls as in `fill`. */
  fillLevels(request: LevelRequest): number | Promise<number>;
  /**
   * The same, but first appends to `levels` every value that is not among them, while there are fewer than `most`; long
   * texts are excluded (see levels.ts). Values listed in a dictionary may be appended too, even if no row has them.
   */
  discoverLevels(request: DiscoverRequest): number | Promise<number>;
}

/** Which rows of which field to decode, and the memory for them. */
export interface FillRequest {
  /** Index into the table's fields. */
  readonly field: number;
  /** The element of a vector. */
  readonly element?: number;
  /** The first row, counted from 0 in the frame. */
  readonly start: number;
  /** The number of rows. */
  readonly count: number;
  /** At least `count` long. */
  readonly out: Float64Array;
  /** At least `count` long, zeroed by the caller. */
  readonly missing: Uint8Array;
  /** Returns NaN for a value that is malformed, instead of throwing. */
  readonly lenient?: boolean;
  /**
   * Asks for what rounding has changed, `value - double`, in place of the doubles nearest to the values: with it, whole
   * numbers of any length and times of nanoseconds are exact. Not for vectors.
   */
  readonly rest?: boolean;
  /** Asks for the marks and the number of nulls alone: `out` need not be filled, nor values looked at. */
  readonly nullsOnly?: boolean;
}

/** A request for text as indices of declared levels. */
export type LevelRequest = FillRequest & DeclaredLevels;

/** A request for text as levels that are found on the way. */
export type DiscoverRequest = FillRequest & DiscoveredLevels;

/**
 * A table on disk, in a stream or in memory, as every format presents it: fields with a type, and frames of rows (a record batch,
 * a row group, a run of lines) whose columns are decoded on demand, directly into memory provided by the caller.
 */
export interface Table {
  /** The name in messages: the file's path as given, 'standard input', or 'the table' for one in memory. */
  readonly name: string;
  readonly format: 'arrow-file' | 'arrow-stream' | 'parquet' | 'csv' | 'ndjson' | 'sql' | 'memory';
  readonly fields: readonly Field[];
  /** Known from metadata, or null if it takes a pass to count. */
  readonly rows: number | null;
  /** Whether `frames` can be called once only, as for standard input; false by default. */
  readonly isReadOnce?: boolean;
  /** Whether frames come as their rows arrive, so that no reader waits for a second one; false by default. */
  readonly isLive?: boolean;
  /**
   * The frames in order. Only the listed fields are read from disk. A frame is valid until the next is pulled. Leaving
   * the loop early releases the iteration's resources.
   */
  frames(fields: readonly number[]): AsyncIterable<Frame>;
  close(): Promise<void>;
}

/** What is known about a table before any row is read, as far as it is used to choose columns. */
export type Schema = Pick<Table, 'name' | 'fields'>;
