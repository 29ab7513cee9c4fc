import type { Table } from '../table/table.ts';
import { QUOTE } from './ascii.ts';
import { bomLength, byteSource } from './byteSource.ts';
import { csvShape } from './cellShape.ts';
import { csvHeader } from './csvHeader.ts';
import { declaredKinds } from './declaredKinds.ts';
import { NULLS, nullTokens } from './nullTokens.ts';
import { rowsInLines } from './rowsInLines.ts';
import { sampleFields } from './sampleFields.ts';
import { splitCsv } from './splitCsv.ts';
import { nameOf, SAMPLE_ROWS, type TextOptions, textTable } from './textTable.ts';

export interface CsvOptions extends TextOptions {
  /** The tokens for a null; by default an empty cell, NA, null and NULL. */
  readonly nulls?: readonly string[];
}

/**
 * A CSV file or stream: UTF-8, with a header, and cells separated by commas, semicolons or tabs and quoted as in RFC
 * 4180. A stream can be read once.
 */
export async function openCsv(
  from: string | AsyncIterable<Uint8Array>,
  { name = nameOf(from), types = {}, sampleRows = SAMPLE_ROWS, nulls = NULLS, malformed = 'error' }: CsvOptions = {},
): Promise<Table> {
  const source = byteSource(from, name);
  try {
    const bom = await bomLength(source.look());
    const { names, delimiter, length } = await csvHeader(source.look(), {
      table: name,
      skip: bom,
      malformed,
    });
    const layout = {
      table: name,
      columns: names.length,
      delimiter: delimiter.charCodeAt(0),
      isNull: nullTokens(nulls),
      malformed,
    };
    const text = {
      source,
      declared: declaredKinds(types, { table: name, columns: names, malformed }),
      skip: length,
      splitter: (wanted: readonly number[]) => splitCsv(layout, wanted),
      malformed,
      shapeOf: csvShape,
      textOf: csvText,
    };
    const fields = await sampleFields({ ...text, names, sampleRows });
    if (malformed === 'nulls') return textTable({ ...text, format: 'csv', fields });
    const valued = fields.map(({ kind }) => kind !== 'text');
    const strict = { ...layout, rowsInLines: rowsInLines({ delimiter: layout.delimiter, valued }) };
    const splitter = (wanted: readonly number[]) => splitCsv(strict, wanted);
    return textTable({ ...text, splitter, format: 'csv', fields });
  } catch (error) {
    await source.close();
    throw error;
  }
}

/** The text of a CSV cell: a doubled quote in a quoted cell stands for one. */
export function csvText(bytes: Buffer, start: number, end: number): string {
  const text = bytes.toString('utf8', start, end);
  return bytes[start - 1] === QUOTE && text.includes('"') ? text.replaceAll('""', '"') : text;
}
