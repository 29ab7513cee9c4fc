import { createReadStream, openAsBlob } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { Table } from '@uwdata/flechette';

/** Where a reader puts the cells of a file, in order of rows, as it gives them. */
export interface Sink {
  /** The columns that are wanted, or all if there are none. */
  readonly wanted: readonly string[];
  /** Further cells of a column. A null or undefined cell, or one whose `missing` is 1, has no value. */
  column(name: string, cells: ArrayLike<unknown>, missing?: Uint8Array): void;
}

export type Format = 'parquet' | 'arrow' | 'csv';

/** Reads a file from first to last, throwing what the library throws. */
export type Read = (path: string, sink: Sink) => Promise<void>;

export interface Contender {
  readonly name: string;
  readonly format: Format;
  /** Whether it fills memory that is used again, as a kernel needs; others' columns are copied to such memory. */
  readonly fills?: boolean;
  /** Imports the library, and no other, so that a process holds what it uses. */
  load(): Promise<Read>;
}

/** Every reader that is compared. Sluice is the package built into `dist`, whose threads need no compiler. */
export const contenders = (dist: string): readonly Contender[] => [
  { name: 'Sluice', format: 'parquet', fills: true, load: () => sluiceTable(dist) },
  { name: 'Sluice, 2 threads', format: 'parquet', fills: true, load: () => sluiceThreads(dist) },
  { name: 'hyparquet', format: 'parquet', load: () => hyparquet({ isNative: false }) },
  { name: 'hyparquet, native codecs', format: 'parquet', load: () => hyparquet({ isNative: true }) },
  { name: 'parquet-wasm', format: 'parquet', load: parquetWasm },
  { name: 'DuckDB, 1 thread', format: 'parquet', load: () => duckdb(1) },
  { name: 'DuckDB, 2 threads', format: 'parquet', load: () => duckdb(2) },
  { name: 'Sluice', format: 'arrow', fills: true, load: () => sluiceTable(dist) },
  { name: 'flechette', format: 'arrow', load: flechetteFile },
  { name: 'apache-arrow', format: 'arrow', load: apacheArrow },
  { name: 'Sluice', format: 'csv', fills: true, load: () => sluiceTable(dist) },
  { name: 'uDSV', format: 'csv', load: udsv },
  { name: 'papaparse', format: 'csv', load: papaparse },
  { name: 'csv-parse', format: 'csv', load: csvParse },
  { name: 'DuckDB, 1 thread', format: 'csv', load: () => duckdb(1) },
];

const sluiceIn = async (dist: string): Promise<typeof import('../../src/source/index.ts')> => import(dist);

/** Rows that Sluice is asked for at once. */
const SLOT = 16_384;

/** Frame by frame on the calling thread, every column into memory that is used again. */
async function sluiceTable(dist: string): Promise<Read> {
  const { openTable } = await sluiceIn(dist);
  return async (path, { wanted, column }) => {
    const table = await openTable(path);
    try {
      const fields = table.fields.flatMap((field, index) =>
        wanted.length === 0 || wanted.includes(field.name) ? [{ ...field, index }] : [],
      );
      const slots = fields.map(() => ({ out: new Float64Array(SLOT), missing: new Uint8Array(SLOT) }));
      const texts = fields.map(() => [] as string[]);
      for await (const frame of table.frames(fields.map(({ index }) => index))) {
        for (let start = 0; start < frame.rows; start += SLOT) {
          const count = Math.min(SLOT, frame.rows - start);
          // All columns at once, so that reads from disk are gathered.
          const filled = fields.map(async ({ index, kind, width }, k): Promise<ArrayLike<unknown>> => {
            const { out, missing } = slots[k]!;
            const request = { field: index, start, count, out, missing };
            missing.fill(0);
            if (kind === 'text') {
              await frame.discoverLevels({ ...request, levels: texts[k]!, most: Infinity });
              return Array.from(out.subarray(0, count), level => texts[k]![level]);
            }
            if (kind === 'vector') {
              const vectors = Array.from({ length: count }, () => [] as number[]);
              for (let element = 0; element < width; element++) {
                missing.fill(0);
                await frame.fill({ ...request, element });
                for (let i = 0; i < count; i++) vectors[i]!.push(out[i]!);
              }
              return vectors;
            }
            await frame.fill(request);
            return out.subarray(0, count);
          });
          for (const [k, cells] of (await Promise.all(filled)).entries())
            column(fields[k]!.name, cells, slots[k]!.missing);
        }
      }
    } finally {
      await table.close();
    }
  };
}

