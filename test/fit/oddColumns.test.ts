import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tableFromArrays } from 'apache-arrow';
import { expect } from 'chai';
import { batches, estimate, predict, type RowSource } from '../../src/index.ts';

const ROWS = 300;
const x = Float64Array.from({ length: ROWS }, (_, i) => Math.sin(1.7 * i));
const y = x.map((value, i) => 3 * value + Math.cos(3.3 * i) / 10);

/** Rows of a CSV file: x, y and one column more. */
const csvOf = (name: string, cellOf: (i: number) => string): string =>
  `${name},x,y\n${Array.from(x, (value, i) => `${cellOf(i)},${value},${y[i]}\n`).join('')}`;

const textsOf = (notes: readonly { readonly text: string }[]): string => notes.map(({ text }) => text).join('\n');

describe('a fit beside odd columns', () => {
  let folder = '';
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-odd-'));
  });
  after(() => rmSync(folder, { recursive: true }));
  const file = (name: string, contents: string): string => {
    writeFileSync(join(folder, name), contents);
    return join(folder, name);
  };

  it('has the same bits through every door where ids are beyond 2^53, says so, and gives every digit back', async () => {
    const id = BigInt64Array.from(
      { length: ROWS },
      (_, i) => 2n ** 60n + BigInt((i * 7919) % 1000) * 2n ** 40n + BigInt(i),
    );
    const rows = Array.from(id, (value, i) => ({ id: value, x: x[i], y: y[i] }));
    const doors: Readonly<Record<string, RowSource>> = {
      columns: { id, x, y },
      arrays: { id: [...id], x, y },
      table: tableFromArrays({ id, x, y }),
      csv: file(
        'id.csv',
        csvOf('id', i => String(id[i])),
      ),
      ndjson: file('id.ndjson', rows.map(row => `{"id":${row.id},"x":${row.x},"y":${row.y}}\n`).join('')),
    };
    let expected: string | undefined;
    for (const [door, source] of Object.entries(doors)) {
      const { coefficients, notes, model } = await estimate(source, { target: 'y' });
      const found = JSON.stringify(coefficients);
      expected ??= found;
      expect(found, door).to.equal(expected);
      expect(textsOf(notes), door).to.include('"id" has whole numbers beyond 2^53, which were rounded to 53 bits');
      if (door === 'csv' || door === 'ndjson') {
        const refused = await predict(model, source, { keep: ['id'] })
          .table()
          .catch(reason => reason);
        expect(refused.message).to.match(/column "id": has whole numbers beyond 2\^53.*`types: \{ 'id': 'text' \}`$/);
        const texts = (await estimate(source, { target: 'y', features: ['x'] })).model;
        const kept = await predict(texts, source, { keep: ['id'], types: { id: 'text' } }).table();
        expect([...kept.getChild('id')!]).to.deep.equal(Array.from(id, String));
      } else {
        const kept = await predict(model, source, { keep: ['id'] }).table();
        expect([...kept.getChild('id')!], door).to.deep.equal([...id]);
      }
    }
  });

  it('leaves times with every nanosecond', async () => {
    const { Field, RecordBatch, Schema, Struct, Table, TimestampNanosecond, makeData } = await import('apache-arrow');
    const when = BigInt64Array.of(1700000000123456789n, -1n, 0n, 1700000000000000001n);
    const schema = new Schema([new Field('when', new TimestampNanosecond(), true)]);
    const child = makeData({ type: new TimestampNanosecond(), data: when });
    const data = makeData({ type: new Struct(schema.fields), length: 4, nullCount: 0, children: [child] });
    const table = new Table([new RecordBatch(schema, data)]);
    for await (const batch of batches(table)) expect([...batch.data.children[0]!.values]).to.deep.equal([...when]);
  });

  it('knows the index that pandas wrote by its name and its values, however often it was written', async () => {
    const shuffled = (i: number): string => String((i * 7919) % 1009);
    for (const [name, cellOf, isIndex] of [
      ['Unnamed: 0', String, true],
      ['Unnamed: 0.1', String, true],
      ['Unnamed: 0.2.1', shuffled, true],
      ['', shuffled, true],
      ['Unnamed: 0', (i: number) => String(i % 7), false],
      ['Unnamed: 0', (i: number) => String(i + 0.5), false],
      ['Unnamed: 3', (i: number) => String((i * 7919) % 1009), false],
      ['Unnamed: 3', (i: number) => String(i), true],
    ] as const) {
      const { coefficients, notes } = await estimate(file('index.csv', csvOf(name, cellOf)), { target: 'y' });
      expect(name in coefficients, name).to.equal(!isIndex);
      expect(textsOf(notes).includes("is pandas' row index and was left out"), name).to.equal(isIndex);
    }
  });

  it('takes the errors of spreadsheets, and any few words beside many numbers, for missing ones', async () => {
    for (const word of ['#DIV/0!', '#NAME?', '#VALUE!', '#REF!', 'no answer']) {
      const path = file(
        'words.csv',
        csvOf('z', i => (i % 5 === 0 ? word : String(Math.cos(i)))),
      );
      const { coefficients, rows } = await estimate(path, { target: 'y' });
      expect(Object.keys(coefficients)).to.include('z');
      expect(coefficients.x!.estimate).to.be.closeTo(3, 0.05);
      expect(rows.invalid).to.equal(60);
    }
    // The rows that are sampled have mostly words, and all rows mostly numbers.
    const many = Array.from({ length: 40_000 }, (_, i) => {
      const z = Math.cos(i);
      const told = i < 10_000 && i % 5 < 3 ? 'not asked' : String(z);
      return `${told},${Math.sin(1.7 * i)},${3 * z + Math.sin(1.7 * i)}\n`;
    });
    const { coefficients } = await estimate(file('late.csv', `z,x,y\n${many.join('')}`), { target: 'y' });
    expect(coefficients.z!.estimate).to.be.closeTo(3, 0.01);
  });

  it('speaks of files only where rows are in files', async () => {
    const walk = Float64Array.from({ length: 4000 }, (_, i) => Math.sin(i / 300) + Math.sin(1.7 * i) / 10);
    const source = { x: walk.map((_, i) => Math.cos(i / 211)), y: walk };
    const { notes } = await estimate(source, { target: 'y' });
    expect(textsOf(notes))
      .to.include('rows near each other have similar errors')
      .and.not.match(/\bfiles?\b/);
    const path = file('walk.csv', `x,y\n${Array.from(walk, (value, i) => `${source.x[i]},${value}\n`).join('')}`);
    expect(textsOf((await estimate(path, { target: 'y' })).notes)).to.include('rows near each other in the file');
  });

  it('refuses a source without an end once it has taken `scratchBytes`, and names what to use', async () => {
    async function* endless() {
      for (;;) yield* tableFromArrays({ x, y }).batches;
    }
    const options = { target: 'y', memoryBytes: 10_000, scratchBytes: 100_000 };
    const error = await estimate(endless(), options).catch(reason => reason);
    expect(error.code).to.equal('ERR_TOO_LARGE');
    expect(error.message).to.match(/fill the 100000 bytes of `scratchBytes` after \d+ rows.*use `estimateOnline`/);
  });
});
