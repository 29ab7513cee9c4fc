import { stat } from 'node:fs/promises';
import { ArgumentError, dataError } from '../../errors.ts';
import { detectFormat, formatByName } from '../table/detectFormat.ts';
import { fileError } from '../table/fileError.ts';
import { hasTexts, leveled } from '../table/leveled.ts';
import type { FieldKind, Table } from '../table/table.ts';
import { type ByteSource, byteSource, firstBytes } from '../text/byteSource.ts';
import type { DeclaredTypes } from '../text/openText.ts';
import type { Malformed } from '../text/readRecords.ts';
import { INPUT, type SpooledInput } from './spooledInput.ts';

/** How a file or stream is opened. */
export interface OpenOptions {
  /** The input for '-'. */
  readonly stdin?: AsyncIterable<Uint8Array>;
  /** Column types for CSV and NDJSON. Other formats carry their types, which must agree ("mixed" agrees with any). */
  readonly types?: DeclaredTypes;
  /**
   * The unit column of the design. Its declared type applies to CSV and NDJSON alone: for other formats the design
   * checks it, with a message about units.
   */
  readonly unit?: string;
  /**
   * How to treat an invalid record in CSV or NDJSON. With `nulls`, the format is taken from a file's name before its
   * bytes, because these may belong to a row.
   */
  readonly malformed?: Malformed;
  /** As in `TextOptions`. */
  readonly sampleRows?: number;
}

/** No other options, because callers of `openTable` may give more, which mean something else to a reader. */
type Reading = Required<Pick<OpenOptions, 'types' | 'malformed'>> & Pick<OpenOptions, 'unit' | 'sampleRows'>;

/** A table in any supported format, detected from its bytes, from a file, a named pipe, or '-' for standard input. */
export async function openTable(path: string, options: OpenOptions = {}): Promise<Table> {
  const { stdin } = options;
  const reading = readingOf(options);
  if (path === '-') {
    if (stdin === undefined)
      throw new ArgumentError('stdin must be given to open "-", got undefined', 'ERR_ARGUMENT', {
        argument: 'stdin',
        value: undefined,
      });
    return openStream(byteSource(stdin, INPUT), reading);
  }
  return openPath(path, reading);
}

/** The same for standard input that was spooled: what it cannot be as a stream, it cannot be now. */
export async function openSpooled({ path, close }: SpooledInput, options: OpenOptions): Promise<Table> {
  const reading = readingOf(options);
  try {
    const table = await openSequence(sequenceOf(INPUT, await formatOf(byteSource(path, INPUT))), path, INPUT, reading);
    return Object.freeze({
      ...table,
      close: async () => {
        await table.close();
        await close();
      },
    });
  } catch (error) {
    await close();
    throw error;
  }
}

const readingOf = ({ types = {}, unit, malformed = 'error', sampleRows }: OpenOptions): Reading => ({
  types,
  malformed,
  ...(unit !== undefined && { unit }),
  ...(sampleRows !== undefined && { sampleRows }),
});

async function openPath(path: string, reading: Reading): Promise<Table> {
  const stats = await stat(path).catch(error => {
    throw fileError(path, error);
  });
  if (stats.isDirectory()) throw fileError(path, { code: 'EISDIR' });
  const source = byteSource(path, path);
  // A pipe, such as the shell makes for <(command), cannot be read twice.
  if (!stats.isFile()) return openStream(byteSource(source.read(), path), reading);
  const named = reading.malformed === 'nulls' ? formatByName(path) : null;
  const format = named ?? (await formatOf(source));
  if (format === 'arrow-file') {
    const { openArrowFile } = await import('../arrow/openArrowFile.ts');
    return confirmTypes(await openArrowFile(path), reading);
  }
  if (format === 'parquet') {
    const { openParquet } = await import('../parquet/openParquet.ts');
    return confirmTypes(await openParquet(path), reading);
  }
  return openSequence(format, path, path, reading);
}

async function openStream(source: ByteSource, reading: Reading): Promise<Table> {
  const { name } = source;
  try {
    const format = sequenceOf(name, await formatOf(source));
    return Object.freeze({ ...(await openSequence(format, source.read(), name, reading)), isReadOnce: true });
  } catch (error) {
    await source.close();
    throw error;
  }
}

/** Refuses formats that are not read from beginning to end. */
function sequenceOf(name: string, format: Awaited<ReturnType<typeof formatOf>>): Sequence {
  if (format !== 'arrow-file' && format !== 'parquet') return format;
  throw dataError(
    { table: name },
    `${format === 'parquet' ? 'a Parquet' : 'an Arrow'} file cannot be read from a stream`,
    'save it as a file, or write an Arrow stream',
  );
}

type Sequence = 'arrow-stream' | 'csv' | 'ndjson';

/** Formats that are read from beginning to end. Readers are loaded on demand, because a command must start fast. */
async function openSequence(
  format: Sequence,
  from: string | AsyncIterable<Uint8Array>,
  name: string,
  reading: Reading,
): Promise<Table> {
  if (format === 'arrow-stream') {
    const { openArrowStream } = await import('../arrow/openArrowStream.ts');
    return confirmTypes(await openArrowStream(from, name), reading);
  }
  if (format === 'csv') return (await import('../text/openCsv.ts')).openCsv(from, { name, ...reading });
  return (await import('../text/openNdjson.ts')).openNdjson(from, { name, ...reading });
}

/** Detected from as few bytes as possible, so as not to wait for a slow stream, and from no more than a page. */
export const formatOf = async (source: ByteSource) =>
  detectFormat((await firstBytes(source.look(), 8)).subarray(0, 4096), source.name);

/** Rejects a table whose types differ from those declared. */
export async function confirmTypes(table: Table, { types, unit }: Pick<Reading, 'types' | 'unit'>): Promise<Table> {
  for (const [column, declared] of Object.entries(types)) {
    // Here a column's type is that of the schema, which no row can influence.
    if (declared === 'mixed' || column === unit) continue;
    const field = table.fields.find(({ name }) => name === column);
    if (field !== undefined && familyOf(field.kind) === familyOf(declared)) continue;
    if (field !== undefined && declared === 'text' && hasTexts(field)) continue;
    await table.close();
    const place = { table: table.name, column };
    if (field === undefined) {
      const known = table.fields.map(({ name }) => name).join(', ');
      throw dataError(place, 'has a declared type, but there is no such column', `the columns are ${known}`);
    }
    const leave = 'leave the declaration out';
    throw dataError(
      place,
      `is ${field.type}, but declared "${declared}"`,
      declared === 'text'
        ? `the format ${table.format} has its own types, and only text, whole numbers, and true and false can have levels: ${leave}, or convert the column to text with \`fromSql\`: CAST(${column} AS VARCHAR)`
        : `the format ${table.format} has its own types: ${leave}`,
    );
  }
  return leveled(
    table,
    Object.keys(types).filter(column => types[column] === 'text' && column !== unit),
  );
}

const familyOf = (kind: FieldKind): string => (['float', 'integer', 'exact'].includes(kind) ? 'number' : kind);
