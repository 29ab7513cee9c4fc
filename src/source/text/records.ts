/** Whole records of a text, a run of rows, and where the cells of the wanted fields lie. */
export interface Records {
  bytes: Buffer;
  /** The place in the table of the first of them. */
  firstRow: number;
  rows: number;
  /** The bytes they take, line ends included. */
  size: number;
  /** The most rows that `starts` and `ends` have room for. */
  readonly capacity: number;
  /**
   * Row r of the wanted field w lies in bytes[starts[w * capacity + r], ends[w * capacity + r]), without the quotes
   * around it: a cell is quoted if, and only if, a quote stands before its start. A start of -1 marks a null.
   */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
}

/**
 * What becomes of a record that is none, such as half a JSON object:
 *
 *   error  it ends the reading, by its row
 *   nulls  its line is a row of nulls, and what follows is read as if nothing had been; so no record has a say in what becomes of others,
 *          and no message tells of one
 */
export type Malformed = 'error' | 'nulls';

/** Marks all cells of a row as nulls. */
export function noteNulls({ starts, capacity }: Records, row: number): void {
  for (let cell = row; cell < starts.length; cell += capacity) starts[cell] = -1;
}

/**
 * Takes at most `limit` whole records from bytes[begin, end), notes their cells, sets `rows`, and returns where it
 * stopped. `bytes[end]` is a newline that ends every search. A record may lack its own newline only if `isLast`: no
 * more bytes will come. The records before a malformed one are taken first: the error comes with the next call.
 */
export type Split = (records: Records, begin: number, end: number, limit: number, isLast: boolean) => number;
