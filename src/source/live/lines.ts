import { createHash } from 'node:crypto';
import { LF } from '../text/ascii.ts';
import { csvShape } from '../text/cellShape.ts';
import type { CsvHeader } from '../text/csvHeader.ts';
import { NULLS, nullTokens } from '../text/nullTokens.ts';
import { LONGEST_RECORD } from '../text/readRecords.ts';
import { csvText, splitCsv } from '../text/splitCsv.ts';
import type { Json } from './liveSource.ts';
import { fieldsIn, type Message, type RowText } from './records.ts';

export interface LinesOptions {
  /** The place of a line by its number, from 1, and the number of bytes up to its end. */
  readonly placeOf: (line: number, bytes: number) => Json;
  /** Lines and bytes before the first chunk; none unless given. */
  readonly before?: { readonly lines: number; readonly bytes: number };
}

/** The kept beginning of a line that is too long, for its dead letter. */
const HEAD = 2 ** 13;

/**
 * Complete lines, without their ends, in the groups in which they arrive; what follows the last line end is a line only
 * if the chunks end. A line of more than 16 MB is passed over, with bounded memory, and is no record.
 */
export async function* linesOf(
  chunks: AsyncIterable<Uint8Array>,
  { placeOf, before = { lines: 0, bytes: 0 } }: LinesOptions,
): AsyncGenerator<readonly Message[]> {
  let { lines, bytes: passed } = before;
  let begun: Uint8Array[] = [];
  let length = 0;
  const lineOf = (last: Uint8Array, end: number): Message => {
    const place = placeOf(++lines, end);
    const isLong = length + last.length > LONGEST_RECORD;
    const bytes = begun.length === 0 ? last : Buffer.concat([...begun, last]);
    [begun, length] = [[], 0];
    return isLong
      ? { place, bytes: bytes.subarray(0, HEAD), problem: `is longer than ${LONGEST_RECORD >> 20} MB` }
      : { place, bytes };
  };
  for await (const chunk of chunks) {
    const group: Message[] = [];
    let at = 0;
    for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, at)) {
      group.push(lineOf(chunk.subarray(at, end), passed + end + 1));
      at = end + 1;
    }
    if (group.length > 0) yield group;
    // Copied, because the chunk's memory may be used again.
    if (at < chunk.length) begun.push(Uint8Array.prototype.slice.call(chunk, at));
    length += chunk.length - at;
    if (length > LONGEST_RECORD) begun = [Buffer.concat(begun).subarray(0, HEAD)];
    passed += chunk.length;
  }
  if (length > 0) yield [lineOf(new Uint8Array(0), passed)];
}

/**
 * Lines of CSV below a header. A cell ends on its line: a quote that is not closed there is a stray one, for which a
 * stream must not wait.
 */
export function csvRows({ names, delimiter }: Pick<CsvHeader, 'names' | 'delimiter'>): RowText {
  const layout = {
    table: '',
    columns: names.length,
    delimiter: delimiter.charCodeAt(0),
    isNull: nullTokens(NULLS),
    malformed: 'nulls' as const,
  };
  const splitter: RowText['splitter'] = wanted =>
    splitCsv(
      layout,
      wanted.map(name => names.indexOf(name)),
    );
  return {
    format: 'csv',
    names,
    shapeOf: csvShape,
    textOf: csvText,
    splitter,
    fieldsOf: row => fieldsIn(row, names, { splitter, shapeOf: csvShape }),
  };
}

/** The beginning of a stream, to recognize it by: 64 bits of a digest, because nobody gains by forging it. */
export const digestOf = (...parts: readonly (Uint8Array | string)[]): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex').slice(0, 16);
};

/** The chunks without their first bytes. */
export async function* after(chunks: AsyncIterable<Uint8Array>, skip: number): AsyncGenerator<Uint8Array> {
  let left = skip;
  for await (const chunk of chunks) {
    if (left < chunk.length) yield chunk.subarray(left);
    left = Math.max(0, left - chunk.length);
  }
}
