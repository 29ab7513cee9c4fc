import { truncateSync } from 'node:fs';
import { DuckDBConnection } from '@duckdb/node-api';
import { expect } from 'chai';
import fc from 'fast-check';
import { ArgumentError, DataError } from '../../../src/errors.ts';
import { openParquet } from '../../../src/source/parquet/openParquet.ts';
import type { Frame, Table } from '../../../src/source/table/table.ts';
import { casesOf } from '../../laws/holdsForAll.ts';
import { discoverColumn } from '../../support/discoverColumn.ts';
import { craftParquet, dictionary, doubles, page, pageV2, prefixed } from './support/craftParquet.ts';
import { fixture, fixtures, pathOf } from './support/fixtures.ts';
import { readColumn, readPiece } from './support/readColumn.ts';
import { temporaryFiles } from './support/temporaryFiles.ts';

const cells = fixtures.flatMap(({ columns }) => Object.values(columns).flat());
/** The texts of all fixtures, between two that none of them holds. */
const levels = ['nowhere', ...new Set(cells.filter(cell => typeof cell === 'string')), 'never'];

const levelsFor = (table: Table, name: string): readonly string[] | undefined =>
  table.fields.find(field => field.name === name)?.kind === 'text' ? levels : undefined;

/** Opens, uses and closes. */
async function using<T>(path: string, use: (table: Table) => Promise<T>): Promise<T> {
  const table = await openParquet(path);
  try {
    return await use(table);
  } finally {
    await table.close();
  }
}

async function failure(promise: Promise<unknown>): Promise<Error> {
  try {
    await promise;
  } catch (error) {
    return error as Error;
  }
  throw new Error('nothing was refused');
}

async function firstFrame(table: Table, fields: readonly number[]): Promise<Frame> {
  for await (const frame of table.frames(fields)) return frame;
  throw new Error('there is no frame');
}

