import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBConnection } from '@duckdb/node-api';
import { CompressionType, setCompressionCodec, tableFromIPC, tableToIPC } from '@uwdata/flechette';
import lz4 from 'lz4-napi';
import { readParquet } from 'parquet-wasm/node';
import type { Format } from './contenders.ts';
import { Encoder } from './nativeZstd.ts';

export interface BenchFile {
  readonly name: string;
  readonly format: Format;
  readonly path: string;
  /** Whether cells are without value, which the contenders that only take doubles cannot tell. */
  readonly hasNulls: boolean;
}

const FEATURES = Array.from({ length: 19 }, (_, k) => `x${k}`);

/** The files to be read: 20 columns of doubles in Parquet and Arrow, and 10 in half as many rows of CSV. */
export async function makeFiles(folder: string, rows: number): Promise<readonly BenchFile[]> {
  mkdirSync(folder, { recursive: true });
  const connection = await DuckDBConnection.create();
  // One thread and a seed, so that the same rows are written every time.
  await connection.run('SET threads = 1');
  const copy = async (name: string, cell: string, names: readonly string[], count: number, how: string) => {
    const path = join(folder, name);
    if (!existsSync(path)) {
      await connection.run('SELECT setseed(0.5)');
      const cells = names.map(column => `${cell} AS ${column}`).join(', ');
      await connection.run(`COPY (SELECT ${cells} FROM range(${count})) TO '${path}.part' (${how})`);
      renameSync(`${path}.part`, path);
    }
    return path;
  };
  const columns = [...FEATURES, 'y'];
  const parquet = (name: string, cell: string, codec: string) =>
    copy(name, cell, columns, rows, `FORMAT parquet, COMPRESSION ${codec}`);
  const file = (name: string, format: Format, path: string, hasNulls = false): BenchFile => ({
    name,
    format,
    path,
    hasNulls,
  });
  const digits = 'round(2000 * random() - 1000) / 10';
  const snappy = await parquet('all.snappy.parquet', '2 * random() - 1', 'snappy');
  const few = await parquet('few.snappy.parquet', digits, 'snappy');
  const files = [
    file('Parquet, snappy', 'parquet', snappy),
    file('Parquet, zstd', 'parquet', await parquet('all.zstd.parquet', '2 * random() - 1', 'zstd')),
    file('Parquet, snappy, dictionary', 'parquet', few),
    file('Parquet, zstd, dictionary', 'parquet', await parquet('few.zstd.parquet', digits, 'zstd')),
    file(
      'Parquet, snappy, 5 % null',
      'parquet',
      await parquet('null.snappy.parquet', 'CASE WHEN random() < 0.05 THEN NULL ELSE 2 * random() - 1 END', 'snappy'),
      true,
    ),
    file('Arrow', 'arrow', ipc(snappy, join(folder, 'all.arrow'), 65_536)),
    file('Arrow, batches of 1,024 rows', 'arrow', ipc(snappy, join(folder, 'small.arrow'), 1024)),
    file('Arrow, lz4, few digits', 'arrow', ipc(few, join(folder, 'few.lz4.arrow'), 65_536, CompressionType.LZ4_FRAME)),
    file('Arrow, zstd, few digits', 'arrow', ipc(few, join(folder, 'few.zstd.arrow'), 65_536, CompressionType.ZSTD)),
    file(
      'CSV, few digits',
      'csv',
      await copy('half.csv', digits, columns.slice(-10), Math.ceil(rows / 2), 'FORMAT csv, HEADER'),
    ),
    file(
      'CSV, all digits',
      'csv',
      await copy('all.csv', '2 * random() - 1', columns.slice(-10), Math.ceil(rows / 2), 'FORMAT csv, HEADER'),
    ),
  ];
  connection.closeSync();
  return files;
}

/** A Parquet file's rows as an Arrow file, in batches of at most so many rows. */
function ipc(
  parquet: string,
  path: string,
  batchSize: number,
  codec?: (typeof CompressionType)[keyof typeof CompressionType],
): string {
  if (existsSync(path)) return path;
  const decode = (): never => {
    throw new Error('nothing is read');
  };
  const zstd = new Encoder(3);
  setCompressionCodec(CompressionType.ZSTD, { encode: bytes => zstd.encodeSync(Buffer.from(bytes)), decode });
  setCompressionCodec(CompressionType.LZ4_FRAME, {
    encode: bytes => lz4.compressFrameSync(Buffer.from(bytes)),
    decode,
  });
  const table = tableFromIPC(readParquet(readFileSync(parquet), { batchSize }).intoIPCStream());
  writeFileSync(path, tableToIPC(table, { format: 'file', ...(codec !== undefined && { codec }) })!);
  return path;
}
