import { isUtf8 } from 'node:buffer';
import { dataError } from '../dataError.ts';
import { LF } from './ascii.ts';
import type { Malformed, Records, Split } from './records.ts';

/** Longer records are refused: a quote that nobody closes would otherwise pull the whole file into memory. */
export const LONGEST_RECORD = 1 << 24;
const PIECE = 1 << 20;
const FRAME_ROWS = 8192;
const FRAME_CELLS = 1 << 20;

export interface ReadOptions {
  readonly table: string;
  readonly split: Split;
  /** How many cells of a row `split` notes. */
  readonly cells: number;
  /** Bytes to pass over at the beginning. */
  readonly skip: number;
  readonly malformed?: Malformed;
}

/**
 * Bytes in chunks of any size as runs of whole records. A run is given as soon as a chunk completes it, so that a slow
 * stream is not held up; its memory is used again for the next. Never holds more than the longest record, a piece of
 * a chunk, and the places of FRAME_CELLS cells.
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

  /** Gives at most `limit` records; says whether it went on at all. */
  function* someRecords(limit: number, isLast: boolean): Generator<Records, boolean> {
    let next = split(records, begin, end, limit, isLast);
    // Halving finds the record to blame, and gives those before it first. Where none is to be blamed, bytes that are no
    // text do no harm: numbers are ASCII.
    while (malformed === 'error' && !isUtf8(records.bytes.subarray(begin, next))) {
      if (records.rows <= 1) {
        throw dataError(
          { table, row: records.firstRow },
          'holds bytes that are not UTF-8',
          'convert the file, say with "iconv -f latin1 -t utf-8"',
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
  /** Puts a piece behind the record that is not whole yet; says whether a record may be whole now. */
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
        );
      }
    }
  }
  if (begin < end) yield* wholeRecords(true);
}
