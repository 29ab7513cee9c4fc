import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as arrowModule from 'apache-arrow';
import {
  Dictionary,
  Float64,
  Int8,
  Int32,
  type RecordBatch,
  Table,
  tableFromArrays,
  tableToIPC,
  Utf8,
  vectorFromArray,
} from 'apache-arrow';
import { expect } from 'chai';
import { buildSync } from 'esbuild';
import fc from 'fast-check';
import { Table as WasmTable, writeParquet } from 'parquet-wasm/node';
import { from } from 'rxjs';
import { sampleBatch } from '../../../src/sample/sampleBatch.ts';
import { samplesOf } from '../../../src/sample/samples.ts';
import type { RowSource } from '../../../src/source/memory/rowSource.ts';
import { type OpenRowsOptions, openRows } from '../../../src/source/read/openRows.ts';
import { casesOf } from '../../laws/holdsForAll.ts';

/** Everything that a fit would see, bits and all. */
async function rowsOf(source: RowSource, options: OpenRowsOptions) {
  const samples = await openRows(source, options);
  try {
    const batches: unknown[] = [];
    for await (const { columns, target, weights } of samples.batches()) {
      batches.push([[...columns, target].map(bitsOf), weights && bitsOf(weights)]);
    }
    const names = samples.design.features.map(({ name }) => name);
    const passedOver = (samples.design.passedOver ?? []).map(({ name }) => name);
    return {
      names,
      batches,
      passedOver,
      rows: samples.rows,
      unusable: samples.unusable(),
      levels: samples.levels(),
    };
  } finally {
    await samples.close();
  }
}

const bitsOf = (values: Float64Array): string => Buffer.from(Float64Array.from(values).buffer).toString('hex');

const refusal = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'nothing',
    error => error.message,
  );

async function* later<T>(values: Iterable<T>): AsyncGenerator<T> {
  yield* values;
}

