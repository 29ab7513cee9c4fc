import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  Float64,
  Int32,
  makeData,
  makeVector,
  Table,
  tableFromArrays,
  tableToIPC,
  Utf8,
  vectorFromArray,
} from 'apache-arrow';
import { expect } from 'chai';
import fc from 'fast-check';
import { columnsOf, liveSchema } from '../../../src/source/live/liveSchema.ts';
import type { LiveSource, OpenLiveOptions, Position } from '../../../src/source/live/liveSource.ts';
import { openedStream } from '../../../src/source/live/openedStream.ts';
import { arrivalsOf, type Message } from '../../../src/source/live/records.ts';
import { batches } from '../../../src/source/memory/batches.ts';
import { OPEN, type Read, type Row, readLive } from '../../support/liveRows.ts';

type Content = string | Uint8Array;

/** A broker's stream of messages, which arrive in groups of these sizes, in turn. */
const messagesOf = (contents: readonly Content[], sizes: readonly number[] = [3]): LiveSource => ({
  name: 'messages',
  open: async (options: OpenLiveOptions) => {
    const schema = await liveSchema(options);
    async function* groups(): AsyncGenerator<readonly Message[]> {
      let at = options.from === null || options.from.after === null ? 0 : (options.from.after as number) + 1;
      for (let k = 0; at < contents.length; k++) {
        const group = contents.slice(at, at + sizes[k % sizes.length]!);
        yield group.map((content, i) => ({ place: at + i, bytes: Buffer.from(content) }));
        at += group.length;
      }
    }
    const arrivals = () => arrivalsOf(groups(), { ...options, name: 'messages', schema });
    return openedStream({ name: 'messages', identity: 'messages', endless: false, arrivals }, options);
  },
});

const read = (contents: readonly Content[], options: Partial<OpenLiveOptions> = {}, sizes?: readonly number[]) =>
  readLive(messagesOf(contents, sizes), options);

const columns = { x: 'number', s: 'text', b: 'boolean', t: 'time' } as const;
const forPrivate = { forPrivate: true, columns } as const;

const arrow = (rows: readonly Row[]): Uint8Array =>
  tableToIPC(
    new Table({
      x: vectorFromArray(
        rows.map(({ x }) => x as number | null),
        new Float64(),
      ),
      s: vectorFromArray(
        rows.map(({ s }) => s as string | null),
        new Utf8(),
      ),
    }),
    'stream',
  );

const anyRow = fc.record({
  x: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }).map(x => (x === 0 ? 0 : x))),
  s: fc.option(fc.string({ unit: 'grapheme', maxLength: 5 })),
});

