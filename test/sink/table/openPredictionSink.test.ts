import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBConnection } from '@duckdb/node-api';
import { tableFromIPC } from 'apache-arrow';
import { expect } from 'chai';
import fc from 'fast-check';
import { readParquet } from 'parquet-wasm';
import { ArgumentError } from '../../../src/errors.ts';
import { normal } from '../../../src/math/random/normal.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { holdsMetadata, openPredictionSink } from '../../../src/sink/table/openPredictionSink.ts';
import { openTable } from '../../../src/source/read/openTable.ts';
import { casesOf } from '../../laws/holdsForAll.ts';

const formats = ['arrow', 'feather', 'parquet', 'csv', 'ndjson'] as const;

/** Numbers that formats get wrong: signed zeros, ends, subnormals, long decimals, large whole numbers. */
const delicate = Float64Array.of(
  0,
  -0,
  0.1 + 0.2,
  1 / 3,
  -1e21,
  123456789012345680000,
  2 ** 53 + 2,
  Number.MIN_VALUE,
  -2.225073858507201e-308,
  Number.MAX_VALUE,
  -Number.MAX_VALUE,
  5e-324,
  1.7976931348623157e308,
  4.35,
  1e-7,
);

describe('openPredictionSink', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-sink-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Writes the columns in pieces of these sizes, the last of them to the end. */
  async function write(
    path: string,
    columns: Readonly<Record<string, Float64Array>>,
    sizes: readonly number[] = [],
  ): Promise<void> {
    const values = Object.values(columns);
    const rows = values[0]!.length;
    const sink = await openPredictionSink(path, { columns: Object.keys(columns) });
    let start = 0;
    for (const size of [...sizes, rows]) {
      const count = Math.min(size, rows - start);
      // Memory that is longer than the rows, and used again.
      const borrowed = values.map(column => {
        const longer = new Float64Array(count + 1).fill(7);
        longer.set(column.subarray(start, start + count));
        return longer;
      });
      await sink.write(borrowed, count);
      for (const column of borrowed) column.fill(Number.NaN);
      start += count;
    }
    await sink.commit();
    await sink.abandon();
  }

  /** The columns as the project reads them. */
  async function read(path: string, names: readonly string[]): Promise<Record<string, number[]>> {
    const types = /\.(csv|ndjson)$/.test(path) ? Object.fromEntries(names.map(name => [name, 'float' as const])) : {};
    const table = await openTable(path, { types });
    const found = Object.fromEntries(table.fields.map(({ name }) => [name, [] as number[]]));
    for await (const frame of table.frames([...table.fields.keys()])) {
      for (const [field, { name }] of table.fields.entries()) {
        const out = new Float64Array(frame.rows);
        const missing = new Uint8Array(frame.rows);
        expect(await frame.fill({ field, start: 0, count: frame.rows, out, missing })).to.equal(0);
        for (const value of out) found[name]!.push(value);
      }
    }
    await table.close();
    return found;
  }

  /** A column as DuckDB reads it, or apache-arrow for its own format. */
  async function nulls(path: string, name: string): Promise<(number | null)[]> {
    if (/\.(arrow|feather)$/.test(path)) return [...tableFromIPC(readFileSync(path)).getChild(name)!];
    const source = path.endsWith('.csv') ? `read_csv('${path}', header = true)` : `'${path}'`;
    const connection = await DuckDBConnection.create();
    try {
      const result = await connection.runAndReadAll(`SELECT CAST(${name} AS DOUBLE) FROM ${source}`);
      return result.getColumns()[0] as (number | null)[];
    } finally {
      connection.closeSync();
    }
  }

  const same = (found: readonly number[], expected: Float64Array): void => {
    expect(found.length).to.equal(expected.length);
    expect(found.every((value, i) => Object.is(value, expected[i]))).to.equal(true);
  };

  for (const format of formats) {
    it(`gives back every double to the last bit from .${format}`, async () => {
      const path = join(folder, `p.${format}`);
      const other = delicate.toReversed();
      await write(path, { prediction: delicate, other });
      const found = await read(path, ['prediction', 'other']);
      expect(Object.keys(found)).to.deep.equal(['prediction', 'other']);
      same(found['prediction']!, delicate);
      same(found['other']!, other);

      const double = fc.double({ noNaN: true, noDefaultInfinity: true });
      await fc.assert(
        fc.asyncProperty(fc.array(double, { minLength: 1, maxLength: 40 }), async values => {
          await write(path, { x: Float64Array.from(values) });
          same((await read(path, ['x']))['x']!, Float64Array.from(values));
        }),
        { seed: 1, numRuns: casesOf(30) },
      );
    });

    it(`writes the same .${format} however the rows are handed over, in one block or more`, async () => {
      const random = seeded(1, 'sink');
      const columns = Object.fromEntries(
        ['a', 'b', 'c'].map(name => [name, Float64Array.from({ length: 100_000 }, () => normal(random))]),
      );
      const paths = [[], [1, 99, 0, 50_000], [87_381], [90_000]].map((sizes, k) => ({
        sizes,
        path: join(folder, `${k}.${format}`),
      }));
      for (const { path, sizes } of paths) await write(path, columns, sizes);
      const [first, ...others] = paths.map(({ path }) => readFileSync(path));
      for (const other of others) expect(other.equals(first!)).to.equal(true);
      const found = await read(paths[0]!.path, Object.keys(columns));
      for (const [name, values] of Object.entries(columns)) same(found[name]!, values);
    });

    it(`keeps the place of missing rows in .${format}, over more than one block`, async () => {
      const path = join(folder, `p.${format}`);
      // The block is 2^18 rows of a column: the first has nulls at both ends, the second none, the third nothing else.
      const rows = 2 ** 19 + 11;
      const isMissing = (i: number): boolean => (i < 2 ** 18 ? i % 7 === 0 || i === 2 ** 18 - 1 : i >= 2 ** 19);
      const values = new Float64Array(rows).map((_, i) => (isMissing(i) ? Infinity : i / 3));
      const marks = Uint8Array.from(values, (_, i) => (isMissing(i) ? 1 : 0));
      const sink = await openPredictionSink(path, { columns: ['x'], nullable: true });
      for (let start = 0; start < rows; start += 100_000) {
        const [part, missing] = [values, marks].map(all => all.subarray(start, start + 100_000));
        await sink.write([part as Float64Array], part!.length, missing as Uint8Array);
      }
      await sink.commit();
      const found = await nulls(path, 'x');
      expect(found).to.have.length(rows);
      expect(found.findIndex((value, i) => value !== (isMissing(i) ? null : i / 3))).to.equal(-1);
    });

    it(`shows nothing of .${format} before it is complete, and nothing of it when abandoned`, async () => {
      const path = join(folder, `p.${format}`);
      writeFileSync(path, 'before');
      const sink = await openPredictionSink(path, { columns: ['x'] });
      // More than a block, so that a part is on disk.
      await sink.write([new Float64Array(300_000)], 300_000);
      expect(readFileSync(path, 'utf8')).to.equal('before');
      expect(readdirSync(folder)).to.have.length(2);
      await sink.abandon();
      expect(readdirSync(folder)).to.deep.equal([`p.${format}`]);
      expect(readFileSync(path, 'utf8')).to.equal('before');
    });
  }

  it('writes Arrow files that apache-arrow reads', async () => {
    const path = join(folder, 'p.arrow');
    await write(path, { x: new Float64Array(600_000).map((_, i) => i / 7) });
    const table = tableFromIPC(readFileSync(path));
    expect(table.schema.fields.map(String)).to.deep.equal(['x: Float64']);
    expect(table.schema.fields[0]!.nullable).to.equal(false);
    expect(table.batches.map(({ numRows }) => numRows)).to.deep.equal([2 ** 18, 2 ** 18, 600_000 - 2 ** 19]);
    same(
      [...table.getChild('x')!],
      new Float64Array(600_000).map((_, i) => i / 7),
    );
  });

  it('writes Parquet files that another implementation reads', async () => {
    const path = join(folder, 'p.parquet');
    const columns = { 'a b': new Float64Array(300_000).map((_, i) => i / 7), é: new Float64Array(300_000) };
    await write(path, columns);
    const table = tableFromIPC(readParquet(readFileSync(path)).intoIPCStream());
    expect(table.schema.fields.map(String)).to.deep.equal(['a b: Float64', 'é: Float64']);
    same([...table.getChild('a b')!], columns['a b']);
  });

  it('writes text that a reader of the standard understands', async () => {
    const names = ['plain', 'with, comma', 'with "quotes"', ' spaces '];
    const columns = Object.fromEntries(names.map((name, j) => [name, Float64Array.of(j, -j)]));
    await write(join(folder, 'p.csv'), columns);
    expect(readFileSync(join(folder, 'p.csv'), 'utf8')).to.equal(
      'plain,"with, comma","with ""quotes"""," spaces "\n0,1,2,3\n-0,-1,-2,-3\n',
    );
    await write(join(folder, 'p.ndjson'), columns);
    const lines = readFileSync(join(folder, 'p.ndjson'), 'utf8').trimEnd().split('\n');
    expect(lines.map(line => Object.values(JSON.parse(line)))).to.deep.equal([
      [0, 1, 2, 3],
      [-0, -1, -2, -3],
    ]);
    expect(Object.keys(JSON.parse(lines[0]!))).to.deep.equal(names);
  });

  it('writes a complete file of no rows', async () => {
    for (const format of formats) {
      const path = join(folder, `none.${format}`);
      await (await openPredictionSink(path, { columns: ['x', 'y'] })).commit();
      if (format === 'ndjson') expect(readFileSync(path, 'utf8')).to.equal('');
      else expect(await read(path, ['x', 'y'])).to.deep.equal({ x: [], y: [] });
    }
  });

  it('takes the extension in any case, and refuses others with the list', async () => {
    await (await openPredictionSink(join(folder, 'P.CSV'), { columns: ['x'] })).commit();
    expect(readdirSync(folder)).to.deep.equal(['P.CSV']);
    for (const name of ['p.xlsx', 'p', 'csv', 'p.csv.gz', 'p.constructor']) {
      const error = await openPredictionSink(name, { columns: ['x'] }).catch(caught => caught);
      expect(error).to.be.instanceOf(ArgumentError);
      expect(error.message).to.equal(
        `the predictions file must end in one of .arrow, .feather, .parquet, .csv, .ndjson, got "${name}"`,
      );
    }
  });

  it('refuses columns without a name of their own, and values that are none', async () => {
    const path = join(folder, 'p.csv');
    const refusal = async (attempt: Promise<unknown>): Promise<string> =>
      attempt.then(
        () => expect.fail('it did not refuse'),
        error => {
          expect(error).to.be.instanceOf(ArgumentError);
          return error.message;
        },
      );
    expect(await refusal(openPredictionSink(path, { columns: [] }))).to.include('columns must name at least one');
    expect(await refusal(openPredictionSink(path, { columns: ['x', 'y', 'x'] }))).to.include('got "x"');
    expect(readdirSync(folder)).to.deep.equal([]);

    const sink = await openPredictionSink(path, { columns: ['x', 'y'] });
    const three = new Float64Array(3);
    await sink.write([three, three], 3);
    expect(await refusal(sink.write([three], 3))).to.include('the length of columns must be 2, got 1');
    expect(await refusal(sink.write([three, three], 4))).to.include('rows must be a whole number from 0 to 3');
    for (const value of [Number.NaN, Infinity, -Infinity]) {
      expect(await refusal(sink.write([three, Float64Array.of(0, value, 0)], 3))).to.equal(
        `y of row 4, counted from 0, must be a finite number, got ${value}`,
      );
    }
    expect(await refusal(sink.write([three, three], 3, Uint8Array.of(0, 1, 0)))).to.equal(
      'nullable must be true if rows are missing, got false',
    );
    await sink.commit();
    expect((await read(path, ['x', 'y']))['y']).to.deep.equal([0, 0, 0]);
  });

  it('refuses a folder that is not there', async () => {
    const error = await openPredictionSink(join(folder, 'none', 'p.arrow'), { columns: ['x'] }).catch(e => e);
    expect(error).to.be.instanceOf(ArgumentError);
    expect(error.message).to.include('cannot be written');
  });

  it('writes metadata where a format has a place for it, as other readers find it', async () => {
    const metadata = { 'sluice.note': 'größer', other: '' };
    const paths = formats.map(format => join(folder, `said.${format}`));
    for (const path of paths) {
      const sink = await openPredictionSink(path, { columns: ['a'], metadata });
      await sink.write([Float64Array.of(1, 2)], 2);
      await sink.commit();
    }
    expect(paths.map(holdsMetadata)).to.deep.equal([true, true, true, false, false]);
    for (const path of paths.slice(0, 2))
      expect(Object.fromEntries(tableFromIPC(readFileSync(path)).schema.metadata)).to.deep.equal(metadata);
    const duckdb = await DuckDBConnection.create();
    const found = await duckdb.runAndReadAll(
      `SELECT decode(key), decode(value) FROM parquet_kv_metadata('${paths[2]}')`,
    );
    duckdb.closeSync();
    expect(Object.fromEntries(found.getRows())).to.deep.equal(metadata);
    const rows = await openTable(paths[2]!);
    expect(rows.rows).to.equal(2);
    await rows.close();
  });
});
