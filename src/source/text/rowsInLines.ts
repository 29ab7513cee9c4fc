import { CR, LF, QUOTE, trimEnd, trimStart } from './ascii.ts';
import { decodeMixed } from './decode.ts';

export interface LineLayout {
  /** The byte between cells. */
  readonly delimiter: number;
  /** For each column, whether it has numbers, times, or true and false. */
  readonly valued: readonly boolean[];
}

/** The number of rows in the lines of bytes[start, end), where `end` is also a line end; 0 if one line is not a row. */
export type RowsInLines = (bytes: Buffer, start: number, end: number) => number;

/**
 * A stray quote in one row and another in a later one turn everything between them into a single cell, and rows would
 * vanish unnoticed. But a cell may legitimately contain line ends. What distinguishes the two: read line by line, such
 * a record consists of valid rows, with as many cells as the header and a value in every column of numbers, times, or
 * true and false. The lines of a text do not.
 */
export function rowsInLines({ delimiter, valued }: LineLayout): RowsInLines {
  // With text columns alone nothing can be detected.
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

/** With or without quotes. */
function isValue(bytes: Buffer, start: number, end: number): boolean {
  let from = trimStart(bytes, start, end);
  let to = trimEnd(bytes, from, bytes[end - 1] === CR ? end - 1 : end);
  if (bytes[from] === QUOTE) from++;
  if (bytes[to - 1] === QUOTE) to--;
  return from < to && decodeMixed(bytes, from, to, scratch, 0);
}