describe('messages as records', () => {
  it('give the same rows however they are cut and grouped, and the rest of them from any position', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.tuple(fc.array(anyRow, { minLength: 1, maxLength: 5 }), fc.constantFrom('rows', 'array', 'arrow')),
          {
            minLength: 1,
            maxLength: 8,
          },
        ),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 }),
        fc.nat(),
        async (parts, sizes, pick) => {
          const rows = parts.flatMap(([part]) => part);
          const contents = parts.flatMap(([part, as]): Content[] => {
            if (as === 'rows') return part.map(row => JSON.stringify(row));
            return [as === 'array' ? JSON.stringify(part, null, 1) : arrow(part)];
          });
          const options = { columns: { x: 'number', s: 'text' } } as const;
          const whole = await read(contents, options, sizes);
          expect(whole.letters).to.deep.equal([]);
          expect(whole.rows).to.deep.equal(rows);
          const at = pick % rows.length;
          const rest = await read(contents, { ...options, from: whole.positions[at]! }, [...sizes].reverse());
          expect(rest.rows).to.deep.equal(rows.slice(at + 1));
        },
      ),
      { seed: 1, numRuns: 200 },
    );
  });

  it('of JSON have the bits of the same lines in a file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-records-'));
    try {
      const lines = [
        '{"x":0.1,"s":"a","b":true,"t":"2024-02-29T12:34:56.789012Z","n":5}',
        '{"s":"\\u00e9\\n","x":1e-310,"b":false}',
        '{"x":123456789.123456789,"t":"1969-12-31","n":-0.5}',
        '{"x":null,"y":3,"s":null,"n":9007199254740993.0}',
      ];
      const path = join(folder, 'lines.ndjson');
      writeFileSync(path, lines.join('\n'));
      const expected: Row[] = [];
      for await (const batch of batches(path, { columns: ['x', 's', 'b', 't', 'n'] }))
        expected.push(...batch.toArray().map(row => row!.toJSON() as Row));
      expect((await read(lines)).rows).to.deep.equal(expected);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('have the columns of the first record: others are ignored, lacking ones are nulls, one without a value has numbers', async () => {
    const { rows, letters } = await read(['{"x":null,"l":[1],"s":"a"}', '{"y":1,"x":2}', '{"x":"two","s":"b"}']);
    expect(rows).to.deep.equal([
      { x: null, s: 'a' },
      { x: 2, s: null },
    ]);
    expect(letters).to.deep.equal([
      { place: 2, reason: 'column "x" has text, but numbers in this stream', record: '{"x":"two","s":"b"}' },
    ]);
  });

  it('have declared columns, in their order, whatever the first record has', async () => {
    const { rows, letters } = await read(['{"y":7}', '{"s":7,"x":1,"b":true,"t":"2020-01-01"}', '{"x":true}'], {
      columns,
    });
    expect(rows).to.deep.equal([
      { x: null, s: null, b: null, t: null },
      { x: 1, s: '7', b: true, t: Date.UTC(2020, 0, 1) },
    ]);
    expect(letters.map(({ place }) => place)).to.deep.equal([2]);
    const types = { s: 'text', late: 'number' } as const;
    expect((await read(['{"s":7,"x":1}', '{"late":2}'], { types })).rows).to.deep.equal([
      { s: '7', x: 1, late: null },
      { s: null, x: null, late: 2 },
    ]);
  });

  it('can be opened again with the columns of a batch', async () => {
    const table = tableFromArrays({ x: Float64Array.of(1), n: Int32Array.of(1), s: ['a'] });
    const declared = columnsOf(table.batches[0]!);
    expect(declared).to.deep.equal({ x: 'number', n: 'number', s: 'text' });
    expect((await read(['{"n":3}'], { columns: declared })).rows).to.deep.equal([{ x: null, n: 3, s: null }]);
  });

  it('that cannot be read are dead letters with their reasons, and the others are used', async () => {
    const bad: readonly (readonly [Content, RegExp])[] = [
      ['', /^is empty$/],
      [' \n\t', /^is empty$/],
      ['not JSON', /neither a JSON object/],
      ['{"x":1', /^is not a JSON object$/],
      ['{"x":1}\n{"x":2}', /^is not a JSON object$/],
      ['{"s":"a\nb"}', /^is not a JSON object$/],
      ['[{"x":1},', /^is not a JSON array$/],
      ['[{"x":1}] 5', /^is not a JSON array$/],
      ['{"x":"text"}', /^column "x" has text, but declared number in this stream$/],
      ['{"x":{}}', /^column "x" has an object or array/],
      ['{"b":2}', /^column "b" has a whole number/],
      [Buffer.from('{"s":"\xff"}', 'latin1'), /not UTF-8/],
      [Buffer.from('ARROW1\0\0', 'latin1'), /neither a JSON object/],
      [tableToIPC(tableFromArrays({ x: [1], s: ['a'], b: [true], t: [new Date()] })).slice(0, -200), /cut short/],
      [arrow([{ x: 1, s: 'a' }]), /there is no column "b" or "t", which this stream has/],
      [
        tableToIPC(tableFromArrays({ x: ['a'], s: ['a'], b: [true], t: [new Date()] })),
        /column "x" is .*Utf8.*, but declared number/,
      ],
    ];
    const contents = bad.flatMap(([content], k) => [content, `{"x":${k}}`]);
    for (const sizes of [[1], [5], [100]]) {
      const { rows, letters, last } = await read(['{"x":-1}', ...contents], { columns }, sizes);
      expect(rows.map(({ x }) => x)).to.deep.equal([-1, ...bad.keys()]);
      const byPlace = new Map(letters.map(letter => [letter.place as number, letter]));
      expect(letters).to.have.length(bad.length);
      bad.forEach(([, reason], k) => {
        expect(byPlace.get(2 * k + 1)?.reason, String(k)).to.match(reason);
      });
      expect(last).to.equal(2 * bad.length);
    }
  });

  it('of an array are used one by one: a bad row is a dead letter that says which', async () => {
    const { rows, letters, positions } = await read(['{"x":0}', '[{"x":1},{"x":"a"},7,{"x":2}]', '[]', '{"x":3}']);
    expect(rows.map(({ x }) => x)).to.deep.equal([0, 1, 2, 3]);
    expect(letters).to.deep.equal([
      { place: 1, reason: 'row 1 of the array: column "x" has text, but numbers in this stream', record: '{"x":"a"}' },
      { place: 1, reason: 'row 2 of the array: is not a JSON object', record: '7' },
    ]);
    expect(positions.slice(0, 3)).to.deep.equal([
      { after: 0, rows: 0 },
      { after: 0, rows: 1 },
      { after: 1, rows: 0 },
    ]);
  });

  it('in dead letters are cut after 2,000 characters, and bytes are left out', async () => {
    const { letters } = await read([`{"x":${'é'.repeat(5000)}`, Buffer.from([1, 0, 2])]);
    expect(letters.map(({ record }) => record)).to.deep.equal([`{"x":${'é'.repeat(1995)}…`, '']);
  });

  it('before any good one do not fix the columns', async () => {
    const { rows, letters } = await read(['{', '{}', '{"l":[]}', '5', '{"x":1}'], {}, [100]);
    expect(rows).to.deep.equal([{ x: 1 }]);
    expect(letters.map(({ place, reason }) => [place, reason])).to.deep.equal([
      [0, 'is not a JSON object'],
      [1, 'has no column that can be read'],
      [2, 'has no column that can be read'],
      [3, 'is neither a JSON object, nor an array of them, nor an Arrow stream'],
    ]);
  });

  it('of Arrow may have several batches, whose dictionaries are one after another, and rows of JSON beside them', async () => {
    const table = new Table(
      ['a b c', 'c d', ''].flatMap(text => {
        const words = text.split(' ').filter(word => word !== '');
        return new Table({
          s: vectorFromArray(words, new Utf8()),
          n: vectorFromArray(
            words.map((_, k) => k),
            new Int32(),
          ),
        }).batches;
      }),
    );
    const { rows, arrivals, letters } = await read([
      tableToIPC(table, 'stream'),
      '{"s":"e","n":9}',
      '{"n":1.5}',
      '{"n":3e9}',
    ]);
    expect(rows.map(({ s, n }) => `${s}${n}`).join(' ')).to.equal('a0 b1 c2 c0 d1 e9');
    expect(arrivals).to.deep.equal([5, 1]);
    expect(letters.map(({ reason }) => reason)).to.deep.equal([
      'column "n" has a number, but Int32 in this stream',
      'column "n" has a number, but Int32 in this stream',
    ]);
  });

  it('of Arrow that are damaged anywhere end no stream, and in a private run keep their number of rows', async () => {
    const rows = Array.from({ length: 40 }, (_, k) => ({ x: k, s: `text ${k}` }));
    const good = arrow(rows);
    await fc.assert(
      fc.asyncProperty(fc.nat(good.length - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const damaged = good.slice();
        damaged[at]! ^= change;
        const { rows: used, letters } = await read([good, damaged, '{"x":-1}']);
        expect(used.at(-1)!.x).to.equal(-1);
        expect([41, 81]).to.include(used.length);
        expect(letters.length).to.equal(used.length === 41 ? 1 : 0);
        const hidden = await read([good, damaged, '{"x":-1}'], {
          forPrivate: true,
          columns: { x: 'number', s: 'text' },
        });
        expect(hidden.rows.at(-1)).to.deep.equal({ x: -1, s: null });
      }),
      { seed: 2, numRuns: 400 },
    );
    const body = good.slice();
    // The offsets of the texts: the header still states forty rows.
    body.fill(0xff, good.length - 440, good.length - 300);
    const hidden = await read([body, '{"x":1}'], { forPrivate: true, columns: { x: 'number', s: 'text' } });
    expect(hidden.arrivals).to.deep.equal([40, 1]);
  });

  it('that claim more than a million rows are damaged', async () => {
    const rows = 2 ** 20 + 1;
    const huge = tableToIPC(
      new Table({ x: makeVector(makeData({ type: new Float64(), length: rows, data: new Float64Array(rows) })) }),
      'stream',
    );
    const { letters, rows: used } = await read([huge, '{"x":1}']);
    expect(letters[0]!.reason).to.equal('has 1048577 rows, and a message may have at most 1048576; send several');
    expect(used).to.have.length(1);
    expect((await read([huge], { forPrivate: true, columns: { x: 'number' } })).rows).to.deep.equal([{ x: null }]);
  }).timeout(60_000);

  it('make batches of at most 4,096 rows', async () => {
    const contents = Array.from({ length: 9000 }, (_, x) => `{"x":${x}}`);
    const { arrivals, rows } = await read(contents, {}, [9000]);
    expect(arrivals).to.deep.equal([4096, 4096, 808]);
    expect(rows.every(({ x }, k) => x === k)).to.equal(true);
    expect((await read([`[${contents.join()}]`])).arrivals).to.deep.equal([9000]);
  });
});

