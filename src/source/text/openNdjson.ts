import { dataError } from '../../errors.ts';
import type { Table } from '../table/table.ts';
import { CLOSE_BRACE, COLON, COMMA, LF, OPEN_BRACE, QUOTE } from './ascii.ts';
import { jsonShape } from './cellShape.ts';
import { jsonText, spaceEnd, stringEnd, valueEnd } from './jsonTokens.ts';
import { openText, type TextOptions } from './openText.ts';
import { type Malformed, noteNulls, type Records, readRecords, type Split } from './readRecords.ts';
import { sampleRecords } from './sampleFields.ts';

/**
 * A file or stream of JSON objects, one per line. The fields are the keys of a file, in order of appearance, and the
 * declared ones; a key that a line lacks is null there. A stream can be read once, so that its fields are the keys seen
 * in the sample.
 */
export const openNdjson = (from: string | AsyncIterable<Uint8Array>, options: TextOptions = {}): Promise<Table> =>
  openText(from, options, async (source, skip, { types, sampleRows, malformed }) => {
    const table = source.name;
    const keys = new Set<string>();
    const lines = { table, split: splitNdjson(table, [], malformed, keys), cells: 0, skip, malformed };
    let rows: number | null = null;
    if (source.isFile && sampleRows > 0) {
      rows = 0;
      for await (const records of readRecords(source.look(), lines)) rows += records.rows;
    } else await sampleRecords(source.look(), lines, sampleRows, () => {});
    const names = [...new Set([...keys, ...Object.keys(types)])];
    const named = (wanted: readonly number[]): readonly string[] => wanted.map(field => names[field]!);
    return {
      format: 'ndjson',
      names,
      rows,
      skip,
      splitter: wanted => splitNdjson(table, named(wanted), malformed),
      shapeOf: jsonShape,
      textOf: jsonText,
    };
  });

const NULL = 'n'.charCodeAt(0);

/**
 * Lines of one JSON object each, with the requested names in any order. A missing name is a null; if a name occurs
 * twice, the last value is used, as in JSON.parse. Blank lines are skipped. Names that occur are added to `seen`.
 */
export function splitNdjson(
  table: string,
  wanted: readonly string[],
  malformed: Malformed = 'error',
  seen?: Set<string>,
): Split {
  const slots = new Map(wanted.map((name, slot) => [name, slot]));
  const slotAt = slotPredictor(slots, seen);

  /** Whether the line is an object; records its cells as far as it is valid. */
  const take = (records: Records, row: number, begin: number, lineEnd: number): boolean => {
    const { bytes, starts, ends, capacity } = records;
    noteNulls(records, row);
    let at = spaceEnd(bytes, begin);
    if (bytes[at] !== OPEN_BRACE) return false;
    at = spaceEnd(bytes, at + 1);
    if (bytes[at] === CLOSE_BRACE) return spaceEnd(bytes, at + 1) === lineEnd;
    for (let member = 0; ; member++) {
      const keyEnd = bytes[at] === QUOTE ? stringEnd(bytes, at) : -1;
      if (keyEnd < 0) return false;
      const slot = slotAt(member, bytes, at + 1, keyEnd - 1);
      at = spaceEnd(bytes, keyEnd);
      if (bytes[at] !== COLON) return false;
      const start = spaceEnd(bytes, at + 1);
      const end = valueEnd(bytes, start);
      if (end < 0) return false;
      if (slot >= 0) {
        const cell = slot * capacity + row;
        const isString = bytes[start] === QUOTE;
        starts[cell] = bytes[start] === NULL ? -1 : isString ? start + 1 : start;
        ends[cell] = isString ? end - 1 : end;
      }
      at = spaceEnd(bytes, end);
      if (bytes[at] === CLOSE_BRACE) return spaceEnd(bytes, at + 1) === lineEnd;
      if (bytes[at] !== COMMA) return false;
      at = spaceEnd(bytes, at + 1);
    }
  };

  return (records, begin, end, limit, isLast) => {
    const { bytes, firstRow } = records;
    let at = begin;
    let row = 0;
    while (row < limit && at < end) {
      const lineEnd = bytes.indexOf(LF, at);
      if (lineEnd === end && !isLast) break;
      if (spaceEnd(bytes, at) < lineEnd) {
        if (!take(records, row, at, lineEnd)) {
          if (malformed === 'error') {
            if (row > 0) break;
            throw dataError(
              { table, row: firstRow },
              'is not a JSON object',
              'every line must be one complete object, such as {"x":1.5,"y":true}',
            );
          }
          noteNulls(records, row);
          records.malformed?.set(row, 'is not a JSON object');
        }
        row++;
      }
      at = Math.min(lineEnd + 1, end);
    }
    records.rows = row;
    return at;
  };
}

/**
 * The slot of the key in bytes[start, end), -1 for a name that was not requested. Writers repeat the order of their
 * keys, so the key at the same position in the previous record is compared first, without making a string.
 */
function slotPredictor(slots: ReadonlyMap<string, number>, seen?: Set<string>) {
  const order: { readonly key: Buffer; readonly slot: number }[] = [];
  return (member: number, bytes: Buffer, start: number, end: number): number => {
    const expected = order[member];
    if (expected !== undefined && isSame(expected.key, bytes, start, end)) return expected.slot;
    const name = jsonText(bytes, start, end);
    seen?.add(name);
    const slot = slots.get(name) ?? -1;
    order[member] = { key: Buffer.from(bytes.subarray(start, end)), slot };
    return slot;
  };
}

function isSame(key: Buffer, bytes: Buffer, start: number, end: number): boolean {
  if (key.length !== end - start) return false;
  for (let i = 0; i < key.length; i++) if (key[i] !== bytes[start + i]) return false;
  return true;
}
