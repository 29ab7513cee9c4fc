import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  Table as ArrowTable,
  DateMillisecond,
  Decimal,
  Dictionary,
  Float64,
  Int32,
  Int64,
  tableToIPC,
  Uint64,
  type Vector,
  vectorFromArray,
} from 'apache-arrow';
import { expect } from 'chai';
import { Table as WasmTable, writeParquet } from 'parquet-wasm';
import { openRows } from '../../src/source/read/openRows.ts';
import type { ReadOptions, TableSamples } from '../../src/source/read/tableSamples.ts';
import { failure } from './text/failure.ts';

const large = 2n ** 53n + 1n;

/** The weights of all rows, after the check that invalid ones are zeros in their place. */
async function weightsOf(samples: TableSamples): Promise<number[]> {
  const found: number[] = [];
  try {
    for await (const { rows, columns, target, weights } of samples.batches()) {
      for (let i = 0; i < rows; i++) {
        const weight = weights?.[i] ?? 1;
        found.push(weight);
        const values = [...columns, target].map(column => column[i]!);
        if (weight === 0) expect(values).to.deep.equal(values.map(() => 0));
        else expect(values.every(Number.isFinite)).to.equal(true);
      }
    }
  } finally {
    await samples.close();
  }
  return found;
}

describe('reading with nulls skipped', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-lenient-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  const file = (name: string, contents: string | Uint8Array): string => {
    const path = join(folder, name);
    writeFileSync(path, contents);
    return path;
  };
  const read = async (path: string, options: Partial<Parameters<typeof openRows>[1]> = {}) =>
    weightsOf(await openRows(path, { target: 'y', nulls: 'skip', ...options }));
  const fails = (path: string, options: ReadOptions = {}): Promise<string> =>
    failure(() => read(path, { ...options, nulls: 'error' }));

  it('makes an invalid row of a malformed cell in CSV and NDJSON, which otherwise ends the reading', async () => {
    // Rows after the sample that decides on types: without a declaration it sees numbers only.
    const lines = (bad: readonly string[]) =>
      [...Array.from({ length: 10_000 }, (_, i) => `${i}.5`), ...bad, '1.5'].map(x => `${x},2\n`).join('');
    const bad = ['abc', '', 'NaN', '-inf', '1e999', '0x10', '1.5.1', '"7 8"'];
    const csv = file('malformed.csv', `x,y\n${lines(bad)}`);
    const weights = await read(csv);
    expect(weights.slice(10_000)).to.deep.equal([...bad.map(() => 0), 1]);
    expect(weights.slice(0, 10_000).every(weight => weight === 1)).to.equal(true);
    expect(await fails(csv)).to.match(
      /column "x", row 10000, counted from 0: text, where the first rows of the table have numbers/,
    );

    const odd = ['"abc"', 'null', '[1]', '{"a":1}', '1e999', '""'];
    const ndjson = file(
      'malformed.ndjson',
      [...Array.from({ length: 10_000 }, (_, i) => `"x":${i}.5,`), ...odd.map(x => `"x":${x},`), '"x":1.5,', '']
        .map(member => `{${member}"y":2}\n`)
        .join(''),
    );
    expect((await read(ndjson)).slice(10_000)).to.deep.equal([...odd.map(() => 0), 1, 0]);
    expect(await fails(ndjson)).to.match(/column "x", row 10000, counted from 0: /);
  });

  it('reads the cells of a mixed column each by itself: numbers, true and false, times; a row has no say in others', async () => {
    const cells = ['1.5', 'true', '2001-02-03', 'abc', '', '12', '9007199254740993'];
    const csv = file('mixed.csv', `x,y\n${cells.map(x => `${x},2\n`).join('')}`);
    const types = { x: 'mixed', y: 'mixed' } as const;
    const samples = await openRows(csv, { target: 'y', nulls: 'skip', types });
    for await (const { columns } of samples.batches()) {
      expect([...columns[0]!]).to.deep.equal([1.5, 1, Date.UTC(2001, 1, 3) / 1000, 0, 0, 12, 2 ** 53]);
    }
    expect(await weightsOf(samples)).to.deep.equal([1, 1, 1, 0, 0, 1, 1]);
    // Left to the sample, the whole column is text, whatever the reader may skip.
    expect(await failure(() => read(csv, { features: ['x'] }))).to.include('column "x": is text');
    const lines = ['1.5', 'true', '"2001-02-03"', '"abc"', 'null', '[3]'];
    const ndjson = file('mixed.ndjson', lines.map(x => `{"x":${x},"y":2}\n`).join(''));
    expect(await read(ndjson, { types })).to.deep.equal([1, 1, 1, 0, 0, 0]);
  });

  it('makes an invalid row of a malformed record, where that is asked for, the first one too', async () => {
    const lines = (good: string, bad: string | Uint8Array, place: number): Uint8Array =>
      Buffer.concat(Array.from({ length: 9 }, (_, i) => Buffer.from(i === place ? bad : `${good}\n`)));
    const types = { x: 'mixed', y: 'mixed' } as const;
    const header = Buffer.from('x,y\n');
    for (const place of [0, 5, 8]) {
      const expected = Array.from({ length: 9 }, (_, i) => (i === place ? 0 : 1));
      for (const bad of ['1\n', '1,2,3\n', '1,"2\n', '"1"x,2\n', '\x00\x01,2\n', '\xff\xfe,2\n']) {
        const csv = file('broken.csv', Buffer.concat([header, lines('1.5,2', Buffer.from(bad, 'latin1'), place)]));
        expect(await read(csv, { types, malformed: 'nulls' }), JSON.stringify(bad)).to.deep.equal(expected);
      }
      for (const bad of ['{"x":1,\n', '[1]\n', 'garbage\n', '7\n', '\x00\n', '"\n']) {
        const ndjson = file('broken.ndjson', lines('{"x":1.5,"y":2}', bad, place));
        expect(await read(ndjson, { types, malformed: 'nulls' }), bad).to.deep.equal(expected);
      }
    }
    const ragged = file('ragged.csv', 'x,y\n1,2\n3\n');
    expect(await failure(() => read(ragged, { types }))).to.include(
      'row 1, counted from 0: 1 cell under a header of 2',
    );
  });

  it('takes a whole number that a double cannot hold for the nearest that it can, in every format', async () => {
    const values = [1n, large, -3n, -large, 2n ** 53n];
    const expected = [1, 1, 1, 1, 1];
    const csv = file('whole.csv', `x,y\n${values.map(x => `${x},2\n`).join('')}`);
    const ndjson = file('whole.ndjson', values.map(x => `{"x":${x},"y":2}\n`).join(''));
    const y = vectorFromArray([2, 2, 2, 2, 2], new Float64());
    const x = vectorFromArray(values, new Int64());
    const arrow = file('whole.arrow', tableToIPC(new ArrowTable({ x, y }), 'file'));
    const parquet = file('whole.parquet', parquetOf({ x, y }));
    for (const path of [csv, ndjson, arrow, parquet]) {
      expect(await read(path), path).to.deep.equal(expected);
    }
    const unsigned = vectorFromArray([1n, large, 3n, 2n ** 64n - 1n, 5n], new Uint64());
    const decimal = vectorFromArray(values.map(wordsOf), new Decimal(0, 30, 128));
    const dictionary = vectorFromArray(values, new Dictionary(new Int64(), new Int32()));
    for (const [name, column] of Object.entries({ unsigned, decimal, dictionary })) {
      const path = file(`${name}.arrow`, tableToIPC(new ArrowTable({ x: column as Vector, y }), 'file'));
      expect(await read(path), name).to.deep.equal(expected);
    }
    expect(await read(file('unsigned.parquet', parquetOf({ x: unsigned, y })))).to.deep.equal(expected);
  });

  it('makes an invalid row of nulls, NaN and infinities in Arrow and Parquet', async () => {
    const x = vectorFromArray([1, null, NaN, Infinity, -Infinity, 1e308], new Float64());
    const y = vectorFromArray([2, 2, 2, 2, 2, null], new Float64());
    const day = vectorFromArray(
      [0, 1, 2, 3, 4, 5].map(k => new Date(86_400_000 * k)),
      new DateMillisecond(),
    );
    const arrow = file('odd.arrow', tableToIPC(new ArrowTable({ x, y, day }), 'file'));
    const parquet = file('odd.parquet', parquetOf({ x, y }));
    const types = { x: 'mixed', y: 'mixed' } as const;
    for (const path of [arrow, parquet]) {
      expect(await read(path, { types }), path).to.deep.equal([1, 0, 0, 0, 0, 0]);
    }
    // The schema of these formats is nobody's secret.
    expect(await read(arrow, { features: ['day'], types: { day: 'mixed' } })).to.deep.equal([1, 1, 1, 1, 1, 0]);
  });
});

const parquetOf = (columns: Record<string, Vector>): Uint8Array =>
  writeParquet(WasmTable.fromIPCStream(tableToIPC(new ArrowTable(columns), 'stream')));

/** The 128 bits of a whole number, as Arrow's decimals hold them. */
const wordsOf = (value: bigint): Uint32Array =>
  Uint32Array.from([0n, 32n, 64n, 96n], shift => Number(BigInt.asUintN(32, value >> shift)));
