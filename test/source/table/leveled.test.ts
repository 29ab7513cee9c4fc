import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBConnection } from '@duckdb/node-api';
import { Bool, Int64, Table as Rows, tableToIPC, vectorFromArray } from 'apache-arrow';
import { expect } from 'chai';
import { gather } from '../../../src/sample/gather.ts';
import { openRows } from '../../../src/source/read/openRows.ts';
import { type TableSamples, tableSamples } from '../../../src/source/read/tableSamples.ts';
import { openSql } from '../../../src/source/sql/openSql.ts';

const codes = [7, -1, 30, 7, null, -1];
const flags = [true, false, null, true, false, true];
const query = `SELECT i AS y, [7, -1, 30, 7, NULL, -1][i + 1]::BIGINT AS code, [true, false, NULL, true, false, true][i + 1] AS flag,
  (i + 0.5)::DECIMAL(9, 2) AS price FROM range(6) t(i)`;

describe('levels of whole numbers, and of true and false', () => {
  let folder: string;
  const file = (name: string): string => join(folder, name);
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-leveled-'));
    const duckdb = await DuckDBConnection.create();
    await duckdb.run(`COPY (${query}) TO '${file('a.parquet')}'`);
    await duckdb.run(`COPY (SELECT i % 64 AS code, i AS y FROM range(70000) t(i)) TO '${file('long.parquet')}'`);
    duckdb.closeSync();
    const rows = new Rows({
      y: vectorFromArray([0, 1, 2, 3, 4, 5]),
      code: vectorFromArray(
        codes.map(code => (code === null ? null : BigInt(code))),
        new Int64(),
      ),
      flag: vectorFromArray(flags, new Bool()),
    });
    writeFileSync(file('a.arrow'), tableToIPC(rows, 'file'));
    writeFileSync(
      file('a.csv'),
      `y,code,flag\n${codes.map((code, i) => `${i},${code ?? ''},${flags[i] ?? ''}`).join('\n')}\n`,
    );
  });
  after(() => rmSync(folder, { recursive: true }));

  const options = {
    target: 'y',
    features: ['code', 'flag'],
    categorical: { code: ['-1', '7'], flag: ['true'] },
    nulls: 'skip',
    knownLevels: {},
  } as const;
  async function read(samples: TableSamples) {
    const { columns, weights } = await gather(samples.batches(), samples.rows, samples.features);
    const found = {
      names: samples.design.features.map(({ name }) => name),
      columns: columns.map(column => [...column]),
      weights: [...weights!],
      levels: samples.levels(),
    };
    await samples.close();
    return found;
  }

  it('are the same in every format', async () => {
    const expected = await read(await openRows(file('a.csv'), options));
    expect(expected).to.deep.include({
      names: ['code=-1', 'code=7', 'flag=true'],
      columns: [
        [0, 1, 0, 0, 0, 1],
        [1, 0, 0, 1, 0, 0],
        [1, 0, 0, 1, 0, 1],
      ],
      weights: [1, 1, 0, 1, 0, 1],
    });
    for (const name of ['a.parquet', 'a.arrow'])
      expect(await read(await openRows(file(name), options)), name).to.deep.equal(expected);
    expect(await read(await tableSamples([await openSql(query)], options))).to.deep.equal(expected);
  });

  it('can be those of a target', async () => {
    const asked = { target: 'flag', features: ['y'], categorical: { flag: ['false', 'true'] } } as const;
    const samples = await openRows(file('a.parquet'), { ...asked, nulls: 'skip' });
    const { target } = await gather(samples.batches(), samples.rows, 1);
    expect([...target]).to.deep.equal([1, 0, 0, 1, 0, 1]);
    await samples.close();
  });

  it('are read by threads as without them', async () => {
    const levels = Array.from({ length: 63 }, (_, code) => String(code + 1));
    const asked = { target: 'y', categorical: { code: levels }, knownLevels: {}, threads: 2 };
    const samples = await openRows(file('long.parquet'), asked);
    const { columns } = await gather(samples.batches(), samples.rows, samples.features);
    expect([0, 1, 62].map(k => [...columns[k]!.keys()].filter(i => columns[k]![i] === 1).slice(0, 2))).to.deep.equal([
      [1, 65],
      [2, 66],
      [63, 127],
    ]);
    expect(samples.levels()[0]!.others).to.deep.equal([{ level: '0', rows: 1094 }]);
    await samples.close();
  });

  it('are none of other numbers, and the refusal names a way out', async () => {
    const asked = { ...options, features: ['price'], categorical: { price: ['0.5'] } };
    const refusal = (work: Promise<unknown>): Promise<string> =>
      work.then(
        () => 'nothing',
        error => error.message,
      );
    expect(await refusal(openRows(file('a.parquet'), asked))).to.match(
      /column "price": is .*DECIMAL.*, but declared "text"; .* CAST\(price AS VARCHAR\)$/,
    );
    const table = await openSql(query);
    expect(await refusal(tableSamples([table], asked))).to.include('CAST(price AS VARCHAR)');
    await table.close();
  });
});
