import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Float64, Table, tableFromIPC, tableToIPC, vectorFromArray } from 'apache-arrow';
import { expect } from 'chai';
import fc from 'fast-check';
import { Table as WasmTable, writeParquet } from 'parquet-wasm/node';
import { MOST_TEXTS } from '../../../src/source/design/foundLevels.ts';
import { openTable } from '../../../src/source/read/openTable.ts';
import { survey } from '../../../src/source/read/survey.ts';
import { tableSamples } from '../../../src/source/read/tableSamples.ts';
import { casesOf } from '../../laws/holdsForAll.ts';
import { type ArrayColumn, arrayTable } from '../../support/arrayTable.ts';

const repeated = (count: number, ...texts: readonly string[]): readonly string[] =>
  Array.from({ length: count }, () => texts).flat();
const options = { target: 'y', nulls: 'auto', most: Infinity } as const;
const numbers = (name: string, rows: number): ArrayColumn => ({
  name,
  kind: 'float',
  values: Array.from({ length: rows }, (_, i) => i / 2),
});

describe('survey', () => {
  it('finds the same levels in any order of the rows, in frames of any size, from any number of tables', () =>
    fc.assert(
      fc.asyncProperty(
        fc
          .array(fc.constantFrom('a', 'a', 'a', 'b', 'b', 'c', 'd', '', 'rare', 'rarer', null), {
            minLength: 30,
            maxLength: 120,
          })
          .chain(texts => fc.tuple(fc.constant(texts), fc.shuffledSubarray(texts, { minLength: texts.length }))),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 29 }),
        async ([texts, shuffled], sizes, cut) => {
          const tableOf = (values: typeof texts, frames?: readonly number[]) =>
            arrayTable([{ name: 'g', kind: 'text', values }, numbers('y', values.length)], frames && { sizes: frames });
          const whole = await survey([tableOf(texts)], options);
          const parts = [tableOf(shuffled.slice(0, cut), sizes), tableOf(shuffled.slice(cut), sizes)];
          expect(await survey(parts, options)).to.deep.equal(whole);
        },
      ),
      { seed: 1, numRuns: casesOf(150) },
    ));

  it('leaves out a column that is null in most rows, of any kind, unless it is named or nulls are errors', async () => {
    const rows = 30;
    const sparse = (name: string, kind: 'float' | 'text', value: number | string): ArrayColumn => ({
      name,
      kind,
      values: Array.from({ length: rows }, (_, i) => (i % 5 < 3 ? null : value)),
    });
    const table = arrayTable([sparse('x', 'float', 1), sparse('t', 'text', 'a'), numbers('y', rows)]);
    const { leftOut } = await survey([table], options);
    expect([...leftOut]).to.deep.equal([
      ['x', { is: 'scarce', nulls: 18, rows }],
      ['t', { is: 'scarce', nulls: 18, rows }],
    ]);
    expect((await survey([table], { ...options, features: ['x'] })).leftOut.size).to.equal(0);
    const strict = await survey([table], { ...options, nulls: 'error' });
    expect([...strict.leftOut.keys()]).to.deep.equal(['t']);
    expect(strict.leftOut.get('t')).to.deep.equal({ is: 'constant', least: 10, reference: 'a' });
  });

  it('counts the same nulls in every format, wherever these say how many there are', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-survey-'));
    const values = (every: number) => Array.from({ length: 900 }, (_, i) => (i % every === 0 ? i : null));
    const columns = {
      all: values(1),
      most: values(3),
      some: values(2).map((value, i) => value ?? (i % 3 ? i : null)),
    };
    const rows = columns.all.map((y, i) => ({ y, most: columns.most[i], some: columns.some[i] }));
    const float = (cells: readonly (number | null | undefined)[]) => vectorFromArray(cells, new Float64());
    const ipc = tableToIPC(
      new Table({ y: float(columns.all), most: float(columns.most), some: float(columns.some) }),
      'file',
    );
    const paths = ['rows.csv', 'rows.ndjson', 'rows.arrow', 'rows.parquet'].map(name => join(folder, name));
    writeFileSync(paths[0]!, `y,most,some\n${rows.map(row => [row.y, row.most, row.some].join()).join('\n')}\n`);
    writeFileSync(paths[1]!, `${rows.map(row => JSON.stringify(row)).join('\n')}\n`);
    writeFileSync(paths[2]!, ipc);
    writeFileSync(paths[3]!, writeParquet(WasmTable.fromIPCStream(tableToIPC(tableFromIPC(ipc), 'stream'))));
    for (const path of paths) {
      const table = await openTable(path);
      const { leftOut } = await survey([table], options);
      expect([...leftOut], path).to.deep.equal([['most', { is: 'scarce', nulls: 600, rows: 900 }]]);
      await table.close();
    }
    rmSync(folder, { recursive: true });
  });

  it('takes `index` for a row index if it counts the rows, of all tables or of each', async () => {
    const counting = (...values: readonly (number | null)[]) =>
      arrayTable([{ name: 'index', kind: 'integer', values }, numbers('y', values.length)], { sizes: [2] });
    const isIndex = async (...tables: readonly ReturnType<typeof counting>[]) =>
      (await survey(tables, options)).leftOut.has('index');
    expect(await isIndex(counting(0, 1, 2, 3))).to.equal(true);
    expect(await isIndex(counting(1, 2, 3), counting(4, 5))).to.equal(true);
    expect(await isIndex(counting(0, 1, 2), counting(0, 1))).to.equal(true);
    expect(await isIndex(counting(0, 1, 3))).to.equal(false);
    expect(await isIndex(counting(0, 1, null))).to.equal(false);
    expect(await isIndex(counting(100, 101, 102))).to.equal(false);
    expect(await isIndex(counting(0, 1, 0, 1))).to.equal(false);
  });

  it('gives up on a column of more texts than are counted, wherever they are', async () => {
    const values = [...repeated(50, 'a', 'b'), ...Array.from({ length: MOST_TEXTS + 1 }, (_, i) => `name ${i}`)];
    for (const ordered of [values, [...values].reverse()]) {
      const table = arrayTable([{ name: 'g', kind: 'text', values: ordered }, numbers('y', values.length)]);
      expect((await survey([table], options)).leftOut.get('g')).to.include({ is: 'unique', texts: null });
    }
  });

  it('leaves out a text that is none in a later table', async () => {
    const text = arrayTable([{ name: 'g', kind: 'text', values: repeated(20, 'a', 'b') }, numbers('y', 40)]);
    const number = arrayTable([numbers('g', 5), numbers('y', 5)]);
    const { leftOut, found } = await survey([text, number], options);
    expect(leftOut.get('g')).to.deep.equal({ is: 'differing', table: number.name });
    expect(found.size).to.equal(0);
  });

  it('finds two classes in a text target, whatever their order', async () => {
    const classes = async (values: readonly (string | null)[]) =>
      (await survey([arrayTable([numbers('x', values.length), { name: 'y', kind: 'text', values }])], options)).classes;
    expect(await classes(['yes', 'no', 'yes', null, 'no'])).to.deep.equal(['no', 'yes']);
    expect(await classes(['yes', 'no', 'maybe', 'no', 'yes', 'maybe'])).to.equal(undefined);
    expect(await classes(['yes', 'no'])).to.equal(undefined);
  });

  it('reads nothing where nothing is in question', async () => {
    const table = arrayTable([
      numbers('x', 5),
      { name: 'g', kind: 'text', values: repeated(1, ...'abcde') },
      numbers('y', 5),
    ]);
    expect((await survey([table], { ...options, features: ['x'] })).rows).to.equal(null);
    expect(table.passes).to.deep.equal([]);
  });
});

