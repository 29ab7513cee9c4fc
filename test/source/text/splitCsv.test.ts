import { expect } from 'chai';
import fc from 'fast-check';

import { csvText, splitCsv } from '../../../src/source/text/openCsv.ts';
import { casesOf } from '../../laws/holdsForAll.ts';
import { chunks, cutAt } from './chunks.ts';
import { failure } from './failure.ts';
import { readCells } from './readCells.ts';

const COMMA = ','.charCodeAt(0);
const splitter = (columns: number, wanted = [...Array(columns).keys()]) =>
  splitCsv({ table: 'test', columns, delimiter: COMMA, isNull: () => false }, wanted);
const read = (text: string | Uint8Array, columns: number, size?: number) =>
  readCells(chunks(text, size), splitter(columns), columns, csvText);

/** A cell as a writer would write it: in quotes where it must be, and now and then where it need not. */
const written = (cell: string, quoteAll: boolean): string =>
  quoteAll || /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;

const cell = fc.string({
  unit: fc.constantFrom('a', '1', ' ', ',', '"', '\n', '\r', '\t', 'é', '漢', '😀'),
  maxLength: 8,
});
const file = fc
  .record({
    rows: fc
      .integer({ min: 1, max: 4 })
      .chain(columns =>
        fc.array(fc.array(cell, { minLength: columns, maxLength: columns }), { minLength: 1, maxLength: 8 }),
      ),
    quoteAll: fc.boolean(),
    newline: fc.constantFrom('\n', '\r\n'),
    endsWithNewline: fc.boolean(),
  })
  .map(({ rows, quoteAll, newline, endsWithNewline }) => {
    const lines = rows.map(row => row.map(value => written(value, quoteAll)).join(','));
    // Without its newline an empty last line would be no line.
    const end = endsWithNewline || lines.at(-1) === '' ? newline : '';
    return { rows, columns: rows[0]!.length, bytes: Buffer.from(lines.join(newline) + end) };
  });

