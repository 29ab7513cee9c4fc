import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBConnection } from '@duckdb/node-api';
import { tableFromArrays, tableFromIPC, tableToIPC } from 'apache-arrow';
import { expect } from 'chai';
import { Compression, Table as WasmTable, WriterPropertiesBuilder, writeParquet } from 'parquet-wasm/node';
import { fitRows } from '../../src/fit/fitRows.ts';
import { normal } from '../../src/math/random/normal.ts';
import { seeded } from '../../src/math/random/seeded.ts';
import { studentT } from '../../src/math/random/studentT.ts';
import { openRows } from '../../src/source/read/openRows.ts';

const rows = 3000;
const random = seeded('formats', 'data');
const a = Float64Array.from({ length: rows }, () => normal(random));
const b = Float64Array.from({ length: rows }, () => Math.round(10 * normal(random)) / 8);
const y = a.map((value, i) => value - 2 * b[i]! + studentT(random, 3));

/** The same table in every format, codec and writer at hand must give the same bits. */
describe('an estimate', () => {
  let folder: string;
  let expected: number[];
  const file = (name: string): string => join(folder, name);
  const thetaOf = async (path: string): Promise<number[]> => {
    const samples = await openRows(path, { target: 'y' });
    try {
      return [...(await fitRows(samples)).fit.theta];
    } finally {
      await samples.close();
    }
  };
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-formats-'));
    writeFileSync(file('table.arrow'), tableToIPC(tableFromArrays({ a, b, y }), 'file'));
    expected = await thetaOf(file('table.arrow'));
    expect(expected[0]).to.be.closeTo(1, 0.15);
    expect(expected[1]).to.be.closeTo(-2, 0.15);
  });
  after(() => rmSync(folder, { recursive: true }));

  it('is the same from an Arrow stream, CSV and NDJSON', async () => {
    writeFileSync(file('table.arrows'), tableToIPC(tableFromArrays({ a, b, y }), 'stream'));
    writeFileSync(file('table.csv'), `a,b,y\n${Array.from(a, (value, i) => `${value},${b[i]},${y[i]}`).join('\n')}\n`);
    const objects = Array.from(a, (value, i) => JSON.stringify({ y: y[i], a: value, b: b[i] }));
    writeFileSync(file('table.ndjson'), `${objects.join('\n')}\n`);
    expect(await thetaOf(file('table.arrows'))).to.deep.equal(expected);
    expect(await thetaOf(file('table.csv'))).to.deep.equal(expected);
    const samples = await openRows(file('table.ndjson'), { target: 'y', features: ['a', 'b'] });
    expect([...(await fitRows(samples)).fit.theta]).to.deep.equal(expected);
    await samples.close();
  });

  it("is the same from DuckDB's Parquet files with every codec, in small row groups and large", async () => {
    const connection = await DuckDBConnection.create();
    await connection.run(`CREATE TABLE t AS SELECT * FROM read_csv('${file('table.csv')}')`);
    for (const codec of ['uncompressed', 'snappy', 'gzip', 'zstd', 'brotli', 'lz4_raw']) {
      for (const size of [2048, 100_000]) {
        const path = file(`duckdb-${codec}-${size}.parquet`);
        await connection.run(`COPY t TO '${path}' (FORMAT parquet, COMPRESSION ${codec}, ROW_GROUP_SIZE ${size})`);
        expect(await thetaOf(path), path).to.deep.equal(expected);
      }
    }
    connection.closeSync();
  });

  it("is the same from parquet-wasm's files with every codec", async () => {
    const table = () =>
      WasmTable.fromIPCStream(tableToIPC(tableFromIPC(tableToIPC(tableFromArrays({ a, b, y }))), 'stream'));
    for (const codec of ['UNCOMPRESSED', 'SNAPPY', 'GZIP', 'ZSTD', 'BROTLI', 'LZ4_RAW'] as const) {
      const properties = new WriterPropertiesBuilder().setCompression(Compression[codec]).build();
      const path = file(`wasm-${codec}.parquet`);
      writeFileSync(path, writeParquet(table(), properties));
      expect(await thetaOf(path), path).to.deep.equal(expected);
    }
  });
});
