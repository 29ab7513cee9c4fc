import { isUtf8 } from 'node:buffer';
import { type DataError, dataError } from '../../errors.ts';
import type { Table } from '../table/table.ts';
import { CR, LF, QUOTE } from './ascii.ts';
import { csvShape } from './cellShape.ts';
import { type IsNull, NULLS, nullTokens } from './nullTokens.ts';
import { openText, type TextOptions } from './openText.ts';
import { LONGEST_RECORD, type Malformed, noteNulls, type Split } from './readRecords.ts';
import { type RowsInLines, rowsInLines } from './rowsInLines.ts';

/**
 * A CSV file or stream: UTF-8, with a header, and cells separated by commas, semicolons or tabs and quoted as in RFC
 * 4180. `nulls` are the tokens for a null; by default an empty cell, NA, null and NULL.
 */
export const openCsv = (
  from: string | AsyncIterable<Uint8Array>,
  { nulls = NULLS, ...options }: TextOptions & { readonly nulls?: readonly string[] } = {},
): Promise<Table> =>
  openText(from, options, async (source, bom, { malformed }) => {
    const table = source.name;
    const { names, delimiter: divider, length } = await csvHeader(source.look(), { table, skip: bom, malformed });
    const delimiter = divider.charCodeAt(0);
    const layout = { table, columns: names.length, delimiter, isNull: nullTokens(nulls), malformed };
    return {
      format: 'csv',
      names,
      skip: length,
      splitter: (wanted, fields) => {
        if (fields === undefined || malformed === 'nulls') return splitCsv(layout, wanted);
        const valued = fields.map(({ kind }) => kind !== 'text');
        return splitCsv({ ...layout, rowsInLines: rowsInLines({ delimiter, valued }) }, wanted);
      },
      shapeOf: csvShape,
      textOf: csvText,
    };
  });

/** The first line of a CSV file: names and delimiter of the columns, and its length in bytes. */
export type CsvHeader = Awaited<ReturnType<typeof csvHeader>>;

/** The first record after `skip` bytes: the names of the columns. */
export async function csvHeader(
  chunks: AsyncIterable<Uint8Array>,
  {
    table,
    skip,
    malformed = 'error',
  }: { readonly table: string; readonly skip: number; readonly malformed?: Malformed },
) {
  const refuse = (problem: string, remedy: string): DataError => dataError({ table }, problem, remedy);
  const record = await firstRecord(chunks, skip);
  if (record.length > LONGEST_RECORD)
    throw refuse(
      'the first line does not end',
      'look for a quote that is never closed, or for bare carriage returns as line ends',
    );
  if (!isUtf8(record))
    throw refuse(
      'the header has bytes that are not UTF-8',
      'convert the file, for example with "iconv -f latin1 -t utf-8"',
    );

  const text = record.toString().replace(/\r?\n?$/, '');
  const outsideQuotes = text.replace(/"[^"]*"/g, '');
  if (outsideQuotes.includes('\r'))
    throw refuse('lines end with bare carriage returns', 'convert the line ends to \\n or \\r\\n');
  const count = (delimiter: string): number => outsideQuotes.split(delimiter).length;
  const delimiter = [',', ';', '\t'].reduce((best, next) => (count(next) > count(best) ? next : best));
  const names = namesIn(text, delimiter);
  if (names === undefined)
    throw refuse('the header has a quote inside a name', 'quote the whole name and double the quote');
  if (names.every(name => name === '' || csvShape(Buffer.from(name), 0, Buffer.byteLength(name)) !== 'text'))
    throw refuse(
      'has no header: the first line has no names',
      mayBeNames(names)
        ? 'put a line with the names of the columns above the data; if these are the names, a header of numbers alone looks like data: rename at least one, such as 2000 to y2000, or read the file with `fromSql`'
        : 'put a line with the names of the columns above the data',
    );
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice !== undefined)
    // What stands in the first line of a file without a header is a row's.
    throw malformed === 'nulls'
      ? refuse('two columns of the header have the same name', 'rename one of them')
      : dataError({ table, column: twice }, 'is in the header twice', 'rename one of the two');
  return Object.freeze({
    names: Object.freeze(names) /** The comma, semicolon or tab: whichever separates the most names. */,
    delimiter /** In bytes, including its line end and everything before it. */,
    length: skip + record.length,
  });
}

/** Up to the first line end outside quotes, or to the end, or until it is too long. */
async function firstRecord(chunks: AsyncIterable<Uint8Array>, skip: number): Promise<Buffer> {
  let bytes = Buffer.alloc(0);
  let at = skip;
  let isQuoted = false;
  for await (const chunk of chunks) {
    bytes = Buffer.concat([bytes, chunk]);
    for (; at < bytes.length; at++) {
      if (bytes[at] === QUOTE) isQuoted = !isQuoted;
      else if (bytes[at] === LF && !isQuoted) return bytes.subarray(skip, at + 1);
    }
    if (at - skip > LONGEST_RECORD) break;
  }
  return bytes.subarray(skip);
}

function namesIn(text: string, delimiter: string): string[] | undefined {
  const cell = new RegExp(`(?:"((?:[^"]|"")*)"|([^"${delimiter}]*))(${delimiter}|$)`, 'y');
  const names: string[] = [];
  for (;;) {
    const found = cell.exec(text);
    if (found === null) return undefined;
    const [, quoted, plain = '', divider] = found;
    names.push(quoted?.replaceAll('""', '"') ?? plain.trim());
    if (divider === '') return names;
  }
}

/** Numbers can be names if they are all different integers, such as years. */
const mayBeNames = (names: readonly string[]): boolean =>
  names.every(name => /^\d+$/.test(name)) && new Set(names).size === names.length;

interface CsvLayout {
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