describe('splitCsv', () => {
  it('reads back what was written, however it is quoted', () =>
    fc.assert(
      fc.asyncProperty(file, fc.integer({ min: 1, max: 9 }), async ({ rows, columns, bytes }, size) => {
        expect(await read(bytes, columns)).to.deep.equal(rows);
        expect(await read(bytes, columns, size)).to.deep.equal(rows);
      }),
      { seed: 1, numRuns: casesOf(500) },
    ));

  it('finds the same rows wherever the bytes are cut', () =>
    fc.assert(
      fc.asyncProperty(file, async ({ rows, columns, bytes }) => {
        for (let place = 0; place <= bytes.length; place++)
          expect(await readCells(cutAt(bytes, place), splitter(columns), columns, csvText)).to.deep.equal(rows);
      }),
      { seed: 2, numRuns: casesOf(30) },
    ));

  it('agrees with a naive splitter where nothing is quoted', () => {
    const line = fc.array(fc.string({ unit: fc.constantFrom('a', '.', '5', '-', 'ü') }), {
      minLength: 3,
      maxLength: 3,
    });
    return fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1 }), async rows => {
        const text = rows.map(row => `${row.join(',')}\n`).join('');
        const naive = text
          .split('\n')
          .slice(0, -1)
          .map(record => record.split(','));
        expect(await read(text, 3, 7)).to.deep.equal(naive);
      }),
      { seed: 3, numRuns: casesOf(200) },
    );
  });

  it('notes the wanted cells only, in the order wanted', async () => {
    const split = splitter(4, [3, 1]);
    expect(await readCells(chunks('a,b,c,d\n"1","2","3","4"\n'), split, 2, csvText)).to.deep.equal([
      ['d', 'b'],
      ['4', '2'],
    ]);
  });

  it('takes quotes inside an unquoted cell as they are', async () => {
    expect(await read('5" pipe,a""b\n', 2)).to.deep.equal([['5" pipe', 'a""b']]);
  });

  it('passes over blank lines between records of several cells', async () => {
    expect(await read('\n1,2\n\n\r\n3,4\n\n', 2, 1)).to.deep.equal([
      ['1', '2'],
      ['3', '4'],
    ]);
  });

  it('takes a blank line for an empty cell where records have one', async () => {
    expect(await read('1\n\r\n\n2', 1, 1)).to.deep.equal([['1'], [''], [''], ['2']]);
  });

  it('gives the rows before a malformed one first', async () => {
    for (const bad of ['3', '3,4,5', '"3"x,4', '"3,4']) {
      for (const size of [1, 3, Infinity]) {
        const split = splitter(2);
        const rows: number[] = [];
        const message = await failure(async () => {
          const counting: typeof split = (records, ...rest) => {
            const at = split(records, ...rest);
            rows.push(records.rows);
            return at;
          };
          await readCells(chunks(`1,2\n${bad}\n5,6\n`, size), counting, 2, csvText);
        });
        expect(rows.reduce((sum, count) => sum + count, 0)).to.equal(1);
        expect(message).to.match(/^test, row 1, counted from 0: /);
      }
    }
  });

  it('refuses ragged rows with the counts', async () => {
    expect(await failure(() => read('1,2\n3\n', 2))).to.include(
      'row 1, counted from 0: 1 cell under a header of 2; fix the row',
    );
    expect(await failure(() => read('1,2\n3,4,5\n', 2))).to.include(
      'row 1, counted from 0: 3 cells under a header of 2',
    );
  });

  it('refuses a quote that is never closed', async () => {
    expect(await failure(() => read('1,2\n"3,4\n5,6\n', 2))).to.include(
      'row 1, counted from 0: a quote opened there is never closed',
    );
    expect(await failure(() => read('1,"', 2))).to.include('row 0, counted from 0: a quote');
  });

  it('refuses text behind a closing quote', async () => {
    expect(await failure(() => read('"1"2,3\n', 2))).to.include('text between a closing quote and the end of its cell');
    expect(await failure(() => read('"1"\r,3\n', 2))).to.include('text between a closing quote');
  });

  describe('with malformed records as nulls', () => {
    const lenient = (text: string | Uint8Array, size?: number) => {
      const layout = { table: 'test', columns: 2, delimiter: COMMA, isNull: () => false };
      return readCells(chunks(text, size), splitCsv({ ...layout, malformed: 'nulls' }, [0, 1]), 2, csvText);
    };

    it('makes one row of a malformed line, and leaves its neighbours alone, wherever the bytes are cut', async () => {
      for (const bad of ['3', '3,4,5', '"3"x,4', '"3,4', '3,"', '3,"4', '"', '"3"\r,4', '"3""', '"3" ,4']) {
        for (const after of ['5,6\n', '5,"6"\n7,8\n', '', '5,6\n"7,8\n9,10\n', '5,6\n7",8\n9,10\n', '5,6\n7,8"\n']) {
          for (const size of [1, 2, 3, 7, Infinity]) {
            const rows = await lenient(`1,2\n${bad}\n${after}`, size);
            const untouched = await lenient(`1,2\n3,4\n${after}`, size);
            expect(rows, `${bad} ${size}`).to.deep.equal([['1', '2'], [null, null], ...untouched.slice(2)]);
          }
        }
      }
    });

    it('takes every line for a row, also where quotes would go on', async () => {
      for (const size of [1, 2, 5, Infinity])
        expect(await lenient('1,"a\nb"\n3\n"c,""d""",5\r\n"\n"6",7', size)).to.deep.equal([
          [null, null],
          [null, null],
          [null, null],
          ['c,"d"', '5'],
          [null, null],
          ['6', '7'],
        ]);
    });

    it('finds the same other rows whatever is in one of them', () => {
      const line = fc
        .string({ unit: fc.constantFrom('a', '1', ',', '"', '\r'), minLength: 1, maxLength: 6 })
        .filter(text => text !== '\r');
      return fc.assert(
        fc.asyncProperty(
          fc.array(line, { maxLength: 4 }),
          fc.array(line, { maxLength: 4 }),
          line,
          line,
          async (before, after, one, other) => {
            const rowsWith = (text: string) => lenient([...before, text, ...after].map(row => `${row}\n`).join(''));
            const [found, expected] = [await rowsWith(one), await rowsWith(other)];
            found[before.length] = expected[before.length]!;
            expect(found).to.deep.equal(expected);
          },
        ),
        { seed: 4, numRuns: casesOf(500) },
      );
    });
  });
});
