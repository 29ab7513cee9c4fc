import { execFileSync } from 'node:child_process';
import { createReadStream, createWriteStream, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Table as ArrowTable, makeVector, tableToIPC } from 'apache-arrow';
import { expect } from 'chai';
import { ArgumentError } from '../../../src/errors.ts';
import { openArrowStream } from '../../../src/source/arrow/openArrowStream.ts';
import { chunked, withFile } from '../../support/arrowFiles.ts';
import { flatbufferOf, framed, type Members, messageOf } from '../../support/arrowFlatbuffer.ts';
import { observeReads } from '../../support/arrowReads.ts';
import { refusal } from '../../support/arrowRefusal.ts';
import { contentsOf, fixture, openFixture, recorded } from '../../support/arrowTables.ts';
import { itOnUnix } from '../../support/itWhere.ts';

const doubles = (batches: number, rows: number): Uint8Array => {
  const column = (batch: number, k: number) =>
    makeVector(Float64Array.from({ length: rows }, (_, i) => batch * rows + i + k / 10));
  const tables = Array.from(
    { length: batches },
    (_, b) => new ArrowTable({ x: column(b, 0), y: column(b, 1), z: column(b, 2) }),
  );
  return tableToIPC(new ArrowTable(tables.flatMap(table => table.batches)), 'stream');
};

