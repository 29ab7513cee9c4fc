/** What streams of real brokers promise: every row once, in any way that rows may come, whoever is killed meanwhile. */
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Table, tableFromArrays, tableToIPC } from 'apache-arrow';
import { expect } from 'chai';
import { estimateOnline, type OnlineOptions, type OnlineSource } from '../../src/fit/online/estimateOnline.ts';
import type { OnlineEstimate, Output } from '../../src/fit/online/onlineEstimate.ts';
import { normal } from '../../src/math/random/normal.ts';
import { seeded } from '../../src/math/random/seeded.ts';
import { batchStream } from '../../src/source/live/batchStream.ts';
import { withWatchers } from '../support/killedStreams.ts';
import { allOf } from '../support/onlineRows.ts';
import { spawnCli } from '../support/runCli.ts';
import { type KafkaBroker, kafkaBroker } from './support/kafkaBroker.ts';
import { type KafkaTools, kafkaTools } from './support/kafkaTopics.ts';
import { charged, privateRows, survivesKills } from './support/killedBrokers.ts';
import { type NatsServer, natsServer } from './support/natsServer.ts';
import { type NatsTools, natsTools } from './support/natsStreams.ts';

/** Rows of the target and four features. */
function someRows(message: number, rows: number): Table {
  const random = seeded(message, 'rows of a message');
  const features = Array.from({ length: 4 }, () => Float64Array.from({ length: rows }, () => normal(random)));
  const [a, b, c, d] = features as [Float64Array, Float64Array, Float64Array, Float64Array];
  const y = a.map((value, i) => value - 2 * b[i]! + 0.5 * c[i]! + 3 + normal(random));
  return tableFromArrays({ a, b, c, d, y });
}

const messagesOf = (count: number, rows: number): Table[] =>
  Array.from({ length: count }, (_, message) => someRows(message, rows));

const objectsOf = (tables: readonly Table[]): object[] =>
  tables.flatMap(table => table.toArray().map(row => row.toJSON()));

type Numbers = Readonly<Record<string, number>>;

const numbersOf = ({ coefficients }: OnlineEstimate): Numbers =>
  Object.fromEntries(Object.entries(coefficients).map(([name, { estimate }]) => [name, estimate]));

function expectEqual(found: Numbers, known: Numbers): void {
  expect(found).to.have.all.keys(known);
  for (const [name, value] of Object.entries(known))
    expect(Math.abs(found[name]! - value), name).to.be.at.most(1e-12 * Math.abs(value));
}

const messageOf = async (source: OnlineSource, options: OnlineOptions): Promise<string> => {
  const found = await allOf(estimateOnline(source, options)).catch(error => error);
  return found instanceof Error ? found.message : 'no error';
};

