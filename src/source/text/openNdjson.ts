import type { Table } from '../table/table.ts';
import { bomLength, byteSource } from './byteSource.ts';
import { jsonShape } from './cellShape.ts';
import { declaredKinds } from './declaredKinds.ts';
import { jsonText } from './jsonText.ts';
import { readRecords } from './readRecords.ts';
import { sampleFields, sampleRecords } from './sampleFields.ts';
import { splitNdjson } from './splitNdjson.ts';
import { nameOf, SAMPLE_ROWS, type TextOptions, textTable } from './textTable.ts';

/**
 * A file or stream of JSON objects, one per line. The fields are the keys of a file, in order of appearance, and the
 * declared ones; a key that a line lacks is null there. A stream can be read once, so that its fields are the keys seen
 * in the sample.
 */
export async function openNdjson(
  from: string | AsyncIterable<Uint8Array>,
  { name = nameOf(from), types = {}, sampleRows = SAMPLE_ROWS, malformed = 'error' }: TextOptions = {},
): Promise<Table> {
  const source = byteSource(from, name);
  try {
    const skip = await bomLength(source.look());
    const keys = new Set<string>();
    const lines = { table: name, split: splitNdjson(name, [], malformed, keys), cells: 0, skip, malformed };
    let rows: number | null = null;
    if (source.isFile && sampleRows > 0) {
      rows = 0;
      for await (const records of readRecords(source.look(), lines)) rows += records.rows;
    } else await sampleRecords(source.look(), lines, sampleRows, () => {});
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
    return textTable({ ...text, format: 'ndjson', fields, rows });
  } catch (error) {
    await source.close();
    throw error;
  }
}
