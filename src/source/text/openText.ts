import { dataError, refuse } from '../../errors.ts';
import type { Field, FieldKind, Table } from '../table/table.ts';
import { type ByteSource, bomLength, byteSource } from './byteSource.ts';
import type { Malformed, Split } from './readRecords.ts';
import { sampleFields } from './sampleFields.ts';
import { type TextRecords, type TextTableOptions, textTable } from './textTable.ts';

/** Column types that a caller declares, if a sample would guess wrong or too late. */
export type DeclaredTypes = Readonly<Record<string, FieldKind>>;

export interface TextOptions {
  /** The table's name in messages: by default a file's path, or 'standard input'. */
  readonly name?: string;
  /** Types of columns. Those of the others are inferred from a sample: the first rows. */
  readonly types?: DeclaredTypes;
  /** The largest number of rows in the sample. A live stream waits for them; 0 relies on declared types alone. */
  readonly sampleRows?: number;
  /** How to treat an invalid record; an error by default. */
  readonly malformed?: Malformed;
}

/** What a format finds out about a text before its columns have types. */
export interface TextLayout
  extends Omit<TextRecords, 'source' | 'malformed' | 'splitter'>,
    Pick<TextTableOptions, 'format' | 'rows'> {
  readonly names: readonly string[];
  /** As in `TextRecords`, first without the fields, and with them once their types are known. */
  splitter(wanted: readonly number[], fields?: readonly Field[]): Split;
}

/** How a format looks at a text: its source, the length of its byte order mark, and what was asked for. */
export type Look = (
  source: ByteSource,
  skip: number,
  asked: Required<Pick<TextOptions, 'types' | 'sampleRows' | 'malformed'>>,
) => Promise<TextLayout>;

/** A file or stream of text as a table. A stream can be read once. */
export async function openText(
  from: string | AsyncIterable<Uint8Array>,
  { name, types = {}, sampleRows = SAMPLE_ROWS, malformed = 'error' }: TextOptions,
  look: Look,
): Promise<Table> {
  const source = byteSource(from, name ?? (typeof from === 'string' ? from : 'standard input'));
  try {
    const layout = await look(source, await bomLength(source.look()), { types, sampleRows, malformed });
    const declared = declaredKinds(types, source.name, layout.names, malformed);
    const text = { ...layout, source, malformed, declared };
    const fields = await sampleFields({ ...text, sampleRows });
    return textTable({ ...text, fields, splitter: wanted => layout.splitter(wanted, fields) });
  } catch (error) {
    await source.close();
    throw error;
  }
}

const SAMPLE_ROWS = 10_000;

const textKinds: readonly FieldKind[] = ['float', 'integer', 'exact', 'boolean', 'time', 'mixed', 'text'];

/**
 * The declared kinds by column. Rejects a kind that text cannot have, and a column that does not exist. If malformed
 * records become nulls, the columns are not listed, because the first line of a file without a header is a row.
 */
function declaredKinds(
  types: DeclaredTypes,
  table: string,
  columns: readonly string[],
  malformed: Malformed,
): ReadonlyMap<string, FieldKind> {
  const kinds = new Map(Object.entries(types));
  for (const [column, kind] of kinds) {
    if (!textKinds.includes(kind))
      refuse(`types[${JSON.stringify(column)}]`, `be one of ${textKinds.join(', ')}`, kind);
    if (!columns.includes(column))
      throw dataError(
        { table, column },
        'has a declared type, but there is no such column',
        malformed === 'nulls'
          ? 'compare the column names with the first line of the file'
          : `the columns are ${columns.join(', ')}`,
      );
  }
  return kinds;
}
