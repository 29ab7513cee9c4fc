import { isUtf8 } from 'node:buffer';
import { type DataError, dataError } from '../../errors.ts';
import { LF, QUOTE } from './ascii.ts';
import { csvShape } from './cellShape.ts';
import { LONGEST_RECORD, type Malformed } from './readRecords.ts';

export interface CsvHeader {
  readonly names: readonly string[];
  /** The comma, semicolon or tab: whichever separates the most names. */
  readonly delimiter: string;
  /** In bytes, including its line end and everything before it. */
  readonly length: number;
}

/** The first record after `skip` bytes: the names of the columns. */
export async function csvHeader(
  chunks: AsyncIterable<Uint8Array>,
  {
    table,
    skip,
    malformed = 'error',
  }: { readonly table: string; readonly skip: number; readonly malformed?: Malformed },
): Promise<CsvHeader> {
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
  return Object.freeze({ names: Object.freeze(names), delimiter, length: skip + record.length });
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
