import type { Table } from '../table/table.ts';
import { LF } from './ascii.ts';
import { bomLength, byteSource } from './byteSource.ts';
import { jsonShape } from './cellShape.ts';
import { declaredKinds } from './declaredKinds.ts';
import { jsonText } from './jsonText.ts';
import type { Split } from './records.ts';
import { sampleFields, sampleRecords } from './sampleFields.ts';
import { splitNdjson } from './splitNdjson.ts';
import { nameOf, SAMPLE_ROWS, type TextOptions } from './textOptions.ts';
import { textTable } from './textTable.ts';

/**
 * A file or stream of JSON objects, one per line. The fields are the keys seen in the sample, and the declared ones; a
 * key that a line lacks is null there. A stream can be read once.
 */
export async function openNdjson(
  from: string | AsyncIterable<Uint8Array>,
  { name = nameOf(from), types = {}, sampleRows = SAMPLE_ROWS, malformed = 'error' }: TextOptions = {},
): Promise<Table> {
  const source = byteSource(from, name);
  try {
    const skip = await bomLength(source.look());
    const keys = new Set<string>();
    const lines = { table: name, split: splitLines, cells: 1, skip, malformed };
    await sampleRecords(source.look(), lines, sampleRows, ({ bytes, starts, ends }, row) => {
      for (const key of keysOf(bytes.toString('utf8', starts[row], ends[row]))) keys.add(key);
    });
    for (const declared of Object.keys(types)) keys.add(declared);
    const names = [...keys];
    const text = {
      source,
      declared: declaredKinds(types, { table: name, columns: names, malformed }),
      skip,
      splitter: (wanted: readonly number[]) =>
        splitNdjson(
          name,
          wanted.map(field => names[field]!),
          malformed,
        ),
      malformed,
      shapeOf: jsonShape,
      textOf: jsonText,
    };
    const fields = await sampleFields({ ...text, names, sampleRows });
    return textTable({ ...text, format: 'ndjson', fields });
  } catch (error) {
    await source.close();
    throw error;
  }
}

/** Empty for a line that is not an object; the splitter, which comes next, deals with it. */
function keysOf(line: string): string[] {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
  } catch {
    return [];
  }
}

/** Lines as records of one cell. */
export const splitLines: Split = (records, begin, end, limit, isLast) => {
  const { bytes, starts, ends } = records;
  let at = begin;
  let row = 0;
  for (; row < limit && at < end; row++) {
    const lineEnd = bytes.indexOf(LF, at);
    if (lineEnd === end && !isLast) break;
    starts[row] = at;
    ends[row] = lineEnd;
    at = Math.min(lineEnd + 1, end);
  }
  records.rows = row;
  return at;
};