describe('openArrowStream', () => {
  describe('on streams that pyarrow wrote', () => {
    const names = [
      'numbers.arrows',
      'numbers.zstd.arrows',
      'times.arrows',
      'times.zstd.arrows',
      'texts.arrows',
      'texts.zstd.arrows',
    ];
    for (const name of [...names, 'legacy.arrows', 'growing.arrows', 'changing.arrows']) {
      it(`reads ${name} as pyarrow does, from a file and from chunks`, async () => {
        const { levels, ...expected } = recorded(name.split('.')[0]!);
        const table = await openFixture(name);
        expect(table.rows).to.equal(null);
        expect(table.format).to.equal('arrow-stream');
        expect(await contentsOf(table, { levels })).to.deep.equal(expected);
        const bytes = readFileSync(fixture(name));
        for (const size of [1, 7, 100000]) {
          const piped = await openArrowStream(chunked(bytes, size));
          expect(piped.name).to.equal('standard input');
          expect(await contentsOf(piped, { levels, piece: 3 })).to.deep.equal(expected);
        }
      });
    }

    it('reads metadata of version 4', async () => {
      const { levels, columns } = recorded('others');
      const contents = await contentsOf(await openFixture('others.v4.arrows'), { levels });
      expect(contents.columns['last']).to.deep.equal(columns['last']!.slice(0, 5));
      expect(contents.columns['after map']).to.deep.equal(columns['after map']!.slice(0, 5));
    });
  });

  it('reads a file again, and of its bodies only what is asked for', async () => {
    await withFile(doubles(3, 5000), async path => {
      const table = await openArrowStream(path, 'doubles');
      expect(table.name).to.equal('doubles');
      const out = new Float64Array(new SharedArrayBuffer(8000));
      for (const _ of [1, 2]) {
        await observeReads(async reads => {
          let row = 0;
          for await (const frame of table.frames([1])) {
            await frame.fill({ field: 1, start: 4000, count: 1000, out, missing: new Uint8Array(1000) });
            expect([out[0], out[999]]).to.deep.equal([row + 4000.1, row + 4999.1]);
            row += frame.rows;
          }
          expect(row).to.equal(15000);
          expect(reads.bytes).to.be.within(24000, 28000);
        });
      }
      await table.close();
    });
  });

  it('holds one batch of a stream at a time, in the same memory', async () => {
    const bytes = doubles(200, 4096);
    const table = await openArrowStream(chunked(bytes, 65536));
    const [out, missing] = [new Float64Array(4096), new Uint8Array(4096)];
    const before = process.memoryUsage().arrayBuffers;
    let [most, frames] = [0, 0];
    for await (const frame of table.frames([0, 1, 2])) {
      for (const field of [0, 1, 2]) await frame.fill({ field, start: 0, count: 4096, out, missing });
      expect(out[4095]).to.equal(frames * 4096 + 4095.2);
      frames++;
      most = Math.max(most, process.memoryUsage().arrayBuffers - before);
    }
    expect(frames).to.equal(200);
    // Chunks that were read wait for the collector; a body of 98 KB held 200 times would be 20 MB on top of them.
    expect(most).to.be.below(bytes.length + 2 * 98304 + 65536);
  });

  it('counts the rows of a stream that ends without its mark', async () => {
    const bytes = doubles(2, 10);
    const table = await openArrowStream(chunked(bytes.subarray(0, -8), 999));
    expect((await contentsOf(table)).rows).to.deep.equal([10, 10]);
  });

  it('passes once, and releases the stream when it is left early, read to its end, refused or closed', async () => {
    const bytes = readFileSync(fixture('numbers.arrows'));
    const left = chunked(bytes, 1000);
    const table = await openArrowStream(left, 'a pipe');
    const iterate = async (): Promise<void> => {
      for await (const _ of table.frames([0])) break;
    };
    await iterate();
    expect(left.released).to.equal(true);
    expect(await refusal(iterate)).to.equal('a pipe: can be read only once; save it as a file first');

    const whole = chunked(bytes, 1000);
    await contentsOf(await openArrowStream(whole));
    expect(whole.released).to.equal(true);

    const closed = chunked(bytes, 1000);
    await (await openArrowStream(closed)).close();
    expect(closed.released).to.equal(true);

    const refused = chunked(Buffer.from('not a stream'), 5);
    await refusal(() => openArrowStream(refused));
    expect(refused.released).to.equal(true);
  });

  itOnUnix('reads a pipe by its path', async () => {
    await withFile(new Uint8Array(0), async path => {
      const pipe = join(dirname(path), 'pipe');
      execFileSync('mkfifo', [pipe]);
      createReadStream(fixture('legacy.arrows')).pipe(createWriteStream(pipe));
      const { levels, ...expected } = recorded('legacy');
      expect(await contentsOf(await openArrowStream(pipe), { levels })).to.deep.equal(expected);
    });
  });

  describe('refuses', () => {
    const refused = (bytes: Uint8Array | string): Promise<string> =>
      refusal(async () => contentsOf(await openArrowStream(chunked(Buffer.from(bytes), 50), 'it'), { most: 100 }));
    const schema = (members = {}) => framed(messageOf(1, members));
    const column = (name: string, parts = {}) => ({
      0: { string: name },
      2: { byte: 3 },
      3: { table: { 0: { short: 2 } } },
      ...parts,
    });

    it('what is no stream, and says what it is', async () => {
      expect(await refused('')).to.equal('it: is empty');
      expect(await refused(Buffer.alloc(8))).to.equal('it: is empty');
      expect(await refused(readFileSync(fixture('legacy.arrow')))).to.contain('is an Arrow file');
      expect(await refused('a,b\n1,2\n3,4\n5,6\n')).to.contain('metadata');
      expect(await refused(framed(messageOf(3, {})))).to.contain('does not begin with a schema');
      expect(await refusal(() => openArrowStream(fixture('not there')))).to.contain('no such file');
    });

    it('a stream that was cut short within a message', async () => {
      const bytes = readFileSync(fixture('legacy.arrows'));
      const outcomes = await Promise.all(
        Array.from({ length: bytes.length }, (_, length) =>
          openArrowStream(chunked(bytes.subarray(0, length), 64))
            .then(table => contentsOf(table))
            .then(
              ({ rows }) => rows.length,
              error => error.message,
            ),
        ),
      );
      // Only between messages can it end as if on purpose.
      const complete = outcomes.filter(outcome => typeof outcome === 'number');
      expect(complete).to.deep.equal([0, 1, 2, ...Array(complete.length - 3).fill(2)].slice(0, complete.length));
      expect(complete.length).to.be.within(3, 6);
      for (const outcome of outcomes) if (typeof outcome === 'string') expect(outcome).to.match(/cut short|is empty/);
    });

    it('numbers with the high byte first', async () => {
      expect(await refused(schema({ 0: { short: 1 } }))).to.contain('big-endian');
    });

    it('versions and types from elsewhere', async () => {
      const old = framed(messageOf(1, {}));
      new DataView(old.buffer, old.byteOffset).setInt16(
        Buffer.from(old).indexOf(Buffer.from([4, 0, 0, 0, 0, 0, 0, 0, 1])),
        2,
        true,
      );
      expect(await refused(old)).to.contain('version V3');
      expect(await refused(schema({ 1: { tables: [column('x', { 2: { byte: 77 } })] } }))).to.contain('type 77');
      expect(await refused(schema({ 1: { tables: [column('x', { 3: { table: { 0: { short: 9 } } } })] } }))).to.contain(
        'parameter 9',
      );
    });

    it('the compression of Arrow 0.17, which only a note tells', async () => {
      const notes = { tables: [{ 0: { string: 'ARROW:experimental_compression' }, 1: { string: 'lz4' } }] };
      const batch = flatbufferOf({ 0: { short: 3 }, 1: { byte: 3 }, 2: { table: {} }, 4: notes });
      expect(await refused(Buffer.concat([schema(), framed(batch)]))).to.contain('Arrow 0.17');
    });

    it('two dictionaries of different types under one id, and a dictionary of nobody', async () => {
      const encoded = (type: number) =>
        column('x', { 2: { byte: type }, 3: { table: {} }, 4: { table: { 0: { long: 7n } } } });
      expect(await refused(schema({ 1: { tables: [encoded(5), encoded(20)] } }))).to.contain(
        'dictionary 7 has type Utf8 and type LargeUtf8',
      );
      const dictionary = framed(messageOf(2, { 0: { long: 8n }, 1: { table: {} } }));
      expect(await refused(Buffer.concat([schema({ 1: { tables: [encoded(5)] } }), dictionary]))).to.contain(
        'dictionary 8 belongs to no column',
      );
    });

    it('claims of a body, of a dictionary, of nulls, without taking memory for them', async () => {
      const doublesOf = (rows: bigint, nulls: bigint, length: bigint) => ({
        0: { long: rows },
        1: { structs: [[rows, nulls]] },
        2: {
          structs: [
            [0n, 0n],
            [0n, length],
          ],
        },
      });
      const stream = (content: Members, bodyLength: bigint, body: Uint8Array, fields: Members[] = [column('x')]) =>
        Buffer.concat([schema({ 1: { tables: fields } }), framed(messageOf(3, content, bodyLength), body)]);
      const before = process.memoryUsage().arrayBuffers;
      const body = new Uint8Array(64);
      expect(await refused(stream(doublesOf(2n, 0n, 16n), 2n ** 50n, body))).to.contain(
        'cut short: it has 64 bytes of a body',
      );
      expect(await refused(stream(doublesOf(2n ** 40n, 0n, 64n), 64n, body))).to.contain(
        'are needed, but there are only 64',
      );
      expect(await refused(stream(doublesOf(2n, 3n, 64n), 64n, body))).to.contain('column "x": has 3 nulls in 2 rows');
      expect(await refused(stream(doublesOf(2n, -1n, 64n), 64n, body))).to.contain('has -1 nulls');
      expect(await refused(stream(doublesOf(2n, 1n, 64n), 64n, body))).to.contain(
        'has 1 nulls, but no bitmap that says where',
      );
      expect(await refused(stream(doublesOf(2n, 0n, 72n), 64n, body))).to.contain(
        'bytes 0 to 72 are needed, but there are only 64',
      );
      expect(await refused(stream(doublesOf(-2n, 0n, 64n), 64n, body))).to.contain('-2 rows');
      expect(await refused(stream(doublesOf(2n, 0n, 2n ** 60n), 64n, body))).to.contain('damaged');

      const words = column('x', { 2: { byte: 5 }, 3: { table: {} }, 4: { table: { 0: { long: 7n } } } });
      const claims = {
        0: { long: 2n ** 40n },
        1: { structs: [[2n ** 40n, 0n]] },
        2: {
          structs: [
            [0n, 0n],
            [0n, 64n],
            [0n, 0n],
          ],
        },
      };
      const dictionary = framed(messageOf(2, { 0: { long: 7n }, 1: { table: claims } }, 64n), body);
      expect(await refused(Buffer.concat([schema({ 1: { tables: [words] } }), dictionary]))).to.contain(
        '64 bytes cannot hold 1099511627776 values',
      );
      expect(process.memoryUsage().arrayBuffers - before).to.be.below(2 ** 23);
    });

    it('chunks that are not bytes, and hands on what the stream itself complains of', async () => {
      const strings = async function* (): AsyncGenerator<Uint8Array> {
        yield 'text' as unknown as Uint8Array;
      };
      const error = await openArrowStream(strings()).catch(reason => reason);
      expect(error).to.be.instanceOf(ArgumentError);
      const broken = async function* (): AsyncGenerator<Uint8Array> {
        yield new Uint8Array(2);
        throw new Error('the line is dead');
      };
      expect(await refusal(() => openArrowStream(broken(), 'a line'))).to.equal(
        'a line: cannot be read: the line is dead',
      );
    });
  });
});