describe('messages of a private run', () => {
  /** What may be seen from outside: the rows of every position. */
  const shapeOf = ({ positions, letters, problems, last }: Read) => ({ positions, letters, problems, last });
  const nulls = { x: null, s: null, b: null, t: null };

  it('are one row each, without values where they cannot be read', async () => {
    const contents = [
      '{"x":1,"s":"a","b":true,"t":"2020-01-01"}',
      '',
      'zz',
      '[{"x":1},{"x":2}]',
      '{"x":"t","s":"b"}',
      '{"x":1',
      '{"b":5,"x":2}',
    ];
    const { rows } = await read(contents, forPrivate, [3]);
    expect(rows).to.deep.equal([
      { x: 1, s: 'a', b: true, t: Date.UTC(2020, 0, 1) },
      nulls,
      nulls,
      nulls,
      { ...nulls, s: 'b' },
      nulls,
      { ...nulls, x: 2 },
    ]);
  });

  it('have positions that do not depend on what they hold', async () => {
    const anyMessage = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.json(),
      anyRow.map(row => JSON.stringify(row)),
      fc.uint8Array().map(bytes => Buffer.concat([Buffer.from([0x7b]), bytes])),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyMessage, { minLength: 1, maxLength: 12 }),
        anyMessage,
        fc.nat(),
        async (contents, other, pick) => {
          const at = pick % contents.length;
          const a = await read(contents, forPrivate, [4]);
          const b = await read(contents.with(at, other), forPrivate, [4]);
          expect(shapeOf(a)).to.deep.equal(shapeOf(b));
          expect(a.rows.toSpliced(at, 1)).to.deep.equal(b.rows.toSpliced(at, 1));
          expect(a.rows).to.have.length(contents.length);
        },
      ),
      { seed: 3, numRuns: 300 },
    );
  });

  it('need declared columns', async () => {
    const from: Position | null = null;
    await expectRefused(liveSchema({ ...OPEN, from, forPrivate: true }), /needs `columns`/);
    await expectRefused(
      liveSchema({ ...OPEN, columns: { x: 'float' as 'number' } }),
      /columns\["x"\] must be "number" or/,
    );
  });

  it('of Arrow have nulls for columns that are of another kind, and true, false and times as numbers', async () => {
    const table = tableFromArrays({ x: [true, false], s: Int32Array.of(1, 2), b: ['a', 'b'], t: ['a', 'b'] });
    const { rows } = await read([tableToIPC(table, 'stream')], forPrivate);
    expect(rows).to.deep.equal([
      { ...nulls, x: 1, s: '1' },
      { ...nulls, x: 0, s: '2' },
    ]);
  });
});

async function expectRefused(promise: Promise<unknown>, message: RegExp): Promise<void> {
  const error = await promise.then(
    () => null,
    (error: Error) => error,
  );
  expect(error?.message).to.match(message);
}
