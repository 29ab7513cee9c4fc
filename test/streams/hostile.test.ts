/** Messages of a broker that are no rows, and what becomes of them. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tableFromArrays, tableToIPC } from 'apache-arrow';
import { expect } from 'chai';
import { estimateOnline, type OnlineOptions } from '../../src/fit/online/estimateOnline.ts';
import type { OnlineEstimate } from '../../src/fit/online/onlineEstimate.ts';
import type { DeadLetter } from '../../src/source/live/liveSource.ts';
import { allOf, scaledRows } from '../support/onlineRows.ts';
import { spawnCli } from '../support/runCli.ts';
import { type NatsServer, natsServer } from './support/natsServer.ts';
import { type NatsTools, natsTools } from './support/natsStreams.ts';

const columns = ['x1', 'x2', 'y'].map(name => scaledRows(6000).getChild(name)!.toArray() as Float64Array);
const numbersAt = (row: number): Record<string, number> =>
  Object.fromEntries(['x1', 'x2', 'y'].map((name, k) => [name, columns[k]![row]!]));
const rowAt = (row: number): Buffer => Buffer.from(JSON.stringify(numbersAt(row)));
const arrow = (data: Record<string, ArrayLike<unknown>>): Uint8Array =>
  tableToIPC(tableFromArrays(data as Record<string, Float64Array>), 'stream');

const batch = arrow({ x1: [0.1, 0.2], x2: [0.1, 0.2], y: [0.1, 0.2] });
const none = new Float64Array(0);
const empty = arrow({ x1: none, x2: none, y: none });

/** Messages that hold no row that can be used, and as how many bad records they count. */
const BAD: readonly { readonly name: string; readonly bytes: Uint8Array; readonly letters: number }[] = [
  { name: '900 kB of nothing', bytes: Buffer.alloc(900_000, 'no row '), letters: 1 },
  { name: '900 kB that begin as a row', bytes: Buffer.from(`{"x1": "${'é'.repeat(450_000)}`), letters: 1 },
  { name: 'no bytes', bytes: Buffer.alloc(0), letters: 1 },
  { name: 'a batch without rows', bytes: empty, letters: 0 },
  { name: 'a batch that was cut', bytes: batch.subarray(0, batch.length - 40), letters: 1 },
  { name: 'a batch of other columns', bytes: arrow({ z: [1, 2] }), letters: 1 },
  { name: 'a batch without a column', bytes: arrow({ x1: [1], y: [1] }), letters: 1 },
  { name: 'a batch with texts', bytes: arrow({ x1: ['a'], x2: ['b'], y: ['c'] }), letters: 1 },
  { name: 'a text in the place of a number', bytes: Buffer.from('{"x1": "high", "x2": 1, "y": 1}'), letters: 1 },
  { name: 'a number that JSON has not', bytes: Buffer.from('{"x1": NaN, "x2": 1, "y": 1}'), letters: 1 },
  {
    name: 'bytes that are not UTF-8',
    bytes: Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
    letters: 1,
  },
];

/** Messages of one row that counts as read and has no weight. */
const UNUSABLE = ['{"x1": 1e999, "x2": 0, "y": 0}', '{"x1": null, "x2": 0, "y": 0}', '{}', '{"x2": 0, "ÿ": 1}'];

const plain = ({
  lag: _,
  position: __,
  ledger: ___,
  deadLetters: ____,
  model: _____,
  ...rest
}: OnlineEstimate): unknown => JSON.parse(JSON.stringify(rest));

