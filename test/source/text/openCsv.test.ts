import { expect } from 'chai';
import fc from 'fast-check';
import { openCsv } from '../../../src/source/text/openCsv.ts';
import { casesOf } from '../../laws/holdsForAll.ts';
import { discoverColumn } from '../../support/discoverColumn.ts';
import { chunks } from './chunks.ts';
import { failure } from './failure.ts';
import { kindsOf, readColumn, readLevels } from './readTable.ts';

const open = (text: string | Uint8Array, options = {}, size?: number) =>
  openCsv(chunks(text, size), { name: 'test.csv', ...options });

describe('openCsv', () => {
  it('presents a table: name, format, fields, rows that only reading tells', async () => {
    const table = await open('distance,when,paid\n1.5,2024-01-01,true\n');
    expect(table).to.include({ name: 'test.csv', format: 'csv', rows: null });
    expect(table.fields).to.deep.equal([
      { name: 'distance', kind: 'float', type: 'numbers', width: 1 },
      { name: 'when', kind: 'time', type: 'dates or times', width: 1 },
      { name: 'paid', kind: 'boolean', type: 'true or false', width: 1 },
    ]);
  });

  it('takes types from the sample', async () => {
    const table = await open(
      [
        'a,b,c,d,e,f,g,h,i',
        '1,1,true,2024-01-01,x,,1,NaN,"1"',
        '2,2.5,FALSE,2024-01-01 12:00,1,NA,x,inf,"2e3"',
        '',
      ].join('\n'),
    );
    expect(kindsOf(table)).to.deep.equal({
      a: 'exact',
      b: 'float',
      c: 'boolean',
      d: 'time',
      e: 'text',
      f: 'text',
      g: 'text',
      h: 'float',
      i: 'float',
    });
    expect(table.fields[5]!.type).to.equal('empty in the sample');
  });

  it('refuses rows that stray quotes have made one, and reads texts of several lines', async () => {
    const rows = (middle: string) => `id,name,y\n${'1,x,2\n'.repeat(10)}${middle}\n7,z,8\n`;
    for (const size of [1, 5, undefined]) {
      const swallowed = await open(rows('1,"Anna,2\n3,Bert,4\n5,Carl",6'), {}, size);
      expect(await failure(() => readColumn(swallowed, 'y'))).to.equal(
        'test.csv, row 10, counted from 0: a quoted cell spans 3 lines, each of which is a row by itself; remove the quote that opens it and the one that closes it; if the cell is correct, provide the data as NDJSON or Parquet',
      );
      const meant = await open(rows('1,"Anna, 2\nBert, 3, 4\nCarl",6'), {}, size);
      expect((await readColumn(meant, 'y')).slice(10)).to.deep.equal([6, 8]);
    }
  });

  it('takes declared types without a sample', async () => {
    let pulled = 0;
    async function* counted(): AsyncGenerator<Uint8Array> {
      for await (const chunk of chunks(`a,b\n${'1,2\n'.repeat(1000)}`, 4)) {
        pulled++;
        yield chunk;
      }
    }
    const table = await openCsv(counted(), { types: { a: 'text', b: 'float' } });
    expect(kindsOf(table)).to.deep.equal({ a: 'text', b: 'float' });
    expect(pulled).to.equal(1);
    expect(await readLevels(table, 'a', ['1'])).to.deep.equal(Array(1000).fill(0));
  });

  it('decodes numbers, booleans and times, and marks nulls', async () => {
    const text = 'x,yes,when\n1.5,true,1970-01-02\n,NA,null\n -2 , false ," 1970-01-01T00:00:01+00:00"\nNULL,,""\n';
    expect(await readColumn(await open(text), 'x')).to.deep.equal([1.5, null, -2, null]);
    expect(await readColumn(await open(text), 'yes')).to.deep.equal([1, null, 0, null]);
    expect(await readColumn(await open(text), 'when')).to.deep.equal([86_400, null, 1, null]);
  });

  it('gives zeros for nulls, whatever the memory held', async () => {
    for await (const frame of (await open('x\n1\nNA\n')).frames([0])) {
      const out = Float64Array.of(7, 7, 7);
      expect(frame.fill({ field: 0, start: 0, count: 2, out, missing: new Uint8Array(2) })).to.equal(1);
      expect([...out]).to.deep.equal([1, 0, 7]);
    }
  });

  it('takes other words for nulls where it is told to', async () => {
    const table = await open('x,y\n-999,NA\n1,-999\n', { nulls: ['-999'], types: { x: 'float', y: 'text' } });
    expect(await readColumn(table, 'x')).to.deep.equal([null, 1]);
    const again = await open('x,y\n-999,NA\n1,-999\n', { nulls: ['-999'] });
    expect(await readLevels(again, 'y', ['NA'])).to.deep.equal([0, null]);
  });

  it('finds texts among levels, unescaped, spaces and all', async () => {
    const text = 'who\nAnn\n"Ann"\n"say ""hi"""\nZoë\n Ann\nNA\nother\n';
    const levels = ['Ann', 'say "hi"', 'Zoë', ' Ann'];
    expect(await readLevels(await open(text), 'who', levels)).to.deep.equal([0, 0, 1, 2, 3, null, -1]);
  });

  it('discovers levels, unescaped, spaces and all, in the order of their rows', async () => {
    const text = 'who,n\nAnn,1\n"say ""hi"" ",2\nNA,3\n Ann,4\nAnn,5\n';
    expect(await discoverColumn(await open(text), 'who', { size: 2 })).to.deep.equal({
      texts: ['Ann', 'say "hi" ', null, ' Ann', 'Ann'],
      levels: ['Ann', 'say "hi" ', ' Ann'],
    });
    const many = Array.from({ length: 30_000 }, (_, i) => `id ${i}`);
    const { texts, levels } = await discoverColumn(await open(`id\n${many.join('\n')}\n`), 'id', { most: 9 });
    expect(levels).to.deep.equal(many.slice(0, 9));
    expect(texts.slice(8, 10)).to.deep.equal(['id 8', undefined]);
  });

  it('finds levels in a column of numbers as they are written', async () => {
    expect(await readLevels(await open('zip\n02139\n10001\n'), 'zip', ['10001', '02139'])).to.deep.equal([1, 0]);
  });

  it('has no numbers for a column of text', async () => {
    expect(await failure(async () => readColumn(await open('who\nAnn\n'), 'who'))).to.equal(
      'test.csv, column "who": is text, which is not a number; leave it out',
    );
  });

  it('knows the first cell that makes text of a column of numbers', async () => {
    const { fields } = await open('x,y,who\n1,2,a\n3,,7\n5,$4,b\n6,8.5,c\n7,9,1\n');
    expect(fields.map(({ kind, strayRow }) => [kind, strayRow])).to.deep.equal([
      ['exact', undefined],
      ['text', 2],
      ['text', undefined],
    ]);
  });

  it('takes words that stand for missing numbers for nulls, quoted or not, in columns of numbers alone', async () => {
    const text = 'x,n,who\n1,1,n/a\n n/a ,"#N/A",a\n2.5,2,-\n-,-,7\n3,3,?\n"4",4,b\n';
    const table = await open(text);
    expect(kindsOf(table)).to.deep.equal({ x: 'float', n: 'exact', who: 'text' });
    expect(table.fields[0]!.nullTokens).to.deep.equal(['n/a', '-']);
    expect(await readColumn(table, 'x')).to.deep.equal([1, null, 2.5, null, 3, 4]);
    expect(await readColumn(await open(text), 'n')).to.deep.equal([1, null, 2, null, 3, 4]);
    expect(await readLevels(await open(text), 'who', ['n/a', '-', '?'])).to.deep.equal([0, -1, 1, -1, 2, -1]);
  });

  it('refuses such a word by its row where the sample had none', async () => {
    const text = `x\n${'1\n'.repeat(10_000)}n/a\n2\n`;
    expect(await failure(async () => readColumn(await open(text), 'x'))).to.include(
      'column "x", row 10000, counted from 0: text, where the first rows of the table have whole numbers',
    );
  });

  it('takes a column named like a method for any other', async () => {
    const table = await open('constructor,toString,__proto__\n1,2.5,x\n');
    expect(table.fields.map(({ kind }) => kind)).to.deep.equal(['exact', 'float', 'text']);
  });

  it('gives the same numbers for any chunks, fills and line ends, and with a byte order mark', () => {
    const number = fc.oneof(fc.double({ noNaN: true }), fc.integer(), fc.constant(null));
    const rows = fc.array(fc.tuple(number, number), { minLength: 1, maxLength: 30 });
    return fc.assert(
      fc.asyncProperty(
        rows,
        fc.constantFrom('\n', '\r\n'),
        fc.constantFrom('', '\ufeff'),
        fc.constantFrom(',', ';', '\t'),
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 9 }),
        async (table, newline, mark, delimiter, size, step) => {
          const lines = [['x', 'y'], ...table].map(row => row.map(value => value ?? '').join(delimiter));
          const types = { x: 'float', y: 'float' };
          const opened = () => open(mark + lines.join(newline) + newline, { types }, size);
          const expected = (column: 0 | 1) =>
            table.map(row => row[column]).map(value => (value === null ? null : Number(String(value))));
          expect(await readColumn(await opened(), 'x', step)).to.deep.equal(expected(0));
          expect(await readColumn(await opened(), 'y', step)).to.deep.equal(expected(1));
        },
      ),
      { seed: 1, numRuns: casesOf(200) },
    );
  });

  it('gives frames of at most 8,192 rows, with the wanted fields only', async () => {
    const table = await open(`x,y\n${'1,2\n'.repeat(20_000)}`);
    const sizes: number[] = [];
    for await (const frame of table.frames([1])) {
      sizes.push(frame.rows);
      const request = {
        start: 0,
        count: frame.rows,
        out: new Float64Array(frame.rows),
        missing: new Uint8Array(frame.rows),
      };
      expect(frame.fill({ field: 1, ...request })).to.equal(0);
      expect(() => frame.fill({ field: 0, ...request })).to.throw(
        'field must be one of those requested from frames(), got 0',
      );
      expect(() => frame.fill({ field: 1, ...request, start: 1 })).to.throw('has no rows from 1 to');
    }
    expect(sizes).to.deep.equal([8192, 8192, 3616]);
  });

  it('reads a header without rows as a table without rows', async () => {
    const table = await open('a,b');
    for await (const _ of table.frames([0, 1])) expect.fail('a frame of no rows');
  });

  describe('on a value that does not fit', () => {
    const late = (value: string): string => `x,y\n${'1.5,1\n'.repeat(10_000)}${value},1\n`;

    it('names column, row and the kind of value, never the value', async () => {
      const message = await failure(async () => readColumn(await open(late('secret')), 'x'));
      expect(message).to.equal(
        'test.csv, column "x", row 10000, counted from 0: text, where the first rows of the table have numbers; ' +
          "fix the row, skip such rows with `nulls: 'skip'`, or leave the column out",
      );
      const declared = await failure(async () =>
        readColumn(await open('x,y\ntrue,1\n', { types: { x: 'float' } }), 'x'),
      );
      expect(declared).to.include('row 0, counted from 0: true or false in a column of kind "float" (as declared)');
    });

    it('knows nothing of it where the column is not wanted', async () => {
      expect(await readColumn(await open(late('secret')), 'y')).to.have.length(10_001);
    });

    it('does not mind fractions after whole numbers', async () => {
      const table = await open(`x\n${'1\n'.repeat(10_000)}0.5\nNaN\n`);
      expect((await readColumn(table, 'x')).slice(-2)).to.deep.equal([0.5, Number.NaN]);
    });

    it('reads a whole number beyond 2^53 as the nearest double, unless whole numbers are declared', async () => {
      const text = 'id\n12\n1234567890123456789\n';
      expect(await readColumn(await open(text), 'id')).to.deep.equal([12, 1234567890123456800]);
      const declared = await open(text, { types: { id: 'integer' } });
      expect(await failure(() => readColumn(declared, 'id'))).to.include('; declare the column "float"');
      const rounded = await open(text, { types: { id: 'float' } });
      expect(await readColumn(rounded, 'id')).to.deep.equal([12, 1234567890123456800]);
    });
  });

  it('refuses a declared type for a column that is not there, or that text does not have', async () => {
    expect(await failure(() => open('a,b\n', { types: { c: 'float' } }))).to.equal(
      'test.csv, column "c": has a declared type, but there is no such column; the columns are a, b',
    );
    let message = '';
    await open('a,b\n', { types: { a: 'vector' } }).catch(error => {
      message = error.message;
    });
    expect(message).to.include('types["a"] must be one of float, integer, exact, boolean, time, mixed, text');
  });

  it('ends the stream when it cannot be opened, when the loop is left early, and when it is closed', async () => {
    const watched = (text: string) => {
      const state = { ended: false };
      async function* stream(): AsyncGenerator<Uint8Array> {
        try {
          yield* chunks(text, 8);
          yield* chunks('3\n4\n'.repeat(100_000));
        } finally {
          state.ended = true;
        }
      }
      return { state, stream: stream() };
    };
    const broken = watched('1\n2\n');
    await failure(() => openCsv(broken.stream));
    expect(broken.state.ended).to.equal(true);

    const left = watched('a\n1\n2\n');
    for await (const _ of (await openCsv(left.stream)).frames([0])) break;
    expect(left.state.ended).to.equal(true);

    const closed = watched('a\n1\n2\n');
    const table = await openCsv(closed.stream);
    const frames = table.frames([0])[Symbol.asyncIterator]();
    await frames.next();
    expect(closed.state.ended).to.equal(false);
    await table.close();
    expect(closed.state.ended).to.equal(true);
    expect(await frames.next()).to.deep.equal({ done: true, value: undefined });
  });
});