describe('openParquet', () => {
  const write = temporaryFiles();

  for (const { file, columns } of fixtures) {
    it(`reads ${file}`, () =>
      using(pathOf(file), async table => {
        for (const [name, expected] of Object.entries(columns)) {
          for (const size of [Infinity, 7]) {
            const found = await readColumn(table, name, size, levelsFor(table, name));
            expect(found, name).to.deep.equal(expected);
          }
          expect(table.rows).to.equal(expected.length);
        }
      }));
  }

  it('fills any rows in any order as if it had filled them all', () =>
    using(pathOf('long-v1.parquet'), async table => {
      const { columns } = fixture('long-v1.parquet');
      for (const [field, { name }] of table.fields.entries()) {
        const frame = await firstFrame(table, [field]);
        const piece = fc
          .tuple(fc.nat(frame.rows), fc.nat(frame.rows))
          .map(([a, b]) => ({ start: Math.min(a, b), count: Math.abs(a - b) }));
        await fc.assert(
          fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 6 }), async pieces => {
            for (const { start, count } of pieces) {
              const found = await readPiece(frame, field, { start, count });
              expect(found).to.deep.equal(columns[name]!.slice(start, start + count));
            }
          }),
          { seed: 1, numRuns: casesOf(60) },
        );
      }
    }));

  it('names the types as the format does', () =>
    using(pathOf('nested.parquet'), async table => {
      expect(table).to.include({ format: 'parquet', name: pathOf('nested.parquet'), rows: 4 });
      expect(table.fields.map(({ name, kind, type }) => [name, kind, type])).to.deep.equal([
        ['list', 'unsupported', 'LIST'],
        ['map', 'unsupported', 'MAP'],
        ['struct.x', 'float', 'DOUBLE'],
        ['struct.y.z', 'exact', 'INT64'],
        ['plain', 'float', 'DOUBLE'],
        ['binary', 'unsupported', 'BYTE_ARRAY'],
        ['uuid', 'unsupported', 'FIXED_LEN_BYTE_ARRAY(16)'],
        ['null', 'unsupported', 'INT32 (NULL)'],
      ]);
    }));

  it('has no frames of no row groups, and none with rows of no rows', async () => {
    for (const file of ['no-rows.parquet', 'no-row-groups.parquet']) {
      await using(pathOf(file), async table => {
        expect(table.rows).to.equal(0);
        expect(await readColumn(table, 'double')).to.deep.equal([]);
      });
    }
  });

  it('can be iterated again, and by several at once', () =>
    using(pathOf('codec-zstd-v2.parquet'), async table => {
      const { columns } = fixture('codec-zstd-v2.parquet');
      const found = await Promise.all([1, 2, 3].map(() => readColumn(table, 'nulls', 11)));
      for (const column of found) expect(column).to.deep.equal(columns['nulls']);
    }));

  it('finds levels by the first of equal ones, and -1 for what is none', () =>
    using(pathOf('codec-none-v1.parquet'), async table => {
      const texts = fixture('codec-none-v1.parquet').columns['text']!;
      for (const asked of [['grün', 'red', 'red'], ['red'], []]) {
        const found = await readColumn(table, 'text', 13, asked);
        expect(found).to.deep.equal(texts.map(text => (asked.includes(text as string) ? text : 'level -1')));
      }
    }));

  it('takes other levels for the rows of the same frame', () =>
    using(pathOf('codec-none-v1.parquet'), async table => {
      const expected = fixture('codec-none-v1.parquet').columns['text']!.slice(0, 40);
      const field = table.fields.findIndex(({ name }) => name === 'text');
      const frame = await firstFrame(table, [field]);
      const piece = { start: 0, count: 40 };
      const growing = ['red'];
      for (const asked of [['red'], ['blue', 'red'], growing, growing, ['grün']]) {
        if (asked === growing) {
          const memory = { out: new Float64Array(40), missing: new Uint8Array(40) };
          await frame.discoverLevels({
            field,
            ...piece,
            ...memory,
            levels: growing,
            most: 2 + growing.length,
          });
          expect(Array.from(memory.out, rank => growing[rank] ?? 'none')).to.deep.equal(
            expected.map(text => (growing.includes(text as string) ? text : 'none')),
          );
        } else {
          expect(await readPiece(frame, field, piece, asked)).to.deep.equal(
            expected.map(text => (asked.includes(text as string) ? text : 'level -1')),
          );
        }
      }
      expect(growing).to.have.members([...new Set(expected)]);
    }));

  it('discovers the levels of texts in every encoding and compression, in pieces of any size', async () => {
    let columnsSeen = 0;
    for (const { file, columns } of fixtures) {
      await using(pathOf(file), async table => {
        for (const { name } of table.fields.filter(({ kind }) => kind === 'text')) {
          const expected = columns[name];
          if (expected === undefined) continue;
          columnsSeen++;
          const distinct = [...new Set(expected.filter(text => text !== null))];
          for (const size of [Infinity, 13]) {
            const { texts, levels: found } = await discoverColumn(table, name, { size });
            expect(texts, `${file}, ${name}`).to.deep.equal(expected);
            expect(found).to.have.members(distinct);
          }
          const { texts, levels: first } = await discoverColumn(table, name, { size: 7, most: 2 });
          expect(first).to.have.length(Math.min(2, distinct.length));
          expect(texts).to.deep.equal(
            expected.map(text => (text === null || first.includes(text as string) ? text : undefined)),
          );
        }
      });
    }
    expect(columnsSeen).to.be.above(20);
  });

  it('reads whole numbers and decimals of any length as the nearest doubles', () =>
    using(pathOf('beyond.parquet'), async table => {
      const connection = await DuckDBConnection.create();
      for (const { name } of table.fields) {
        const asked = `SELECT CAST("${name}" AS VARCHAR) FROM '${pathOf('beyond.parquet')}'`;
        const texts = (await connection.runAndReadAll(asked)).getRows().map(([text]) => text);
        const expected = texts.map(text => (text === null ? null : Number(text)));
        expect(await readColumn(table, name, 2), name).to.deep.equal(expected);
        expect(
          expected.some(value => Math.abs(value ?? 0) > 2 ** 53 || !Number.isInteger(value)),
          name,
        ).to.equal(true);
      }
      connection.closeSync();
    }));

  describe('refuses, by name', () => {
    const refused = async (path: string, message: string | RegExp, name = 'x'): Promise<void> => {
      const error = await failure(using(path, table => readColumn(table, name, 10, levelsFor(table, name))));
      expect(error).to.be.instanceOf(DataError);
      expect(error.message.startsWith(path), error.message).to.equal(true);
      expect(error.message).to.match(typeof message === 'string' ? new RegExp(`${message}`) : message);
    };

    it('what is no file', async () => {
      await refused(pathOf('absent.parquet'), 'there is no such file');
      await refused(pathOf('.'), 'is a folder');
    });

    it('what is no Parquet file, and what is one in part', async () => {
      const whole = craftParquet({ pages: [page(1, doubles(1))], rows: 1 });
      await refused(write(Buffer.alloc(0)), 'it has 0 bytes');
      await refused(write(Buffer.from('PAR1')), 'it has 4 bytes');
      await refused(write(Buffer.from('a,b\n1,2\n3,4\n5,6\n')), 'does not begin and end with PAR1');
      await refused(write(whole.subarray(0, -1)), 'does not begin and end with PAR1');
      await refused(
        write(Buffer.from('PAR1\xff\xff\xff\x00PAR1', 'latin1')),
        'a footer of 16777215 bytes does not fit',
      );
    });

    it('what is encrypted', async () => {
      await refused(pathOf('encrypted.parquet'), 'is encrypted; decrypt it first');
      await refused(pathOf('encrypted-column.parquet'), 'column "double": is encrypted', 'double');
      await using(pathOf('encrypted-column.parquet'), async table => {
        const integers = fixture('codec-none-v1.parquet').columns['integer']!;
        expect(await readColumn(table, 'open')).to.deep.equal(integers.slice(0, 20));
      });
    });

    it('what is in another file', () =>
      refused(
        pathOf('elsewhere.parquet'),
        'column "text": is stored in another file, "codec-none-v1.parquet"',
        'text',
      ));

    it('columns that hold no numbers, and no texts', async () => {
      await refused(pathOf('nested.parquet'), 'column "list": is LIST, which is not a number; leave it out', 'list');
      await using(pathOf('codec-none-v1.parquet'), async table => {
        expect((await failure(readColumn(table, 'text'))).message).to.include('is not a number; declare its levels');
        expect((await failure(readColumn(table, 'double', 9, ['a']))).message).to.include('which has no levels');
      });
    });

    it('a file that becomes shorter, and one that is closed', async () => {
      const path = write(craftParquet({ pages: [page(1, doubles(1))], rows: 1 }));
      await using(path, async table => {
        truncateSync(path, 10);
        expect((await failure(readColumn(table, 'x'))).message).to.include('became shorter while it was being read');
      });
      const table = await openParquet(pathOf('codec-none-v1.parquet'));
      await table.close();
      expect((await failure(readColumn(table, 'double'))).message).to.include('is closed');
    });

    // Each is the file of a double column with one thing wrong.
    const three = page(3, doubles(1, 2, 3));
    const encoded = (encoding: number, ...bytes: number[]): Buffer => page(3, Buffer.from(bytes), { 2: encoding });
    const wrong: Record<string, [craft: Parameters<typeof craftParquet>[0], message: RegExp]> = {
      'pages with too few rows': [{ pages: [three], rows: 4 }, /its pages end after 3 of 4 rows/],
      'pages with too many rows': [{ pages: [three, three], rows: 4 }, /its pages have more than 4 rows/],
      'a count of values that is not the count of rows': [
        { pages: [three], rows: 3, metadata: { 5: 2 } },
        /a row group of 3 rows has 2 values/,
      ],
      'a page with too few bytes': [{ pages: [page(3, doubles(1, 2))], rows: 3 }, /need 24 bytes, but have 16/],
      'a page with too many bytes': [{ pages: [page(3, doubles(1, 2, 3, 4))], rows: 3 }, /need 24 bytes, but have 32/],
      'a page beyond its column': [{ pages: [three], rows: 3, metadata: { 7: 40 } }, /a page ends at byte/],
      'a column beyond the data': [{ pages: [three], rows: 3, metadata: { 7: 4000 } }, /its pages end at byte 4004/],
      'a column before the data': [
        { pages: [three], rows: 3, metadata: { 9: -4 } },
        /-4 is not a valid number of bytes/,
      ],
      'a column of less than nothing': [
        { pages: [three], rows: 3, metadata: { 7: -4 } },
        /-4 is not a valid number of bytes/,
      ],
      'a page of less than nothing': [
        { pages: [page(3, doubles(1, 2, 3), {}, { 3: -1 })], rows: 3 },
        /-1 is not a valid number of bytes/,
      ],
      'a page of minus one rows': [{ pages: [page(-1, doubles())], rows: 3 }, /-1 is not a valid number of rows/],
      'a page of another length than it says': [
        { pages: [page(3, doubles(1, 2, 3), {}, { 2: 25 })], rows: 3 },
        /a page of 25 bytes is stored as 24/,
      ],
      'a page without a header of its kind': [
        { pages: [page(3, doubles(1, 2, 3), {}, { 5: undefined })], rows: 3 },
        /it does not say how many rows/,
      ],
      'an encoding of another type': [
        { pages: [encoded(5, 1, 2, 3)], rows: 3 },
        /DOUBLE cannot be decoded from DELTA_BINARY_PACKED/,
      ],
      'an encoding that does not exist': [
        { pages: [encoded(77)], rows: 3 },
        /DOUBLE cannot be decoded from an unknown encoding/,
      ],
      'indices without a dictionary': [{ pages: [encoded(8, 1, 6, 0)], rows: 3 }, /a dictionary that is not there/],
      'repeated indices beyond the dictionary': [
        { pages: [dictionary(2, doubles(5, 6)), encoded(8, 2, 6, 3)], rows: 3 },
        /entry 3 of a dictionary of 2/,
      ],
      'packed indices beyond the dictionary': [
        { pages: [dictionary(2, doubles(5, 6)), encoded(8, 2, 3, 0b100100, 0, 0, 0)], rows: 3 },
        /entry 2 of a dictionary of 2/,
      ],
      'indices that end early': [
        { pages: [dictionary(1, doubles(5)), encoded(8, 1, 4, 0)], rows: 3 },
        /column "x": is damaged/,
      ],
      'indices of too many bits': [
        { pages: [dictionary(1, doubles(5)), encoded(8, 33, 6, 0, 0, 0, 0, 0)], rows: 3 },
        /33 bits are beyond the format/,
      ],
      'a run whose length does not end': [
        { pages: [dictionary(1, doubles(5)), encoded(8, 1, 255, 255, 255, 255, 255, 255, 1, 0)], rows: 3 },
        /the length of a run is not terminated/,
      ],
      'a dictionary with too few bytes': [
        { pages: [dictionary(3, doubles(5)), three], rows: 3 },
        /3 values need 24 bytes, but have 8/,
      ],
      'a dictionary in an encoding': [
        { pages: [dictionary(1, doubles(5), { 2: 8 }), three], rows: 3 },
        /a dictionary is encoded as RLE_DICTIONARY/,
      ],
      'a second dictionary': [
        { pages: [dictionary(1, doubles(5)), dictionary(1, doubles(5)), three], rows: 3 },
        /its dictionary is not its first page/,
      ],
      'levels beyond their page': [
        { element: { 3: 1 }, pages: [page(3, Buffer.from([200, 0, 0, 0, 6, 1]))], rows: 3 },
        /200 bytes are announced, but 2 follow/,
      ],
      'nulls that the header counts otherwise': [
        { element: { 3: 1 }, pages: [pageV2(3, Buffer.from([6, 0]), doubles(), { 2: 2 })], rows: 3 },
        /a page has 3 nulls, but its header says 2/,
      ],
      'levels longer than their page': [
        { element: { 3: 1 }, pages: [pageV2(3, Buffer.from([6, 1]), doubles(), { 5: 70 })], rows: 3 },
        /levels of 70 bytes are in a page of 2/,
      ],
      'a compression that is not known': [
        { pages: [three], rows: 3, metadata: { 4: 99 } },
        /its compression codec 99 is unknown/,
      ],
      'a compression that is not supported': [
        { pages: [three], rows: 3, metadata: { 4: 3 } },
        /is compressed with LZO, which cannot be read; write it with ZSTD/,
      ],
      'bytes that do not decompress': [
        { pages: [three], rows: 3, metadata: { 4: 1 } },
        /column "x": the snappy data do not decode/,
      ],
      'a column without metadata': [
        { pages: [three], rows: 3, chunk: { 3: undefined } },
        /does not say where its values/,
      ],
      'a column that is another': [
        { pages: [three], rows: 3, metadata: { 3: ['y'] } },
        /has "y" in place of this column/,
      ],
      'a column of another type': [{ pages: [three], rows: 3, metadata: { 1: 2 } }, /a row group stores it as INT64/],
      'a row group without columns': [
        { pages: [three], rows: 3, rowGroup: { 1: [] } },
        /does not say where its values/,
      ],
      'rows that do not add up': [{ pages: [three], rows: 3, file: { 3: 4 } }, /have 3 rows in total, not 4/],
      'a row group of minus one rows': [
        { pages: [three], rows: 3, rowGroup: { 3: -1 } },
        /-1 is not a valid number of rows/,
      ],
      'a schema that ends early': [{ pages: [three], rows: 3, file: { 2: [{ 4: 'root', 5: 2 }] } }, /ends early/],
      'a schema that does not end': [
        {
          pages: [three],
          rows: 3,
          file: {
            2: [
              { 4: 'root', 5: 0 },
              { 1: 5, 4: 'x' },
            ],
          },
        },
        /its schema uses 1 of its 2 elements/,
      ],
    };
    for (const [what, [craft, message]] of Object.entries(wrong)) {
      it(what, () => refused(write(craftParquet(craft)), message));
    }
  });

  describe('reads what no writer of today writes', () => {
    const values = async (bytes: Buffer, asked?: readonly string[]) =>
      using(write(bytes), table => readColumn(table, 'x', 2, asked));

    it('definition levels in the encoding BIT_PACKED', async () => {
      const levelBits = Buffer.from([0b10110000, 0b10000000]);
      const body = Buffer.concat([levelBits, doubles(1, 2, 3, 4)]);
      const craft = { element: { 3: 1 }, pages: [page(9, body, { 3: 4 })], rows: 9 };
      expect(await values(craftParquet(craft))).to.deep.equal([1, null, 2, 3, null, null, null, null, 4]);
    });

    it('decimals of any number of bytes', async () => {
      const bodies = ['\x05', '\xff', '\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01', '\xff\xff\xff\x85', '\x00\xff'];
      const body = Buffer.concat(bodies.map(text => prefixed(Buffer.from(text, 'latin1'))));
      const craft = { element: { 1: 6, 6: 5, 7: 1, 8: 30 }, pages: [page(5, body)], rows: 5 };
      expect(await values(craftParquet(craft))).to.deep.equal([0.5, -0.1, 0.1, -12.3, 25.5]);
    });

    it('texts that are enumerations or JSON', async () => {
      const body = Buffer.concat([prefixed('a'), prefixed('b'), prefixed('a')]);
      for (const converted of [0, 4, 19]) {
        const craft = { element: { 1: 6, 6: converted }, pages: [page(3, body)], rows: 3 };
        expect(await values(craftParquet(craft), ['b', 'a'])).to.deep.equal(['a', 'b', 'a']);
      }
    });

    it('pages of no rows, pages of indexes, and headers of many kilobytes', async () => {
      const index = page(0, doubles(7, 7), {}, { 1: 1, 5: undefined });
      const wordy = page(2, doubles(3, 4), { 5: { 1: 'a'.repeat(100_000), 2: 'b'.repeat(100_000) } });
      const craft = { pages: [index, page(0, doubles()), page(2, doubles(1, 2)), wordy], rows: 4 };
      expect(await values(craftParquet(craft))).to.deep.equal([1, 2, 3, 4]);
    });
  });

  it('refuses requests beyond the frame, and of fields that were not asked for', () =>
    using(pathOf('codec-none-v1.parquet'), async table => {
      const frame = await firstFrame(table, [0]);
      const fill = (request: object) => () =>
        frame.fill({
          field: 0,
          start: 0,
          count: 1,
          out: new Float64Array(9),
          missing: new Uint8Array(9),
          ...request,
        });
      expect(fill({ field: 1 })).to.throw(ArgumentError, 'field must be one of those requested from frames(), got 1');
      expect(fill({ start: -1 })).to.throw(ArgumentError, 'start must be a whole number from 0 to 75, got -1');
      expect(fill({ start: 70, count: 6 })).to.throw(ArgumentError, 'count must be a whole number from 0 to 5, got 6');
      expect(fill({ count: 10 })).to.throw(ArgumentError, 'count must be a whole number from 0 to 9, got 10');
      expect(fill({ start: 75, count: 0 })()).to.equal(0);
      expect(await failure(firstFrame(table, [4]))).to.be.instanceOf(ArgumentError);
    }));
});
