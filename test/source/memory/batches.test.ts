import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  makeData,
  makeVector,
  RecordBatchFileWriter,
  Table,
  TimestampNanosecond,
  tableFromArrays,
  tableToIPC,
  vectorFromArray,
} from 'apache-arrow';
import { expect } from 'chai';
import fc from 'fast-check';
import { Table as WasmTable, writeParquet } from 'parquet-wasm/node';
import { samplesOf } from '../../../src/sample/samples.ts';
import { openArrowFile } from '../../../src/source/arrow/openArrowFile.ts';
import { batches } from '../../../src/source/memory/batches.ts';
import { tablesInPlace } from '../../../src/source/memory/memoryTables.ts';
import { openRows } from '../../../src/source/read/openRows.ts';
import { casesOf } from '../../laws/holdsForAll.ts';
import { anyTypedTable, words } from '../../support/anyTable.ts';
import { contentsOf } from '../../support/arrowTables.ts';

async function allOf<T>(values: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const value of values) all.push(value);
  return all;
}

describe('batches', () => {
  let folder: string;
  const file = (name: string, bytes: string | Uint8Array): string => {
    const path = join(folder, name);
    writeFileSync(path, bytes);
    return path;
  };
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-batches-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  it('have what the file has, whatever its columns', async () => {
    const options = { levels: words };
    await fc.assert(
      fc.asyncProperty(anyTypedTable, async table => {
        const path = file('any.arrow', new RecordBatchFileWriter().writeAll(table).toUint8Array(true));
        const expected = await contentsOf(await openArrowFile(path), options);
        const tables = tablesInPlace('t', await allOf(batches(path)));
        expect(tables.length).to.be.at.most(1);
        if (tables.length === 1)
          expect((await contentsOf(tables[0]!, options)).columns).to.deep.equal(expected.columns);
        else expect(expected.rows.reduce((sum, rows) => sum + rows, 0)).to.equal(0);
      }),
      { seed: 9, numRuns: casesOf(150) },
    );
  });

  it('give a fit the bits of the file, also for texts and codes with levels, in every format', async () => {
    const nanoseconds = BigInt64Array.of(1_700_000_000_123_456_789n, 0n, 1n, -1n, 1_234_567_891n, 10n ** 18n + 7n);
    const table = new Table({
      town: vectorFromArray(['Ulm', null, 'Åbo', 'x'.repeat(500), 'Ulm', 'Rom']),
      code: vectorFromArray([1n, 2n, 3n, 1n, 2n, 3n]),
      when: makeVector(makeData({ type: new TimestampNanosecond(), data: nanoseconds })),
      flag: vectorFromArray([true, false, null, true, false, true]),
      a: makeVector(Float64Array.of(0.1, NaN, 3, 4, 5, 1e300)),
      y: makeVector(Int32Array.of(1, 2, 3, 4, 5, -6)),
    });
    const lines = table.toArray().map(row => {
      const { town, code, flag, a, y } = row.toJSON();
      return [town ?? '', code, flag ?? '', Number.isNaN(a) ? '' : a, y].join(',');
    });
    const paths = {
      arrow: file('t.arrow', tableToIPC(table, 'file')),
      parquet: file('t.parquet', writeParquet(WasmTable.fromIPCStream(tableToIPC(table, 'stream')))),
      csv: file('t.csv', `town,code,flag,a,y\n${lines.join('\n')}\n`),
    };
    const categorical = { town: ['Rom', 'Ulm', 'x'.repeat(500)], code: ['2', '3'] };
    for (const [format, path] of Object.entries(paths)) {
      const types = format === 'csv' ? { code: 'text' as const } : {};
      const features = ['town', 'code', 'flag', 'a', ...(format === 'csv' ? [] : ['when'])];
      const options = { target: 'y', features, categorical, nulls: 'skip', knownLevels: {} } as const;
      const read = async (source: Parameters<typeof openRows>[0]) => {
        const samples = await openRows(source, options);
        const rows = (await allOf(samples.batches())).map(({ columns, target, weights }) =>
          [...columns, target, weights!].map(values => [...values]),
        );
        await samples.close();
        return { rows, levels: samples.levels(), names: samples.design.features.map(({ name }) => name) };
      };
      expect(await read(batches(path, { types })), format).to.deep.equal(await read(path));
    }
  });

  it('are of the types of the source, as far as those are simple', async () => {
    const table = tableFromArrays({
      a: Int32Array.of(1),
      b: Uint32Array.of(2 ** 32 - 1),
      c: BigInt64Array.of(3n),
      d: ['x'],
    });
    const [batch] = await allOf(batches(table));
    expect(batch!.schema.fields.map(({ type }) => String(type))).to.deep.equal([
      'Int32',
      'Uint32',
      'Int64',
      'Dictionary<Int32, Utf8>',
    ]);
    expect(batch!.get(0)!.toJSON()).to.deep.equal({ a: 1, b: 2 ** 32 - 1, c: 3n, d: 'x' });
    const csv = file('plain.csv', 'n,t,flag\n1,2020-01-01,true\n,,\n');
    const [, ...rest] = await allOf(batches(csv));
    expect(rest).to.have.length(0);
    const [first] = await allOf(batches(csv));
    expect(first!.toArray().map(row => row!.toJSON())).to.deep.equal([
      { n: 1, t: Date.UTC(2020, 0, 1), flag: true },
      { n: null, t: null, flag: null },
    ]);
  });

  it('hold the columns that are named, in their order, and stay valid', async () => {
    const path = file('many.csv', `a,b,c\n${Array.from({ length: 70_000 }, (_, i) => `${i},x,${-i}`).join('\n')}\n`);
    const all = await allOf(batches(path, { columns: ['c', 'a'] }));
    expect(all.length).to.be.above(1);
    // This file is loaded as CommonJS, with another copy of apache-arrow.
    const table = new (await import('apache-arrow')).Table(all);
    expect(table.schema.fields.map(({ name }) => name)).to.deep.equal(['c', 'a']);
    expect([table.numRows, table.get(1)!['a'], table.get(69_999)!['c']]).to.deep.equal([70_000, 1, -69_999]);
    const failure = await allOf(batches(path, { columns: ['d'] })).catch(error => error.message);
    expect(failure).to.include('has no column "d"; its columns are a, b, c');
  });

  it('of Samples have their features, target and weights', async () => {
    const batch = {
      rows: 2,
      columns: [Float64Array.of(1, 2)],
      target: Float64Array.of(3, 4),
      weights: Float64Array.of(1, 0),
    };
    const [only] = await allOf(batches(samplesOf(batch)));
    expect(only!.toArray().map(row => row!.toJSON())).to.deep.equal([
      { x1: 1, y: 3, weights: 1 },
      { x1: 2, y: 4, weights: 0 },
    ]);
  });

  it('end with the reason of a signal', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    const failure = await allOf(batches({ a: [1] }, { signal })).catch(error => error.message);
    expect(failure).to.equal('enough');
  });
});
