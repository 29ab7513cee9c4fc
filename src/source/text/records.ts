/** A run of rows as whole records of a text, with the positions of the cells of the requested fields. */
export interface Records {
  bytes: Buffer;
  /** The index in the table of the first row. */
  firstRow: number;
  rows: number;
  /** The number of bytes they take, including line ends. */
  size: number;
  /** The largest number of rows for which `starts` and `ends` have room. */
  readonly capacity: number;
  /**
   * Row r of requested field w is in bytes[starts[w * capacity + r], ends[w * capacity + r]), without surrounding
   * quotes: a cell is quoted if, and only if, there is a quote before its start. A start of -1 marks a null.
   */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
}

/**
 * How to treat an invalid record, such as half a JSON object:
 *
 *   error  throw an error that names its row
 *   nulls  its line is a row of nulls, and the following lines are read as usual; so no record can influence how others
 *          are read, and no message reveals one
 */
export type Malformed = 'error' | 'nulls';

/** Marks all cells of a row as nulls. */
export function noteNulls({ starts, capacity }: Records, row: number): void {
  for (let cell = row; cell < starts.length; cell += capacity) starts[cell] = -1;
}

/**
 * Takes at most `limit` whole records from bytes[begin, end), records their cells, sets `rows`, and returns the
 * position where it stopped. `bytes[end]` is a newline that ends every search. A record may lack its newline only if
 * `isLast`: no more bytes will follow. The records before a malformed one are taken first: the error is thrown at the
 * next call.
 */
export type Split = (records: Records, begin: number, end: number, limit: number, isLast: boolean) => number;