/** As a fit reads: columns decoded by another thread into shared memory. */
async function sluiceThreads(dist: string): Promise<Read> {
  const { openRows } = await sluiceIn(dist);
  return async (path, { column }) => {
    const samples = await openRows(path, { target: 'y', threads: 2 });
    try {
      for await (const { rows, columns, target } of samples.batches()) {
        for (const [k, values] of columns.entries()) column(`x${k}`, values.subarray(0, rows));
        column('y', target.subarray(0, rows));
      }
    } finally {
      await samples.close();
    }
  };
}

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

/** Of native code, where a package that needs neither compiler nor download has it. */
async function nativeCodecs() {
  const [{ uncompressSync }, { Decoder }, lz4] = await Promise.all([
    import('snappy'),
    import('./nativeZstd.ts'),
    import('lz4-napi'),
  ]);
  const zstd = new Decoder();
  return {
    snappy: (input: Uint8Array) => uncompressSync(bufferOf(input)) as Buffer,
    zstd: (input: Uint8Array) => zstd.decodeSync(bufferOf(input)),
    lz4Frame: (input: Uint8Array) => lz4.decompressFrameSync(bufferOf(input)),
    /** lz4-napi expects the length before the block. */
    lz4Block: (input: Uint8Array, length: number) => {
      const sized = Buffer.alloc(input.length + 4);
      sized.writeUInt32LE(length);
      sized.set(input, 4);
      return lz4.uncompressSync(sized);
    },
  };
}

/** Row group by row group and page by page, which takes the least memory and does not build rows. */
async function hyparquet({ isNative }: { readonly isNative: boolean }): Promise<Read> {
  const { asyncBufferFromFile, parquetMetadataAsync, parquetRead } = await import('hyparquet');
  const native = await nativeCodecs();
  const compressors = {
    ...(isNative && { SNAPPY: native.snappy }),
    ZSTD: native.zstd,
    LZ4_RAW: native.lz4Block,
    GZIP: (input: Uint8Array) => gunzipSync(input),
    BROTLI: (input: Uint8Array) => brotliDecompressSync(input),
  };
  // Its dates have milliseconds only.
  const parsers = {
    timestampFromMilliseconds: (count: bigint) => Number(count) / 1e3,
    timestampFromMicroseconds: (count: bigint) => Number(count) / 1e6,
    timestampFromNanoseconds: (count: bigint) => Number(count) / 1e9,
    dateFromDays: (days: number) => 86400 * days,
  };
  return async (path, { wanted, column }) => {
    const file = await asyncBufferFromFile(path);
    const metadata = await parquetMetadataAsync(file);
    let rowStart = 0;
    for (const { num_rows } of metadata.row_groups) {
      const rowEnd = rowStart + Number(num_rows);
      await parquetRead({
        file,
        metadata,
        rowStart,
        rowEnd,
        compressors,
        parsers,
        ...(wanted.length > 0 && { columns: [...wanted] }),
        onPage: ({ pathInSchema, columnData }) => column(pathInSchema[0]!, columnData),
      });
      rowStart = rowEnd;
    }
  };
}

/** Row group by row group, from Rust's memory to Arrow's format to columns. */
async function parquetWasm(): Promise<Read> {
  const [{ ParquetFile }, { tableFromIPC }] = await Promise.all([
    import('parquet-wasm/node'),
    import('@uwdata/flechette'),
  ]);
  return async (path, sink) => {
    const file = await ParquetFile.fromFile(await openAsBlob(path));
    for (let group = 0; group < file.metadata().numRowGroups(); group++) {
      const table = await file.read({
        rowGroups: [group],
        ...(sink.wanted.length > 0 && { columns: [...sink.wanted] }),
      });
      takeColumns(tableFromIPC(table.intoIPCStream(), { useBigInt: true }), sink);
    }
  };
}

async function duckdb(threads: number): Promise<Read> {
  const { DuckDBConnection } = await import('@duckdb/node-api');
  return async (path, { column }) => {
    const connection = await DuckDBConnection.create();
    await connection.run(`SET threads = ${threads}`);
    // With its default of 1 MB, rows are decoded by one thread.
    await connection.run("SET streaming_buffer_size = '100MB'");
    const result = await connection.stream(`FROM '${path}'`);
    const names = result.columnNames();
    for (let chunk = await result.fetchChunk(); chunk?.rowCount; chunk = await result.fetchChunk()) {
      for (const [k, name] of names.entries()) {
        const vector = chunk.getColumnVector(k) as { items?: Float64Array; toArray(): unknown[] };
        const cells = vector.items instanceof Float64Array ? vector.items : vector.toArray();
        column(name, cells);
      }
    }
    connection.closeSync();
  };
}

