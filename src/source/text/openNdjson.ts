import type { Table } from '../table/table.ts';
import { jsonShape } from './cellShape.ts';
import { jsonText } from './jsonTokens.ts';
import { openText, type TextOptions } from './openText.ts';
import { readRecords } from './readRecords.ts';
import { sampleRecords } from './sampleFields.ts';
import { splitNdjson } from './splitNdjson.ts';

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