describe('openRows', () => {
  let folder: string;
  const file = (name: string): string => join(folder, name);
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-rows-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  it('gives the same bits for the same rows, whatever they come from', async () => {
    const column = <T>(value: fc.Arbitrary<T>) =>
      fc.array(fc.option(value, { freq: 8 }), { minLength: 12, maxLength: 12 });
    const rows = fc.record({
      hours: column(fc.double({ noNaN: true, noDefaultInfinity: true })),
      count: column(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })),
      town: column(fc.constantFrom('Ulm', 'Rom', 'Åbo', '')),
      kind: column(fc.constantFrom('a', 'b', 'c')),
      flag: column(fc.boolean()),
      y: column(fc.double({ noNaN: true, noDefaultInfinity: true })),
    });
    const categorical = { town: ['Ulm', 'Rom'], kind: ['b', 'a'] };
    const options = { target: 'y', categorical, nulls: 'skip', knownLevels: {} } as const;
    await fc.assert(
      fc.asyncProperty(rows, fc.nat(12), async (columns, cut) => {
        const table = new Table({
          hours: vectorFromArray(columns.hours, new Float64()),
          count: vectorFromArray(columns.count, new Int32()),
          town: vectorFromArray(columns.town, new Utf8()),
          kind: vectorFromArray(columns.kind, new Dictionary(new Utf8(), new Int8())),
          flag: vectorFromArray(columns.flag),
          y: vectorFromArray(columns.y, new Float64()),
        });
        const [batch] = table.batches as [RecordBatch];
        const cuts = [batch.slice(0, cut), batch.slice(cut, 12)];
        writeFileSync(file('rows.arrow'), tableToIPC(table, 'file'));
        writeFileSync(file('rows.parquet'), writeParquet(WasmTable.fromIPCStream(tableToIPC(table, 'stream'))));
        const expected = await rowsOf(file('rows.arrow'), options);
        const sources: Record<string, RowSource> = {
          parquet: file('rows.parquet'),
          url: pathToFileURL(file('rows.arrow')),
          table,
          slices: cuts,
          sliced: new Table(cuts),
          generator: cuts.values(),
          async: later(cuts),
          observable: from(cuts),
          columns,
        };
        for (const [name, source] of Object.entries(sources)) {
          expect(await rowsOf(source, options), name).to.deep.equal(expected);
        }
        expect(await rowsOf(later(cuts), { ...options, memoryBytes: 0 }), 'scratch').to.deep.equal(expected);
      }),
      { seed: 8, numRuns: casesOf(40) },
    );
  });

  it('takes tables of another copy of apache-arrow, whose classes are others', async () => {
    const require = createRequire(import.meta.url);
    const entry = require.resolve('apache-arrow');
    buildSync({
      entryPoints: [entry],
      bundle: true,
      platform: 'node',
      format: 'cjs',
      outfile: file('copy.cjs'),
    });
    const other = require(file('copy.cjs')) as typeof arrowModule;
    expect(other.Table).not.to.equal(Table);
    const make = (arrow: typeof arrowModule) =>
      new arrow.Table({
        a: arrow.vectorFromArray([1, null, 3], new arrow.Float64()),
        town: arrow.vectorFromArray(['x', 'y', null]),
        t: arrow.vectorFromArray([1, 2, 3].map(day => new Date(1e10 * day))),
        y: arrow.vectorFromArray([1n, 2n, 3n], new arrow.Int64()),
      });
    const options = {
      target: 'y',
      features: ['a', 'town', 't'],
      categorical: { town: ['x'] },
      nulls: 'skip',
    } as const;
    const expected = await rowsOf(make(await import('apache-arrow')), options);
    expect(await rowsOf(make(other), options)).to.deep.equal(expected);
    expect(await rowsOf(later(make(other).batches), options)).to.deep.equal(expected);
  });

  it('reads typed arrays of every kind, numbers, bigints, booleans, texts and dates', async () => {
    const kinds = [
      Int8Array,
      Int16Array,
      Int32Array,
      Uint8Array,
      Uint8ClampedArray,
      Uint16Array,
      Uint32Array,
      Float32Array,
    ];
    const typed = Object.fromEntries(kinds.map(kind => [kind.name, kind.of(1, 2, 100)]));
    const { names, batches } = await rowsOf(
      {
        ...typed,
        long: BigInt64Array.of(1n, 2n, 100n),
        unsigned: BigUint64Array.of(1n, 2n, 100n),
        bigints: [1n, 2n, 100n],
        numbers: [1, 2, 100],
        y: Float64Array.of(1, 2, 100),
      },
      { target: 'y' },
    );
    expect(names).to.have.length(kinds.length + 4);
    const [[columns]] = batches as [[string[]]];
    expect(new Set(columns)).to.deep.equal(new Set([bitsOf(Float64Array.of(1, 2, 100))]));

    const others = await rowsOf(
      {
        when: [new Date(1500), null, new Date(NaN)],
        flag: [true, false, undefined],
        code: [1, 2, null],
        y: [1, 2, 3],
      },
      { target: 'y', features: ['when', 'flag', 'code'], categorical: { code: ['2'] }, nulls: 'skip' },
    );
    expect(others.names).to.deep.equal(['when', 'flag', 'code=2']);
    expect(others.unusable).to.deep.equal([
      { name: 'when', rows: 2 },
      { name: 'flag', rows: 1 },
      { name: 'code', rows: 1 },
    ]);
    expect((others.batches as [[string[], string]])[0][0][0]).to.equal(bitsOf(Float64Array.of(1.5, 0, 0)));
  });

  it('refuses columns that do not fit together, by name, length, kind and row', async () => {
    const open = (columns: unknown): Promise<string> =>
      refusal(rowsOf(columns as RowSource, { target: 'y', nulls: 'error' }));
    expect(await open({ a: [1, 2], y: [1] })).to.equal(
      'the columns: "a" has 2 values, but "y" has 1 value; give columns of equal length',
    );
    expect(await open({ a: [1, 'x'], y: [1, 2] })).to.equal(
      'the columns, column "a", row 1, counted from 0: is a text, but a number in row 0; give values of one kind',
    );
    expect(await open({ a: [{}, {}], y: [1, 2] })).to.match(/column "a", row 0.*: is of type object; give numbers/);
    expect(await open({ a: 'x', y: [1] })).to.equal('column "a" must be an array or a typed array, got "x"');
    expect(await open({ a: [], y: [] })).to.equal('the columns: has no rows; give at least one row');
    expect(await open({})).to.match(/the columns: has no rows/);
  });

  it('refuses what is no source of rows, and says what is', async () => {
    const open = (source: unknown): Promise<string> => refusal(openRows(source as RowSource, { target: 'y' }));
    expect(await open(7)).to.equal(
      'the source of rows must be a path, an Arrow table, record batches, columns by name, or Samples, got 7',
    );
    expect(await open(Promise.resolve('a.csv'))).to.match(/got "a Promise"; await it first$/);
    expect(await open(new Map())).to.equal('the batches: has no rows; give at least one row');
    expect(await open(new URL('https://example.org/a.csv'))).to.match(/^a URL must begin with file:/);
    expect(await open([])).to.equal('there must be at least one file to read, got none');
    expect(await open(['a.csv', tableFromArrays({ y: [1] })])).to.match(/^the batches: item 0 must be a record batch/);
  });

  it('treats batches of different schemas like files that are read together', async () => {
    const batch = (columns: Record<string, unknown[] | Float64Array | Int32Array>): RecordBatch =>
      tableFromArrays(columns).batches[0]!;
    const first = batch({ a: Float64Array.of(1), b: Float64Array.of(2), y: Float64Array.of(3) });
    const swapped = batch({ y: Float64Array.of(6), b: Int32Array.of(5), a: Float64Array.of(4) });
    const whole = { a: [1, 4], b: [2, 5], y: [3, 6] };
    expect(await rowsOf([first, swapped], { target: 'y' })).to.deep.equal(await rowsOf(whole, { target: 'y' }));
    expect(await rowsOf(from([first, swapped]), { target: 'y' })).to.deep.equal(await rowsOf(whole, { target: 'y' }));
    const lacking = batch({ a: Float64Array.of(1), y: Float64Array.of(2) });
    expect(await refusal(openRows([first, lacking], { target: 'y' }))).to.match(
      /^the batches from number 1 on: has no column "b", which the batches from number 0 on has/,
    );
    const text = batch({ a: ['x'], b: Float64Array.of(1), y: Float64Array.of(2) });
    expect(await refusal(openRows([first, text], { target: 'y' }))).to.match(
      /^the batches from number 1 on, column "a": is Dictionary<Int32, Utf8>, but Float64 in/,
    );
    const [red, green] = [
      ['r', 'g'],
      ['g', 'w'],
    ].map(color => batch({ color, y: Float64Array.of(1, 2) })) as [RecordBatch, RecordBatch];
    const levels = { target: 'y', categorical: { color: ['g', 'r'] } };
    expect(await rowsOf([red, green], levels)).to.deep.equal(
      await rowsOf({ color: ['r', 'g', 'g', 'w'], y: [1, 2, 1, 2] }, levels),
    );
  });

  it('has the messages of files for rows that cannot be used', async () => {
    const path = file('holes.csv');
    const columns = { a: [1, null, 3], b: [null, null, null], y: [1, 2, 3] };
    writeFileSync(path, 'a,b,y\n1,,1\n,,2\n3,,3\n');
    const open = async (source: RowSource, features?: string[]): Promise<string> =>
      (await refusal(rowsOf(source, { target: 'y', nulls: 'error', ...(features && { features }) }))).replace(
        /^[^,:]*/,
        '',
      );
    expect(await open(columns)).to.equal(await open(path));
    expect(await open(columns)).to.match(/column "a", row 1, counted from 0: has no value/);
    const table = new Table({
      a: vectorFromArray([null, null], new Float64()),
      y: vectorFromArray([1, 2], new Float64()),
    });
    expect(await open(table)).to.match(/column "a": has no value in any of the 2 rows read so far/);
    expect(await open({ a: ['x', 'y', 'z'], y: [1, 2, 3] }, ['a'])).to.match(
      /column "a": is text of which most rows have a value that fewer than 10 rows have/,
    );
  });

  it('takes the first rows of any source, and says whether there are more', async () => {
    const batches = [0, 1, 2].map(
      k => tableFromArrays({ a: Float64Array.of(k, k), y: Float64Array.of(1, 2) }).batches[0]!,
    );
    for (const source of [batches, later(batches), { a: [0, 0, 1, 1, 2, 2], y: [1, 2, 1, 2, 1, 2] }]) {
      const samples = await openRows(source, { target: 'y', rows: 3 });
      expect([samples.rows, samples.hasMore()]).to.deep.equal([3, true]);
      await samples.close();
    }
    const all = await openRows(later(batches), { target: 'y', rows: Infinity });
    expect(all.rows).to.equal(6);
    await all.close();
  });

  it('passes Samples through, with names, and leaves them open', async () => {
    const made = samplesOf(sampleBatch([Float64Array.of(1, 2), Float64Array.of(3, 4)], Float64Array.of(5, 6)));
    const named = await openRows(made, {});
    expect(named.design.features.map(({ name }) => name)).to.deep.equal(['x1', 'x2']);
    const given = await openRows(made, { features: ['a', 'b'], target: 'z' });
    expect([given.design.features[1]!.name, given.design.target!.name]).to.deep.equal(['b', 'z']);
    expect(await refusal(openRows(made, { features: ['a'] }))).to.equal('the length of features must be 2, got 1');
    expect(await refusal(openRows(made, { weights: 'w' }))).to.match(/^weights cannot be applied to Samples/);
    const first = await openRows(made, { rows: 1 });
    expect([first.rows, first.hasMore()]).to.deep.equal([1, true]);
    const opened = await openRows({ a: [1], y: [2] }, { target: 'y' });
    expect((await openRows(opened, {})).design).to.equal(opened.design);
  });

  it('reads columns for a private run without letting one row decide about another', async () => {
    const options = {
      target: 'y',
      features: ['a', 'town'],
      categorical: { town: ['x'] },
      forPrivate: true,
    } as const;
    const rows = await rowsOf(
      { a: ['7', 2, true, null], town: ['x', 3, null, 'y'], y: [1n, 2, 'no', 4] } as never,
      options,
    );
    const [[columns, weights]] = rows.batches as [[string[], string]];
    expect(weights).to.equal(bitsOf(Float64Array.of(0, 1, 0, 0)));
    expect(columns[0]).to.equal(bitsOf(Float64Array.of(0, 2, 0, 0)));
    const samples = await openRows({ a: [1], town: ['x'], y: [1] }, options);
    expect(samples.namesRows).to.equal(false);
  });

  it('ends a pass with the reason of its signal', async () => {
    const abort = new AbortController();
    const samples = await openRows({ a: [1, 2], y: [1, 2] }, { target: 'y', batchRows: 1, signal: abort.signal });
    const read = async () => {
      for await (const _ of samples.batches()) abort.abort(new Error('enough'));
    };
    expect(await refusal(read())).to.equal('enough');
  });
});
