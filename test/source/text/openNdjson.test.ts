import { expect } from 'chai';
import fc from 'fast-check';
import { openNdjson } from '../../../src/source/text/openNdjson.ts';
import { casesOf } from '../../laws/holdsForAll.ts';
import { discoverColumn } from '../../support/discoverColumn.ts';
import { chunks } from './chunks.ts';
import { failure } from './failure.ts';
import { kindsOf, readColumn, readLevels } from './readTable.ts';

const open = (text: string, options = {}, size?: number) =>
  openNdjson(chunks(text, size), { name: 'test.ndjson', ...options });

describe('openNdjson', () => {
  it('takes fields and types from the sample', async () => {
    const table = await open(
      [
        '{"whole":1,"number":1.5,"yes":true,"when":"2024-01-01T00:00:00Z","zip":"02139","deep":{"a":[1]},"none":null}',
        '{"late":"x","number":2,"yes":null,"mixed":1}',
        '{"mixed":"a"}',
      ].join('\n'),
    );
    expect(table).to.include({ name: 'test.ndjson', format: 'ndjson', rows: null });
    expect(kindsOf(table)).to.deep.equal({
      whole: 'exact',
      number: 'float',
      yes: 'boolean',
      when: 'time',
      zip: 'text',
      deep: 'unsupported',
      none: 'text',
      late: 'text',
      mixed: 'text',
    });
  });

  it('finds keys in any order, and takes a missing one for a null', async () => {
    const text =
      '\ufeff{"x":1,"s":"a"}\r\n{"s":"b\\u0021","x":2.5}\r\n{}\r\n{"x":null,"s":null}\r\n{"s":"","x":-3}\r\n';
    expect(await readColumn(await open(text), 'x')).to.deep.equal([1, 2.5, null, null, -3]);
    expect(await readLevels(await open(text), 's', ['a', 'b!', ''])).to.deep.equal([0, 1, null, null, 2]);
  });

  it('discovers levels, unescaped', async () => {
    const text = '{"s":"a\\n"}\n{"s":null}\n{"s":"b"}\n{}\n{"s":"a\\u000a"}\n';
    expect(await discoverColumn(await open(text), 's')).to.deep.equal({
      texts: ['a\n', null, 'b', null, 'a\n'],
      levels: ['a\n', 'b'],
    });
  });

  it('agrees with JSON.parse on numbers, for any chunks', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ x: fc.double({ noNaN: true, noDefaultInfinity: true }), y: fc.integer() }), {
          minLength: 1,
        }),
        fc.integer({ min: 1, max: 50 }),
        async (rows, size) => {
          const text = rows.map(row => `${JSON.stringify(row)}\n`).join('');
          const options = { types: { x: 'float' } };
          expect(await readColumn(await open(text, options, size), 'x')).to.deep.equal(
            rows.map(row => JSON.parse(JSON.stringify(row)).x),
          );
          expect(await readColumn(await open(text, options, size), 'y')).to.deep.equal(rows.map(row => row.y));
        },
      ),
      { seed: 1, numRuns: casesOf(200) },
    ));

  it('reads numbers in strings where they are declared', async () => {
    const table = await open('{"x":"1.5"}\n{"x":2}\n{"x":"NaN"}\n', { types: { x: 'float' } });
    expect(await readColumn(table, 'x')).to.deep.equal([1.5, 2, Number.NaN]);
  });

  it('has a field for a declared key that the sample lacks, and needs no sample at all', async () => {
    const late = `${'{"x":1}\n'.repeat(20)}{"x":2,"y":3.5}\n`;
    const sampled = await open(late, { types: { y: 'float' }, sampleRows: 10 });
    expect(kindsOf(sampled)).to.deep.equal({ x: 'exact', y: 'float' });
    expect((await readColumn(sampled, 'y')).at(-1)).to.equal(3.5);
    const declared = await open(late, { types: { y: 'float' }, sampleRows: 0 });
    expect(kindsOf(declared)).to.deep.equal({ y: 'float' });
  });

  it('refuses a value of another kind by column, row and kind, never by value', async () => {
    const late = (value: string) => `${'{"x":1}\n'.repeat(10_000)}{"x":${value}}\n`;
    for (const [value, kind] of [
      ['"secret"', 'text'],
      ['{"secret":1}', 'an object or array'],
      ['true', 'true or false'],
    ] as const) {
      const message = await failure(async () => readColumn(await open(late(value)), 'x'));
      expect(message).to.include(
        `test.ndjson, column "x", row 10000, counted from 0: ${kind}, where the first rows of the table have whole numbers`,
      );
      expect(message).not.to.include('secret');
    }
  });

  it('reads a whole number beyond 2^53 as the nearest double, unless it is declared', async () => {
    const text = '{"x":1}\n{"x":9007199254740993}\n';
    expect(await readColumn(await open(text), 'x')).to.deep.equal([1, 9007199254740992]);
    const declared = await open(text, { types: { x: 'integer' } });
    expect(await failure(async () => readColumn(declared, 'x'))).to.include('cannot represent exactly');
  });

  it('refuses an invalid line by its row: at once in the sample, later when it is reached', async () => {
    expect(await failure(() => open('{"x":1}\n{"x":}\n'))).to.include(
      'test.ndjson, row 1, counted from 0: is not a JSON object',
    );
    const table = await open(`${'{"x":1}\n'.repeat(10_000)}{"x":1\n`);
    let rows = 0;
    const message = await failure(async () => {
      for await (const frame of table.frames([])) rows += frame.rows;
    });
    expect(message).to.include('test.ndjson, row 10000, counted from 0: is not a JSON object');
    expect(rows).to.equal(10_000);
  });
});
