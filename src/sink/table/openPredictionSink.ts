import { extname } from 'node:path';
import { refuse, requireInteger, requireLength } from '../../errors.ts';
import { openWhole } from '../../files.ts';
import type { EncoderOptions, Piece, TableEncoder } from './tableEncoder.ts';

/** A table file that is written column by column, and appears when it is complete. */
export interface PredictionSink {
  /**
   * Writes the first `rows` values of every column; the columns may be changed once this resolves. Rows marked 1 in
   * `missing` have no values. Calls must not overlap.
   */
  write(columns: readonly Float64Array[], rows: number, missing?: Uint8Array): Promise<void>;
  /** Completes the file and moves it to its final name. */
  commit(): Promise<void>;
  /** Removes all traces of the file; no effect after a commit. */
  abandon(): Promise<void>;
}

/** Formats are loaded on demand, because a command must start fast. */
const encoders: Readonly<Record<string, (options: EncoderOptions) => Promise<TableEncoder>>> = {
  '.arrow': async options => (await import('./arrowEncoder.ts')).arrowEncoder(options),
  '.feather': async options => (await import('./arrowEncoder.ts')).arrowEncoder(options),
  '.parquet': async options => (await import('./parquetEncoder.ts')).parquetEncoder(options),
  '.csv': async options => (await import('./textEncoders.ts')).csvEncoder(options),
  '.ndjson': async options => (await import('./textEncoders.ts')).ndjsonEncoder(options),
};

const formatOf = (path: string): string => extname(path).toLowerCase();

/** Rejects a name whose extension is not a format that can be written. */
export function requireTableFile(name: string, path: string): void {
  if (!(formatOf(path) in encoders)) refuse(name, `end in one of ${Object.keys(encoders).join(', ')}`, path);
}

/** Numbers per block: 2 MB, a quarter of a million rows of one column. */
const BLOCK_NUMBERS = 2 ** 18;

/** The columns of a table file. */
export interface SinkOptions {
  /** Their names. */
  readonly columns: readonly string[];
  /** Whether values may be missing, which the file's schema records. */
  readonly nullable?: boolean;
  /** Stored in Arrow and Parquet files beside the schema; CSV and NDJSON cannot store it. */
  readonly metadata?: Readonly<Record<string, string>>;
}

/** Whether the format of a file with this name can store metadata. */
export const holdsMetadata = (path: string): boolean => !['.csv', '.ndjson'].includes(formatOf(path));

/**
 * A file of predictions, one row each, written as they are made: memory holds one block of rows, and the file appears
 * when it is complete.
 *
 * Opens a file of named columns, in the format given by its extension.
 */
export async function openPredictionSink(
  path: string,
  { columns: names, nullable = false, metadata = {} }: SinkOptions,
): Promise<PredictionSink> {
  requireTableFile('the predictions file', path);
  const makeEncoder = encoders[formatOf(path)]!;
  if (names.length === 0) refuse('columns', 'name at least one column', names);
  const repeated = names.find((name, j) => names.indexOf(name) < j);
  if (repeated !== undefined) refuse('columns', 'have different names', repeated);
  const encoder = await makeEncoder({ names, nullable, metadata });
  const file = await openWhole(path);

  // Blocks of a fixed size, so that the bytes of a file do not depend on how its rows were passed in.
  const capacity = Math.max(1, Math.floor(BLOCK_NUMBERS / names.length));
  const block = names.map(() => new Float64Array(capacity));
  let held = 0;
  let written = 0;
  let begun = false;

  const put = async (pieces: readonly Piece[]): Promise<void> => {
    for (const piece of pieces) await file.write(piece);
  };
  const begin = async (): Promise<void> => {
    if (!begun) await put(encoder.begin());
    begun = true;
  };
  const flush = async (): Promise<void> => {
    await begin();
    if (held > 0) await put(encoder.encode(block.map(column => column.subarray(0, held))));
    written += held;
    held = 0;
  };

  return Object.freeze({
    async write(columns: readonly Float64Array[], rows: number, missing?: Uint8Array) {
      requireLength('columns', columns, names.length);
      if (missing !== undefined && !nullable) refuse('nullable', 'be true if rows are missing', nullable);
      columns.forEach((column, j) => {
        requireInteger('rows', rows, 0, column.length);
        const bad = column.subarray(0, rows).findIndex((value, i) => !Number.isFinite(value) && missing?.[i] !== 1);
        if (bad >= 0)
          refuse(`${names[j]} of row ${written + held + bad}, counted from 0,`, 'be a finite number', column[bad]);
      });
      for (let done = 0; done < rows; ) {
        const taken = Math.min(rows - done, capacity - held);
        columns.forEach((column, j) => {
          block[j]!.set(column.subarray(done, done + taken), held);
          for (let i = 0; i < taken; i++) if (missing?.[done + i] === 1) block[j]![held + i] = Number.NaN;
        });
        held += taken;
        done += taken;
        if (held === capacity) await flush();
      }
    },
    async commit() {
      await flush();
      await put(encoder.end());
      await file.commit();
    },
    abandon: () => file.abandon(),
  });
}