describe('tableSamples, of text without declared levels', () => {
  const texts = [...repeated(30, 'Ulm'), ...repeated(12, 'Bath'), ...repeated(3, 'Ghent', 'Lyon', 'Riga', 'Oslo')];
  const table = (values: readonly (string | null)[]) =>
    arrayTable([{ name: 'town', kind: 'text', values }, numbers('y', values.length)], { sizes: [7, 20] });

  it('makes a feature of every level but the most frequent, and one of all rare ones', async () => {
    const samples = await tableSamples([table([...texts, null])], {
      target: 'y',
      knownLevels: {},
      batchRows: 8,
    });
    expect(samples.design.features.map(({ name }) => name)).to.deep.equal(['town=Bath', 'town=(other)']);
    expect(samples.design.categorical).to.deep.equal({ town: ['Bath', '(other)'] });
    const columns: number[][] = [[], []];
    for await (const batch of samples.batches())
      batch.columns.forEach((column, k) => {
        columns[k]!.push(...column);
      });
    expect(columns[0]).to.deep.equal([...texts.map(text => (text === 'Bath' ? 1 : 0)), 0]);
    expect(columns[1]).to.deep.equal([...texts.map(text => (['Ulm', 'Bath'].includes(text) ? 0 : 1)), 0]);
    expect(samples.tally).to.deep.equal({ read: 55, invalid: 1 });
    expect(samples.levels()).to.deep.equal([
      {
        column: 'town',
        rows: 54,
        declared: [
          { level: 'Bath', rows: 12 },
          { level: 'Ulm', rows: 30 },
        ],
        others: ['Ghent', 'Lyon', 'Riga', 'Oslo'].map(level => ({ level, rows: 3 })),
        unnamed: 0,
        found: { reference: 'Ulm', pools: true },
      },
    ]);
  });

  it('does so for a column that is named, refuses one that has no levels, and leaves a private run alone', async () => {
    const named = await tableSamples([table(texts)], { target: 'y', features: ['town'] });
    expect(named.features).to.equal(2);
    const names = texts.map((_, i) => `name ${i}`);
    const refusal = await tableSamples([table(names)], { target: 'y', features: ['town'] }).catch(String);
    expect(refusal).to.include('most rows have a value that fewer than 10 rows have, as in names or ids');
    expect(refusal).to.include("declare its levels: `categorical: { town: ['A', 'B'] }`");
    const secret = await tableSamples([table(texts)], {
      target: 'y',
      features: ['town'],
      forPrivate: true,
    }).catch(String);
    expect(secret).to.include('is text, which is not a number');
  });

  it('takes levels that a model was fitted to, whatever the rows have', async () => {
    const samples = await tableSamples([table(['Ulm', 'Bath', 'Nowhere'])], {
      features: ['town'],
      categorical: { town: ['Bath', '(other)'] },
      found: { town: { reference: 'Ulm', pools: true } },
      isFixed: true,
    });
    for await (const { columns } of samples.batches())
      expect(columns.map(column => [...column])).to.deep.equal([
        [0, 1, 0],
        [0, 0, 1],
      ]);
  });
});
