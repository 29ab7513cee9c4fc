import type { Table } from '../table/table.ts';
import { csvShape } from './cellShape.ts';
import { csvHeader } from './csvHeader.ts';
import { NULLS, nullTokens } from './nullTokens.ts';
import { openText, type TextOptions } from './openText.ts';
import { rowsInLines } from './rowsInLines.ts';
import { csvText, splitCsv } from './splitCsv.ts';

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