describe('a stream with messages that are no rows', () => {
  let server: NatsServer;
  let tools: NatsTools;
  let folder: string;
  before(async () => {
    server = await natsServer();
    tools = await natsTools(server.port);
  });
  after(async () => {
    await tools.close();
    await server.remove();
  });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-hostile-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const rows = (from: number, to: number): Buffer[] => Array.from({ length: to - from }, (_, i) => rowAt(from + i));

  it('is estimated from the rows that it has, and tells of each of the others', async () => {
    const asked: OnlineOptions = { target: 'y', chunk: 400, untilRows: 2000 };
    await tools.make('good');
    await tools.publish('good.x', rows(0, 2000));
    const known = await allOf(estimateOnline(`${server.url}/good`, asked));
    await tools.make('bad');
    for (const [k, { bytes }] of BAD.entries()) await tools.publish('bad.x', [...rows(k * 150, (k + 1) * 150), bytes]);
    await tools.publish('bad.x', rows(BAD.length * 150, 2000));
    const letters: DeadLetter[] = [];
    const deadLetters = async (letter: DeadLetter) => void letters.push(letter);
    const found = await allOf(estimateOnline(`${server.url}/bad`, { ...asked, deadLetters }));
    expect(found.map(plain)).to.deep.equal(known.map(plain));
    const told = BAD.flatMap(({ name, letters: count }, k) => Array(count).fill(`${name} ${(k + 1) * 151}`));
    const sequences = letters.map(({ place }) => (place as { readonly sequence: number }).sequence);
    expect(sequences.map(sequence => `${BAD[sequence / 151 - 1]!.name} ${sequence}`)).to.deep.equal(told);
    for (const { record } of letters) expect(record.length).to.be.below(2100);
  });

  it('counts rows that cannot be used, and takes a message that is there twice for two', async () => {
    await tools.make('odd');
    await tools.publish('odd.x', [
      ...rows(0, 900),
      ...UNUSABLE.map(text => Buffer.from(text)),
      ...rows(899, 900),
      Buffer.from('{"x1": 0.1, "x2": 0.2, "y": 0.3, "größe": [1, {"a": "多"}]}'),
      Buffer.from('{"x1": 0.00000000000000000000000000000000000000000001, "x2": 0, "y": 12345678901234567890e-20}'),
    ]);
    const [last] = (
      await allOf(estimateOnline(`${server.url}/odd`, { target: 'y', chunk: 507, untilRows: 907 }))
    ).slice(-1);
    expect(last!.rows).to.deep.equal({ read: 907, used: 907 - UNUSABLE.length });
    expect(last!.deadLetters).to.equal(0);
  });

  it('tells, if private, whatever a message holds, nothing else than that it is there', async () => {
    const worlds = [
      ...BAD.filter((_, k) => k < 3 || k > 7).map(({ bytes }) => bytes),
      Buffer.from('{}'),
      Buffer.from('[1]'),
    ];
    const shown: unknown[] = [];
    for (const [k, bytes] of worlds.entries()) {
      const stream = `world${k}`;
      await tools.make(stream);
      await tools.publish(`${stream}.x`, [...rows(0, 700), bytes, ...rows(701, 1500), bytes, ...rows(1501, 2600)]);
      const at = (name: string): string => join(folder, `${stream} ${name}`);
      const { code, stdout, stderr } = await spawnCli([
        ...['watch', `${server.url}/${stream}`, '--target', 'y', '--bounds', 'x1:-1..1,x2:-1..1,y:-1..1'],
        ...['--epsilon', '60', '--delta', '1e-6', '--seed', '1', '--json', '--until-rows', '2600'],
        ...['--checkpoint', at('state'), '--out', at('model.json')],
      ]);
      const own = (text: string): string =>
        text
          .replaceAll(stream, 'world')
          .replaceAll(server.url, 'nats')
          // What the broker says of the stream: when it was made, and when messages came.
          .replaceAll(/"(created|time)":("[^"]*"|\d+)/g, '"$1":0')
          // Public, and a matter of how fast rows are read.
          .replaceAll(/"lag":\d+/g, '"lag":0')
          // A line of where the run stands, now and then.
          .replaceAll(/^y {2}chunk .*\n/gm, '');
      const files = ['state/checkpoint.json', 'model.json'].map(name => readFileSync(at(name), 'utf8'));
      shown.push({ code, stdout: own(stdout), files: files.map(own), stderr: own(stderr) });
    }
    for (const world of shown.slice(1)) expect(world).to.deep.equal(shown[0]);
    expect((shown[0] as { readonly stdout: string }).stdout.split('\n').length).to.be.above(10);
  });
});
