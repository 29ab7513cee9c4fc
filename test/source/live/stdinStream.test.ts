import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { tableFromArrays, tableToIPC } from 'apache-arrow';
import { expect } from 'chai';
import fc from 'fast-check';
import { stdinStream } from '../../../src/source/live/stdinStream.ts';
import { failureOf, OPEN, readLive } from '../../support/liveRows.ts';

/** The bytes in pieces of these lengths, in turn, in memory that is used again. */
async function* pieces(bytes: Uint8Array | string, lengths: readonly number[]): AsyncGenerator<Uint8Array> {
  const all = Buffer.from(bytes);
  const memory = Buffer.alloc(Math.max(...lengths));
  for (let at = 0, k = 0; at < all.length; k++) {
    const length = Math.min(lengths[k % lengths.length]!, all.length - at);
    all.copy(memory, 0, at, at + length);
    yield memory.subarray(0, length);
    at += length;
  }
}

const numbers = (rows: readonly { readonly x?: unknown }[]): unknown[] => rows.map(({ x }) => x);

const ndjson = (rows: number): string => Array.from({ length: rows }, (_, x) => `{"x":${x},"s":"é${x}"}\n`).join('');
const csv = (rows: number): string => `s,x\r\n${Array.from({ length: rows }, (_, x) => `"é,${x}",${x}\r\n`).join('')}`;
const arrow = (rows: number): Uint8Array =>
  tableToIPC(tableFromArrays({ x: Float64Array.from({ length: rows }, (_, x) => x) }), 'stream');

describe('stdinStream', () => {
  it('gives the same rows however its bytes are cut, and the rest of them from any position', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 30 }),
        fc.constantFrom(ndjson, csv, arrow),
        fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 5 }),
        fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 5 }),
        fc.nat(),
        async (rows, format, cuts, others, pick) => {
          const whole = await readLive(stdinStream(pieces(format(rows), cuts)));
          expect(numbers(whole.rows)).to.deep.equal([...Array(rows).keys()]);
          if (format !== arrow) expect(whole.rows.at(-1)!.s).to.match(/^é/);
          const at = pick % rows;
          const rest = await readLive(stdinStream(pieces(format(rows), others)), { from: whole.positions[at]! });
          expect(numbers(rest.rows)).to.deep.equal([...Array(rows).keys()].slice(at + 1));
        },
      ),
      { seed: 5, numRuns: 150 },
    );
  });

  it('gives a row as soon as its line is complete, and a batch of Arrow as soon as it is there', async () => {
    for (const [first, second] of [
      ['{"x":1}\n{"x"', ':2}\n'],
      ['x,second\n1,2\n', '2,3\n'],
      [arrow(1).slice(0, -8), arrow(1).slice(-8)],
    ] as const) {
      const stdin = new PassThrough();
      const opened = await stdinStream(stdin).open(OPEN);
      const arrivals = opened.arrivals[Symbol.asyncIterator]();
      stdin.write(Buffer.from(first));
      expect((await arrivals.next()).value.batch.numRows).to.equal(1);
      stdin.end(Buffer.from(second));
      while (!(await arrivals.next()).done);
      await opened.close();
    }
  });

  it('buries lines that cannot be read, each by itself, and goes on', async () => {
    const lines = ['s,x', 'a,1', 'b,"2', '', '"c",3', 'd', '"e"f,5', 'g,text', 'h,', 'NA,9'];
    const { rows, letters } = await readLive(stdinStream(pieces(lines.join('\n'), [1000])));
    expect(rows).to.deep.equal([
      { s: 'a', x: 1 },
      { s: 'c', x: 3 },
      { s: 'h', x: null },
      { s: null, x: 9 },
    ]);
    expect(
      letters.map(({ place, reason, record }) => [(place as { lines: number }).lines, reason, record]),
    ).to.deep.equal([
      [2, 'a quote opened there is never closed', 'b,"2'],
      [5, '1 cell under a header of 2', 'd'],
      [6, 'there is text between a closing quote and the end of its cell', '"e"f,5'],
      [7, 'column "x" has text, but numbers in this stream', 'g,text'],
    ]);
  });

  it('takes a blank line of one column for a null, as the reader of files does, and passes over others', async () => {
    const { rows } = await readLive(stdinStream(pieces('x\n1\n\n2\n\n', [100])));
    expect(numbers(rows)).to.deep.equal([1, null, 2, null]);
    expect(numbers((await readLive(stdinStream(pieces('{"x":1}\n\n \r\n{"x":2}\n', [100])))).rows)).to.deep.equal([
      1, 2,
    ]);
  });

  it('passes over a line without an end in bounded memory', async () => {
    async function* endless(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('{"x":1}\n{"x":"');
      const part = Buffer.alloc(2 ** 20, 'a');
      for (let k = 0; k < 64; k++) yield part;
      yield Buffer.from('"}\n{"x":2}\n');
    }
    const before = process.memoryUsage().rss;
    const { rows, letters } = await readLive(stdinStream(endless()));
    expect(numbers(rows)).to.deep.equal([1, 2]);
    expect(letters.map(({ reason }) => reason)).to.deep.equal(['is longer than 16 MB']);
    expect(letters[0]!.record).to.have.length(2001);
    expect(process.memoryUsage().rss - before).to.be.below(100e6);
  });

  it('refuses to go on with input that begins otherwise, or ends before', async () => {
    for (const format of [ndjson, csv, arrow]) {
      const { last } = await readLive(stdinStream(pieces(format(5), [1000])));
      const from = { after: last, rows: 0 };
      const shorter = await failureOf(readLive(stdinStream(pieces(format(4), [1000])), { from }));
      expect(shorter.message).to.match(/has ended after 4 (lines|rows), but 5 were used before/);
      expect(shorter.code).to.equal('ERR_CHANGED');
    }
    const { last } = await readLive(stdinStream(pieces(ndjson(5), [1000])));
    const other = readLive(stdinStream(pieces('{"x":9}\n', [1000])), { from: { after: last, rows: 0 } });
    expect((await failureOf(other)).message).to.match(/does not begin as it did when it was read before/);
  });

  it('refuses a private run, an empty input, a file that is no stream, and a header without a declared column', async () => {
    const error = await failureOf(
      readLive(stdinStream(pieces('', [1])), { forPrivate: true, columns: { x: 'number' } }),
    );
    expect(error.code).to.equal('ERR_NOT_PRIVATE');
    expect((await failureOf(readLive(stdinStream(pieces('', [1]))))).message).to.match(/is empty/);
    const file = tableToIPC(tableFromArrays({ x: [1] }), 'file');
    expect((await failureOf(readLive(stdinStream(pieces(file, [9]))))).message).to.match(/write an Arrow stream/);
    const lacking = readLive(stdinStream(pieces('a,b\n1,2\n', [9])), { columns: { a: 'number', c: 'number' } });
    expect((await failureOf(lacking)).message).to.match(/column "c": is not in the header; the columns are a, b/);
  });

  it('ends when it is closed while nothing comes, and lets the input go', async () => {
    const stdin = new PassThrough();
    const opened = await stdinStream(stdin).open(OPEN);
    const first = opened.arrivals[Symbol.asyncIterator]().next();
    await new Promise(setImmediate);
    await opened.close();
    expect((await first).done).to.equal(true);
    if (!stdin.destroyed) {
      stdin.end();
      await once(stdin, 'close');
    }
  });
});
