import { dataError } from '../../errors.ts';
import { CR, LF, QUOTE } from './ascii.ts';
import type { IsNull } from './nullTokens.ts';
import { type Malformed, noteNulls, type Split } from './readRecords.ts';
import type { RowsInLines } from './rowsInLines.ts';

export interface CsvLayout {
  readonly table: string;
  readonly columns: number;
  /** The byte between cells. */
  readonly delimiter: number;
  readonly isNull: IsNull;
  readonly malformed?: Malformed;
  /** Detects a record that stray quotes have merged from several; by default no record is checked. */
  readonly rowsInLines?: RowsInLines;
}

/**
 * Records of RFC 4180: cells between delimiters, with a line end after the last; a cell that begins with a quote ends
 * with one, and a doubled quote inside stands for one. Beyond the RFC, quotes inside other cells are plain characters,
 * and blank lines between records of several cells are skipped.
 *
 * A record is also malformed if stray quotes have merged it from several (see rowsInLines.ts).
 *
 * If malformed records become nulls, every line is a record, and a quote that is not closed on its line is a stray one:
 * a later line that closes it would be another person's, and no record may influence whether others are read.
 */
export function splitCsv(
  { table, columns, delimiter, isNull, malformed = 'error', rowsInLines }: CsvLayout,
  wanted: readonly number[],
): Split {
  const slots = new Int32Array(columns).fill(-1);
  wanted.forEach((column, slot) => {
    slots[column] = slot;
  });
  const isPlain = new Uint8Array(256).fill(1);
  isPlain[delimiter] = 0;
  isPlain[LF] = 0;

  return (records, begin, end, limit, isLast) => {
    const { bytes, starts, ends, capacity, firstRow } = records;
    let at = begin;
    let row = 0;
    for (; row < limit && at < end; row++) {
      if (columns > 1) {
        at = pastBlankLines(bytes, at, end);
        if (at === end) break;
      }
      const recordStart = at;
      let column = 0;
      let hasQuotes = false;
      let problem = '';
      let remedy = 'fix the row; a cell that contains the delimiter or a line end must be quoted';
      for (; ; at++) {
        let start = at;
        let stop: number;
        if (bytes[at] === QUOTE) {
          start++;
          hasQuotes = true;
          const last = malformed === 'nulls' ? bytes.indexOf(LF, recordStart) : end;
          stop = closingQuote(bytes, start, last);
          if (stop === last) {
            at = last;
            problem = 'a quote opened there is never closed';
            break;
          }
          at = stop + 1;
          if (bytes[at] === CR && bytes[at + 1] === LF) at++;
          if (isPlain[bytes[at]!]) {
            problem = 'there is text between a closing quote and the end of its cell';
            break;
          }
        } else {
          while (isPlain[bytes[at]!]) at++;
          stop = bytes[at] === LF && at > start && bytes[at - 1] === CR ? at - 1 : at;
        }
        const slot = slots[column++];
        if (slot !== undefined && slot >= 0) {
          starts[slot * capacity + row] = isNull(bytes, start, stop) ? -1 : start;
          ends[slot * capacity + row] = stop;
        }
        if (bytes[at] === LF) break;
      }
      let isWhole = at < end || isLast;
      if (problem === '' && column !== columns)
        problem = `${column} ${column === 1 ? 'cell' : 'cells'} under a header of ${columns}`;
      if (problem === '' && isWhole && hasQuotes && rowsInLines && bytes.indexOf(LF, recordStart) < at) {
        const rows = rowsInLines(bytes, recordStart, at);
        if (rows > 0) {
          problem = `a quoted cell spans ${rows} lines, each of which is a row by itself`;
          remedy =
            'remove the quote that opens it and the one that closes it; if the cell is correct, provide the data as NDJSON or Parquet';
        }
      }
      if (problem !== '' && isWhole && malformed === 'nulls') {
        at = bytes.indexOf(LF, recordStart);
        isWhole = at < end || isLast;
        noteNulls(records, row);
        if (isWhole) records.malformed?.set(row, problem);
        problem = '';
      }
      if (!isWhole || problem !== '') {
        if (isWhole && row === 0) {
          throw dataError({ table, row: firstRow }, problem, remedy);
        }
        at = recordStart;
        break;
      }
      if (at < end) at++;
    }
    records.rows = row;
    return at;
  };
}

function pastBlankLines(bytes: Buffer, begin: number, end: number): number {
  let at = begin;
  while (at < end) {
    if (bytes[at] === LF) at++;
    else if (bytes[at] === CR && at + 1 < end && bytes[at + 1] === LF) at += 2;
    else break;
  }
  return at;
}

/** The position of the quote that closes a cell, or `end` if there is none before it. */
function closingQuote(bytes: Buffer, start: number, end: number): number {
  let at = start;
  for (;;) {
    while (at < end && bytes[at] !== QUOTE) at++;
    if (at >= end) return end;
    if (bytes[at + 1] !== QUOTE) return at;
    at += 2;
  }
}

/** The text of a CSV cell: a doubled quote in a quoted cell stands for one. */
export function csvText(bytes: Buffer, start: number, end: number): string {
  const text = bytes.toString('utf8', start, end);
  return bytes[start - 1] === QUOTE && text.includes('"') ? text.replaceAll('""', '"') : text;
}
