import { expect } from 'chai';
import { csvText, splitCsv } from '../../../src/source/text/openCsv.ts';
import type { Split } from '../../../src/source/text/readRecords.ts';
import { LONGEST_RECORD, readRecords } from '../../../src/source/text/readRecords.ts';
import { chunks } from './chunks.ts';
import { failure } from './failure.ts';
import { readCells } from './readCells.ts';

/** Lines as records of one cell. */
const splitLines: Split = (records, begin, end, limit, isLast) => {
  const { bytes, starts, ends } = records;
  let at = begin;
  let row = 0;
  for (; row < limit && at < end; row++) {
    const lineEnd = bytes.indexOf('\n', at);
    if (lineEnd === end && !isLast) break;
    starts[row] = at;
    ends[row] = lineEnd;
    at = Math.min(lineEnd + 1, end);
  }
  records.rows = row;
  return at;
};

const MB = 2 ** 20;
const lines = (bytes: AsyncIterable<Uint8Array>) =>
  readRecords(bytes, { table: 'test', split: splitLines, cells: 1, skip: 0 });
const texts = async (bytes: AsyncIterable<Uint8Array>) => (await readCells(bytes, splitLines, 1, csvText)).flat();

describe('readRecords', () => {
  it('streams 40 MB with at most a chunk more than it has given away, in frames of at most 8,192 rows', async () => {
    const line = Buffer.from('0.25,-17,3.5e2,some text,2024-02-29\n');
    const chunk = Buffer.concat(Array(Math.ceil(65_536 / line.length)).fill(line)).subarray(0, 65_536);
    let produced = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      while (produced < 40 * MB) {
        // The bytes of the same line for ever, whatever the chunk's beginning.
        const phase = produced % line.length;
        const piece = chunk.subarray(phase, phase + line.length * 1800);
        produced += piece.length;
        yield piece;
      }
    }
    const split = splitCsv({ table: 'test', columns: 5, delimiter: 44, isNull: () => false }, [0, 2]);
    const memory = process.memoryUsage().arrayBuffers;
    let taken = 0;
    let rows = 0;
    let most = 0;
    for await (const records of readRecords(endless(), { table: 'test', split, cells: 2, skip: 0 })) {
      expect(records.rows).to.be.within(1, 8192);
      expect(records.firstRow).to.equal(rows);
      expect(records.bytes.length).to.be.at.most(2 * MB);
      rows += records.rows;
      taken += records.size;
      expect(produced - taken).to.be.below(chunk.length + line.length);
      most = Math.max(most, process.memoryUsage().arrayBuffers - memory);
    }
    expect(taken).to.equal(produced);
    expect(rows).to.equal(Math.ceil(produced / line.length));
    expect(most).to.be.below(8 * MB);
  });

  it('takes fewer rows at a time where records are wide', async () => {
    const columns = 5000;
    const row = `${Array(columns).fill('1').join(',')}\n`;
    const wanted = [...Array(columns).keys()];
    const split = splitCsv({ table: 'test', columns, delimiter: 44, isNull: () => false }, wanted);
    let rows = 0;
    for await (const records of readRecords(chunks(row.repeat(500)), {
      table: 'test',
      split,
      cells: columns,
      skip: 0,
    })) {
      expect(records.starts.length).to.be.at.most(2 ** 20);
      rows += records.rows;
    }
    expect(rows).to.equal(500);
  });

  it('gives a record as soon as its line has ended', async () => {
    let ended = 0;
    async function* slow(): AsyncGenerator<Uint8Array> {
      for (const piece of ['one\ntw', 'o\n', 'three']) {
        ended++;
        yield Buffer.from(piece);
      }
    }
    const seen: [string, number][] = [];
    for await (const { bytes, starts, ends, rows } of lines(slow()))
      for (let row = 0; row < rows; row++) seen.push([csvText(bytes, starts[row]!, ends[row]!), ended]);
    expect(seen).to.deep.equal([
      ['one', 1],
      ['two', 2],
      ['three', 3],
    ]);
  });

  it('passes over the bytes that it is told to, whatever the chunks', async () => {
    for (const size of [1, 2, 100]) {
      const rows: string[] = [];
      const options = { table: 'test', split: splitLines, cells: 1, skip: 5 };
      for await (const { bytes, starts, ends, rows: count } of readRecords(chunks('head\na\nb', size), options))
        for (let row = 0; row < count; row++) rows.push(csvText(bytes, starts[row]!, ends[row]!));
      expect(rows).to.deep.equal(['a', 'b']);
    }
  });

  it('holds a record of 16 MB, whether it comes at once or in pieces', async () => {
    const long = 'x'.repeat(LONGEST_RECORD - 10);
    for (const size of [Infinity, 65_536]) {
      const read = await texts(chunks(`a\n${long}\nb\n`, size));
      expect(read.map(text => text?.length)).to.deep.equal([1, long.length, 1]);
      expect(read[1] === long).to.equal(true);
    }
  });

  it('refuses a longer one before the rest of the file is read', async () => {
    let produced = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('a\nb\n');
      for (;;) {
        produced += MB;
        yield Buffer.alloc(MB, 'x');
      }
    }
    expect(await failure(() => texts(endless()))).to.match(
      /^test, row 2, counted from 0: is longer than 16 MB; look for a quote/,
    );
    expect(produced).to.be.at.most(18 * MB);
  });

  it('blames the very record with bytes that are not UTF-8, and gives those before it', async () => {
    for (const bad of [0, 1, 41, 99]) {
      const rows = Array.from({ length: 100 }, (_, i) =>
        i === bad ? Buffer.from('caf\xe9\n', 'latin1') : Buffer.from(`é${i}\n`),
      );
      for (const size of [1, 64, Infinity]) {
        let given = 0;
        const message = await failure(async () => {
          for await (const records of lines(chunks(Buffer.concat(rows), size))) given += records.rows;
        });
        expect(given).to.equal(bad);
        expect(message).to.include(`test, row ${bad}, counted from 0: has bytes that are not UTF-8; convert the file`);
      }
    }
  });

  it('with malformed records as nulls gives up a quote that is open for 16 MB, and goes on after its line @slow', async () => {
    const layout = { table: 'test', columns: 2, delimiter: 44, isNull: () => false } as const;
    const line = Buffer.from('3.5,4.5\n');
    // 17 MB.
    const many = 17 * 2 ** 17;
    const text = Buffer.concat([Buffer.from('1,2\n"1,2\n'), Buffer.alloc(many * line.length, line)]);
    const split = splitCsv({ ...layout, malformed: 'nulls' }, [1]);
    const options = { table: 'test', split, cells: 1, skip: 0, malformed: 'nulls' } as const;
    let [rows, nulls] = [0, 0];
    for await (const records of readRecords(chunks(text, MB), options)) {
      expect(records.firstRow).to.equal(rows);
      for (let row = 0; row < records.rows; row++) if (records.starts[row]! < 0) nulls++;
      rows += records.rows;
    }
    expect([rows, nulls]).to.deep.equal([many + 2, 1]);
    const strict = { ...options, split: splitCsv(layout, [1]), malformed: 'error' } as const;
    expect(
      await failure(async () => {
        for await (const _ of readRecords(chunks(text, MB), strict));
      }),
    ).to.match(/^test, row 1, counted from 0: is longer than 16 MB/);
  });

  it('with malformed records as nulls minds no bytes that are not UTF-8', async () => {
    const text = Buffer.from('a\ncaf\xe9\nb\n', 'latin1');
    const options = { table: 'test', split: splitLines, cells: 1, skip: 0, malformed: 'nulls' } as const;
    let rows = 0;
    for await (const records of readRecords(chunks(text), options)) rows += records.rows;
    expect(rows).to.equal(3);
  });
});
