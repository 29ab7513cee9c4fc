/**
 * A quote too many in one row and another in a later one make a single cell of all that is between them, and rows would
 * vanish unseen. A cell may hold line ends, though. What tells the two apart: taken line by line, such a record is rows
 * throughout, of as many cells as the header has, with a value in every column of numbers, times, or true and false.
 * Lines of a text are not.
 */
import { CR, LF, QUOTE, trimEnd, trimStart } from './ascii.ts';
import { decodeMixed } from './decodeMixed.ts';

export interface LineLayout {
  /** Byte between cells. */
  readonly delimiter: number;
  /** Whether each column is of numbers, times, or true and false. */
  readonly valued: readonly boolean[];
}

/** How many rows the lines of bytes[start, end) are, where `end` is a line end too; 0 if one of them is none. */
export type RowsInLines = (bytes: Buffer, start: number, end: number) => number;

export function rowsInLines({ delimiter, valued }: LineLayout): RowsInLines {
  // Texts alone tell nothing.
  if (!valued.includes(true)) return () => 0;

  const isRow = (bytes: Buffer, start: number, end: number): boolean => {
    let at = start;
    return valued.every((isValued, column) => {
      const next = bytes.indexOf(delimiter, at);
      const isLast = column === valued.length - 1;
      if (isLast === (next >= 0 && next < end)) return false;
      const from = at;
      const to = isLast ? end : next;
      at = to + 1;
      return !isValued || isValue(bytes, from, to);
    });
  };
  return (bytes, start, end) => {
    let rows = 0;
    for (let at = start; at <= end; rows++) {
      const lineEnd = bytes.indexOf(LF, at);
      if (!isRow(bytes, at, lineEnd)) return 0;
      at = lineEnd + 1;
    }
    return rows;
  };
}

const scratch = new Float64Array(1);

/** Whatever quotes are around it. */
function isValue(bytes: Buffer, start: number, end: number): boolean {
  let from = trimStart(bytes, start, end);
  let to = trimEnd(bytes, from, bytes[end - 1] === CR ? end - 1 : end);
  if (bytes[from] === QUOTE) from++;
  if (bytes[to - 1] === QUOTE) to--;
  return from < to && decodeMixed(bytes, from, to, scratch, 0);
}
