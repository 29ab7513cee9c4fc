import { isUtf8 } from 'node:buffer';
import { dataError } from '../../errors.ts';
import { LF } from './ascii.ts';

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
  /** Takes the rows that are nulls because they are malformed, with the reason, for a reader that asks. */
  readonly malformed?: Map<number, string>;
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

/** Longer records are rejected: an unclosed quote would otherwise read the whole file into memory. */
export const LONGEST_RECORD = 1 << 24;
const PIECE = 1 << 20;
const FRAME_ROWS = 8192;
const FRAME_CELLS = 1 << 20;

export interface ReadOptions {
  readonly table: string;
  readonly split: Split;
  /** The number of cells per row that `split` records. */
  readonly cells: number;
  /** The number of bytes to skip at the beginning. */
  readonly skip: number;
  readonly malformed?: Malformed;
}

/**
 * Turns bytes in chunks of any size into runs of whole records. A run is yielded as soon as a chunk completes it, so
 * that a slow stream is not held up; its memory is reused for the next. Never holds more than the longest record, a
 * piece of a chunk, and the positions of FRAME_CELLS cells.
 */
export async function* readRecords(
  chunks: AsyncIterable<Uint8Array>,
  { table, split, cells, skip, malformed = 'error' }: ReadOptions,
): AsyncGenerator<Records> {
  const capacity = Math.max(1, Math.min(FRAME_ROWS, Math.floor(FRAME_CELLS / Math.max(1, cells))));
  const records: Records = {
    bytes: Buffer.alloc(0),
    firstRow: 0,
    rows: 0,
    size: 0,
    capacity,
    starts: new Int32Array(cells * capacity),
    ends: new Int32Array(cells * capacity),
  };
  let begin = 0;
  let end = 0;

  /** Yields at most `limit` records; returns whether it made any progress. */
  function* someRecords(limit: number, isLast: boolean): Generator<Records, boolean> {
    let next = split(records, begin, end, limit, isLast);
    // Bisection finds the invalid record, and yields those before it first. With other policies, invalid bytes do no
    // harm: numbers are ASCII.
    while (malformed === 'error' && !isUtf8(records.bytes.subarray(begin, next))) {
      if (records.rows <= 1) {
        throw dataError(
          { table, row: records.firstRow },
          'has bytes that are not UTF-8',
          'convert the file, for example with "iconv -f latin1 -t utf-8"',
        );
      }
      next = split(records, begin, end, records.rows >> 1, isLast);
    }
    if (next === begin) return false;
    records.size = next - begin;
    begin = next;
    if (records.rows > 0) {
      yield records;
      records.firstRow += records.rows;
    }
    return true;
  }
  function* wholeRecords(isLast: boolean): Generator<Records> {
    while (yield* someRecords(capacity, isLast));
  }
  /** Appends a piece to the incomplete record; returns whether a record may now be complete. */
  const append = (piece: Uint8Array): boolean => {
    const held = records.bytes;
    const begun = end - begin;
    const needed = begun + piece.length + 1;
    if (needed > held.length) records.bytes = Buffer.allocUnsafeSlow(2 * needed);
    if (begin > 0 || records.bytes !== held) held.copy(records.bytes, 0, begin, end);
    records.bytes.set(piece, begun);
    begin = 0;
    end = begun + piece.length;
    records.bytes[end] = LF;
    return records.bytes.indexOf(LF, begun) < end;
  };

  let passing = skip;
  for await (const chunk of chunks) {
    const passed = Math.min(passing, chunk.length);
    passing -= passed;
    for (let at = passed; at < chunk.length; at += PIECE) {
      if (append(chunk.subarray(at, at + PIECE))) yield* wholeRecords(false);
      if (end - begin > LONGEST_RECORD) {
        throw dataError(
          { table, row: records.firstRow },
          `is longer than ${LONGEST_RECORD >> 20} MB`,
          'look for a quote that is opened there and never closed, or for a missing line end',
          'ERR_TOO_LARGE',
        );
      }
    }
  }
  if (begin < end) yield* wholeRecords(true);
}