describe('an estimate of a stream', () => {
  let folder: string;
  let nats: NatsServer;
  let kafka: KafkaBroker;
  let tools: NatsTools;
  let topics: KafkaTools;
  before(async () => {
    [nats, kafka] = await Promise.all([natsServer(), kafkaBroker()]);
    tools = await natsTools(nats.port);
    topics = kafkaTools(kafka.host);
  });
  after(async () => {
    await tools?.close();
    await topics?.close();
    await nats?.remove();
    await kafka?.remove();
  });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-once-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Every estimate of a stream is that of an Arrow file of the same rows. */
  const expectAsFile = async (source: OnlineSource, messages: readonly Table[], chunk: number): Promise<void> => {
    const file = join(folder, 'complete');
    mkdirSync(file);
    const whole = new Table(messages.flatMap(({ batches }) => batches));
    writeFileSync(join(file, 'rows.arrow'), tableToIPC(whole, 'file'));
    const options: OnlineOptions = { target: 'y', chunk, untilRows: whole.numRows };
    const known = await allOf(estimateOnline(file, options));
    expect(known.at(-1)!.rows.used).to.equal(whole.numRows);
    const found = await allOf(estimateOnline(source, options));
    expect(found.map(({ rows }) => rows)).to.deep.equal(known.map(({ rows }) => rows));
    found.forEach((estimate, k) => {
      expectEqual(numbersOf(estimate), numbersOf(known[k]!));
    });
  };

  it('equals that of a file, over a million rows of Arrow on NATS', async () => {
    const messages = messagesOf(1000, 1000);
    await tools.make('million');
    await tools.publish(
      'million.in',
      messages.map(table => tableToIPC(table, 'stream')),
    );
    // Chunks that end within messages.
    await expectAsFile(`${nats.url}/million`, messages, 12_500);
  });

  it('equals that of a file, over 100,000 rows of JSON on Kafka', async () => {
    const messages = messagesOf(100, 1000);
    await topics.make('rows');
    await topics.send(
      'rows',
      objectsOf(messages).map(row => Buffer.from(JSON.stringify(row))),
    );
    await expectAsFile(`${kafka.url}/rows`, messages, 3000);
  });

  it('equals that of a file, over 20,000 rows of batches, a folder, a growing file and standard input', async () => {
    const messages = messagesOf(20, 1000);
    const fresh = (): void => rmSync(join(folder, 'complete'), { recursive: true });
    await expectAsFile(batchStream(messages.flatMap(({ batches }) => batches)), messages, 700);
    fresh();
    const arriving = join(folder, 'arriving');
    mkdirSync(arriving);
    messages.forEach((table, k) => {
      writeFileSync(join(arriving, `part-${String(k).padStart(2, '0')}.arrow`), tableToIPC(table, 'file'));
    });
    await expectAsFile(arriving, messages, 700);
    fresh();
    const growing = join(folder, 'growing.ndjson');
    writeFileSync(growing, '');
    const text = objectsOf(messages)
      .map(row => `${JSON.stringify(row)}\n`)
      .join('');
    const grow = async (): Promise<void> => {
      // Lines are complete only with the piece that follows.
      for (let from = 0; from < text.length; from += 9973) {
        appendFileSync(growing, text.slice(from, from + 9973));
        await pause(1);
      }
    };
    await Promise.all([expectAsFile(growing, messages, 700), grow()]);
    const out = join(folder, 'model.json');
    const known = await allOf(
      estimateOnline(batchStream(messages.flatMap(({ batches }) => batches)), {
        target: 'y',
        chunk: 700,
        untilRows: 20_000,
      }),
    );
    const whole = new Table(messages.flatMap(({ batches }) => batches));
    for (const input of [text, tableToIPC(whole, 'stream')]) {
      const args = ['watch', '-', '--target', 'y', '--chunk', '700', '--until-rows', '20000', '--quiet', '--out', out];
      const { code, stderr } = await spawnCli(args, input);
      expect(code, stderr).to.equal(0);
      const { coefficients, intercept } = JSON.parse(readFileSync(out, 'utf8'));
      expectEqual({ ...coefficients, '(intercept)': intercept }, numbersOf(known.at(-1)!));
    }
  });

  it('is refused by name where the stream was purged or made anew since its checkpoint', async () => {
    const rows = (from: number, to: number) =>
      objectsOf(messagesOf(2, 1000))
        .slice(from, to)
        .map(row => Buffer.from(JSON.stringify(row)));
    const options = (name: string): OnlineOptions => ({ target: 'y', chunk: 400, checkpoint: join(folder, name) });
    for (const name of ['purged', 'anew']) {
      await tools.make(name);
      await tools.publish(`${name}.in`, rows(0, 1500));
      await topics.make(name);
      await topics.send(name, rows(0, 1500));
      for (const { url } of [nats, kafka])
        await allOf(estimateOnline(`${url}/${name}`, { ...options(`${name} ${url.slice(0, 4)}`), untilRows: 800 }));
    }
    await tools.manager.streams.purge('purged', { seq: 901 });
    const partitions = [{ partition: 0, offset: 900n }];
    await topics.admin.deleteRecords({ topics: [{ name: 'purged', partitions }] });
    await tools.manager.streams.delete('anew');
    await tools.make('anew');
    await tools.publish('anew.in', rows(0, 1500));
    await topics.admin.deleteTopics({ topics: ['anew'] });
    await pause(500);
    await topics.make('anew');
    await topics.send('anew', rows(0, 1500));
    const told = (url: string, name: string): Promise<string> =>
      messageOf(`${url}/${name}`, options(`${name} ${url.slice(0, 4)}`));
    expect(await told(nats.url, 'purged')).to.match(/nats:.*\/purged: lost messages 801 to 900/);
    expect(await told(kafka.url, 'purged')).to.match(/kafka:.*\/purged: lost offsets 800 to 899/);
    expect(await told(nats.url, 'anew')).to.match(
      /nats:.*\/anew.*checkpoint is of .*"created"|checkpoint.*nats:.*\/anew/,
    );
    expect(await told(kafka.url, 'anew')).to.match(
      /kafka:.*\/anew.*checkpoint is of .*"id"|checkpoint.*kafka:.*\/anew/,
    );
  });

  it('is refused, if private, with each of three older checkpoints and by a second writer', async () => {
    await tools.make('private');
    await tools.publish(
      'private.in',
      Array.from({ length: 3000 }, (_, i) => {
        const [x1, x2, y] = Object.values(privateRows(i)).map(([value]) => value);
        return Buffer.from(JSON.stringify({ x1, x2, y }));
      }),
    );
    const source = `${nats.url}/private`;
    const state = join(folder, 'state');
    const options: OnlineOptions = { ...charged(folder), checkpoint: state };
    let copies = 0;
    const copying: Output = {
      name: 'copies',
      publish: async () => cpSync(join(state, 'checkpoint.json'), join(folder, `copy ${copies++}`)),
    };
    const known = await allOf(estimateOnline(source, { ...options, untilRows: 3000, outputs: [copying] }));
    expect(copies).to.be.above(5);
    const ledger = readFileSync(options.ledger!.file, 'utf8');
    for (const copy of [0, Math.floor(copies / 2), copies - 2]) {
      cpSync(join(folder, `copy ${copy}`), join(state, 'checkpoint.json'));
      expect(await messageOf(source, options)).to.match(
        /the checkpoint has \d+ releases, but .* knows of .*second release/,
      );
    }
    cpSync(join(folder, `copy ${copies - 1}`), join(state, 'checkpoint.json'));
    cpSync(state, join(folder, 'third'), { recursive: true });
    await withWatchers(async start => {
      const running = start(source, { ...options, published: join(folder, 'published') });
      await running.published(1);
      expect(await messageOf(source, options)).to.match(/checkpoint.json is in use by process \d+/);
      const third = { ...options, checkpoint: join(folder, 'third') };
      expect(await messageOf(source, third)).to.match(/\.releases is in use by process \d+/);
      running.kill();
      await running.ended;
    });
    const again = await allOf(estimateOnline(source, { ...options, untilRows: 3000 }));
    expect(again.map(({ coefficients }) => coefficients)).to.deep.equal([known.at(-1)!.coefficients]);
    expect(readFileSync(options.ledger!.file, 'utf8')).to.equal(ledger);
  });
});

survivesKills(Number(process.env.SLUICE_KILLS ?? 20));