/** Batch by batch from the open file. */
async function apacheArrow(): Promise<Read> {
  const { CompressionType, compressionRegistry, DataType, RecordBatchReader } = await import('apache-arrow');
  const native = await nativeCodecs();
  compressionRegistry.set(CompressionType.ZSTD, { decode: native.zstd });
  compressionRegistry.set(CompressionType.LZ4_FRAME, { decode: native.lz4Frame });
  return async (path, { wanted, column }) => {
    const file = await open(path);
    try {
      for await (const batch of await RecordBatchReader.from(file)) {
        for (const { name, type } of batch.schema.fields) {
          if (wanted.length > 0 && !wanted.includes(name)) continue;
          const vector = batch.getChild(name)!;
          const { values } = vector.data[0]!;
          const isPlain = values instanceof Float64Array && vector.nullCount === 0;
          if (isPlain) column(name, values.subarray(0, batch.numRows));
          else if (DataType.isDecimal(type)) column(name, [...vector].map(scaledBy(type.scale)));
          else column(name, [...vector]);
        }
      }
    } finally {
      await file.close();
    }
  };
}

/** apache-arrow gives the digits of decimals alone. */
const scaledBy =
  (scale: number) =>
  (digits: unknown): number | null =>
    digits === null ? null : Number(`${digits}e${-scale}`);

/** The whole file at once, which is the only way. */
async function flechetteFile(): Promise<Read> {
  const { CompressionType, setCompressionCodec, tableFromIPC } = await import('@uwdata/flechette');
  const native = await nativeCodecs();
  const encode = (): never => {
    throw new Error('nothing is written');
  };
  setCompressionCodec(CompressionType.ZSTD, { decode: native.zstd, encode });
  setCompressionCodec(CompressionType.LZ4_FRAME, { decode: native.lz4Frame, encode });
  return async (path, sink) => takeColumns(tableFromIPC(await readFile(path), { useBigInt: true }), sink);
}

function takeColumns(table: Table, { wanted, column }: Sink): void {
  for (const name of table.names) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    for (const batch of table.getChild(name)!.data) {
      const { values, nullCount, length } = batch;
      const isPlain = values instanceof Float64Array && nullCount === 0;
      column(name, isPlain ? values.subarray(0, length) : [...batch]);
    }
  }
}

/** Rows that are handed on at once, so that the cost is the library's. */
const ROWS = 1024;

/** Gathers rows by columns. */
function byColumns(names: readonly string[], { wanted, column }: Sink) {
  const taken = names.flatMap((name, k) => (wanted.length === 0 || wanted.includes(name) ? [k] : []));
  const cells = taken.map(() => new Array<unknown>(ROWS));
  let rows = 0;
  const flush = (): void => {
    for (const [j, k] of taken.entries()) column(names[k]!, cells[j]!.slice(0, rows));
    rows = 0;
  };
  const add = (row: ArrayLike<unknown>): void => {
    for (const [j, k] of taken.entries()) cells[j]![rows] = row[k];
    if (++rows === ROWS) flush();
  };
  return { add, flush };
}

/** By the names of the header, with numbers recognised, and its first complaint as an error. */
async function papaparse(): Promise<Read> {
  const { default: Papa } = await import('papaparse');
  return async (path, sink) => {
    let rows: ReturnType<typeof byColumns> | undefined;
    await new Promise<void>((resolve, reject) => {
      Papa.parse<Record<string, unknown>>(createReadStream(path), {
        header: true,
        dynamicTyping: true,
        skipEmptyLines: true,
        chunk: ({ data, errors: [complaint], meta }) => {
          if (complaint !== undefined) reject(new Error(`${complaint.message} (row ${complaint.row})`));
          rows ??= byColumns(meta.fields!, sink);
          for (const row of data) rows.add(Object.values(row));
        },
        complete: () => resolve(),
        error: reject,
      });
    });
    rows?.flush();
  };
}

/** With numbers recognised. */
async function csvParse(): Promise<Read> {
  const { parse } = await import('csv-parse');
  return async (path, sink) => {
    let rows: ReturnType<typeof byColumns> | undefined;
    for await (const row of createReadStream(path).pipe(parse({ bom: true, cast: true }))) {
      if (rows === undefined) rows = byColumns(row, sink);
      else rows.add(row);
    }
    rows?.flush();
  };
}

/** With types inferred from the first piece. */
async function udsv(): Promise<Read> {
  const { inferSchema, initParser } = await import('udsv');
  return async (path, sink) => {
    let parser: ReturnType<typeof initParser> | undefined;
    let rows: ReturnType<typeof byColumns> | undefined;
    for await (const piece of createReadStream(path, { encoding: 'utf8', highWaterMark: 2 ** 18 })) {
      parser ??= initParser(inferSchema(piece));
      rows ??= byColumns(
        parser.schema.cols.map(({ name }) => name),
        sink,
      );
      const { add } = rows;
      parser.chunk<unknown[]>(piece, parser.typedArrs, row => add(row));
    }
    parser?.end();
    rows?.flush();
  };
}
