import { setTimeout } from 'node:timers/promises';
import { ConfigResourceTypes, Producer } from '@platformatic/kafka';
import { expect } from 'chai';
import type { LiveEstimate } from '../../../src/sink/live/liveState.ts';
import { estimateLine } from '../../../src/sink/live/ndjson.ts';
import { deadLetterTopic, type TopicOptions, type TopicOutput, topicOutput } from '../../../src/sink/live/topic.ts';
import { kafkaStream } from '../../../src/source/live/kafka.ts';
import { natsStream } from '../../../src/source/live/nats.ts';
import { arrivedRows } from '../../support/arrivedRows.ts';
import { liveEstimate } from '../../support/liveEstimates.ts';
import { type KafkaBroker, kafkaBroker } from '../support/kafkaBroker.ts';
import { kafkaTools } from '../support/kafkaTopics.ts';
import { failureOf, opening } from '../support/labelledRows.ts';
import { type NatsServer, natsServer } from '../support/natsServer.ts';
import { natsTools } from '../support/natsStreams.ts';

interface Kind {
  readonly name: string;
  start(): Promise<{ readonly server: NatsServer | KafkaBroker; make(name: string): Promise<void> }>;
  /** The chunks that a topic holds. */
  chunks(url: string, name: string, count: number): Promise<number[]>;
}

async function chunksIn(source: ReturnType<typeof natsStream>, count: number): Promise<number[]> {
  const stream = await source.open(opening({ columns: { chunk: 'number' } }));
  const chunks: number[] = [];
  const stop = setTimeout(1500).then(() => stream.close());
  for await (const { batch } of stream.arrivals) {
    chunks.push(...arrivedRows(batch).map(row => Number(row.chunk)));
    // One more would have to come soon.
    if (chunks.length > count) break;
  }
  await stop;
  return chunks;
}

const kinds: readonly Kind[] = [
  {
    name: 'NATS',
    start: async () => {
      const server = await natsServer();
      const make = async (name: string): Promise<void> => {
        const tools = await natsTools(server.port);
        await tools.manager.streams.add({ name, subjects: [`${name}.out`] });
        await tools.close();
      };
      return { server, make };
    },
    chunks: (url, name, count) => chunksIn(natsStream(`${url}/${name.replace('.out', '')}`), count),
  },
  {
    name: 'Kafka',
    start: async () => {
      const server = await kafkaBroker();
      const make = async (name: string): Promise<void> => {
        const tools = kafkaTools(server.host);
        await tools.make(`${name}.out`);
        await tools.close();
      };
      return { server, make };
    },
    chunks: (url, name, count) => chunksIn(kafkaStream(`${url}/${name}`), count),
  },
];

for (const { name: kind, start, chunks } of kinds) {
  describe(`a topic of ${kind} for estimates`, () => {
    let server: NatsServer | KafkaBroker;
    let make: (name: string) => Promise<void>;
    const outputs: TopicOutput[] = [];
    before(async () => {
      ({ server, make } = await start());
    });
    afterEach(async () => {
      for (const output of outputs.splice(0)) await output.close();
    });
    after(() => server.remove());
    const output = (name: string, options: Partial<TopicOptions> = {}): TopicOutput => {
      const made = topicOutput(`${server.url}/${name}.out`, { run: 'run', ...options });
      outputs.push(made);
      return made;
    };
    const held = (name: string, count: number): Promise<number[]> => chunks(server.url, `${name}.out`, count);

    it('has every estimate once, also if the last is published again by a run that was restarted', async () => {
      await make('once');
      const first = output('once');
      expect(await first.last()).to.equal(null);
      for (const chunk of [0, 1, 2]) await first.publish(liveEstimate(chunk));
      await first.publish(liveEstimate(2));
      await first.close();
      const second = output('once');
      await second.publish(liveEstimate(2));
      await second.publish(liveEstimate(3));
      expect(await second.last()).to.deep.equal({ run: 'run', estimate: liveEstimate(3) });
      expect(await held('once', 4)).to.deep.equal([0, 1, 2, 3]);
    });

    it('waits for a broker that is away, says so, and leaves nothing out', async () => {
      await make('away');
      const problems: (string | null)[] = [];
      const out = output('away', { onProblem: told => void problems.push(told) });
      await out.publish(liveEstimate(0));
      await server.end('SIGKILL');
      const publishing = out.publish(liveEstimate(1));
      while (problems.length === 0) await setTimeout(20);
      await server.start();
      await publishing;
      await out.publish(liveEstimate(2));
      expect(problems.at(-1)).to.equal(null);
      expect(await held('away', 3)).to.deep.equal([0, 1, 2]);
    });

    it('ends one of two runs that would both append', async () => {
      await make('alone');
      const [one, two] = [output('alone', { isAlone: true }), output('alone', { isAlone: true })];
      expect(await one.last()).to.equal(null);
      await one.publish(liveEstimate(0));
      expect((await two.last())?.estimate.chunk).to.equal(0);
      await two.publish(liveEstimate(1));
      for (const chunk of [1, 2]) {
        const error = await failureOf(one.publish(liveEstimate(chunk, { loss: 'another release' })));
        expect(error).to.include({ code: 'ERR_CONFLICT' });
        expect(error.message).to.match(/has a record of another writer; end one of the two runs/);
      }
      await two.publish(liveEstimate(2));
      expect(await held('alone', 3)).to.deep.equal([0, 1, 2]);
    });

    it('lets a run go on alone after its broker was killed', async () => {
      await make('kept');
      const out = output('kept', { isAlone: true });
      await out.publish(liveEstimate(0));
      await server.end('SIGKILL');
      const publishing = out.publish(liveEstimate(1));
      await server.start();
      await publishing;
      await out.publish(liveEstimate(2));
      expect(await held('kept', 3)).to.deep.equal([0, 1, 2]);
    });

    if (kind === 'Kafka')
      it('ends a transaction of its own that the broker has forgotten', async () => {
        const { host } = server as KafkaBroker;
        await askNothing(host);
        await make('forgotten');
        const out = output('forgotten', { isAlone: true });
        await out.publish(liveEstimate(0));
        await out.close();
        await leaveOpen(host, 'forgotten.out', liveEstimate(1));
        const later = output('forgotten', { isAlone: true });
        expect((await later.last())?.estimate.chunk).to.equal(1);
        await later.publish(liveEstimate(1));
        await later.publish(liveEstimate(2));
        expect(await held('forgotten', 3)).to.deep.equal([0, 1, 2]);
      });

    it('is refused where there is none', async () => {
      const error = await failureOf(output('nowhere').publish(liveEstimate(0)));
      expect(error.message).to.match(/nowhere\.out is (?:stored by no stream|not there); make a/);
    });

    it('is given up when it is closed while the broker is away', async () => {
      const out = topicOutput(`${kind.toLowerCase()}://127.0.0.1:1/x`, { run: 'run' });
      const publishing = failureOf(out.publish(liveEstimate(0)));
      await out.close();
      expect(await publishing).to.be.an.instanceOf(Error);
    });

    it('takes dead letters with their reason and where they came from', async () => {
      await make('dead');
      const problems: (string | null)[] = [];
      const letters = deadLetterTopic(`${server.url}/dead.out`, {
        source: 'nats://host/trips',
        onProblem: told => void problems.push(told),
      });
      const letter = { place: { sequence: 7 }, reason: 'is not\na JSON object', record: '{"chunk": 7} ' };
      await letters.take(letter);
      await letters.take(letter);
      await letters.take({ ...letter, place: { sequence: 8 }, record: '{"chunk": 8} ' });
      await letters.close();
      expect(problems).to.deep.equal([]);
      const found = await headersOf(server, kind);
      expect(found).to.deep.include({
        'Sluice-Source': 'nats://host/trips',
        'Sluice-Place': '{"sequence":8}',
        'Sluice-Reason': 'is not a JSON object',
      });
      expect(await held('dead', 2)).to.deep.equal([7, 8]);
    });
  });
}

/** Tells the broker not to ask whether a partition is part of a transaction before it takes a record of one. */
async function askNothing(host: string): Promise<void> {
  const tools = kafkaTools(host);
  const configs = [{ name: 'transaction.partition.verification.enable', value: 'false', configOperation: 0 }] as const;
  const resource = { resourceType: ConfigResourceTypes.BROKER, resourceName: '1', configs: [...configs] };
  await tools.admin.incrementalAlterConfigs({ resources: [resource] });
  await tools.close();
}

/** Leaves a record of the writer in a transaction that the broker does not know its partition to be part of. */
async function leaveOpen(host: string, topic: string, estimate: LiveEstimate): Promise<void> {
  const transactionalId = `sluice-${topic}`;
  const producer = new Producer({ clientId: 'test', bootstrapBrokers: [host], idempotent: true, transactionalId });
  const transaction = await producer.beginTransaction({ producerId: -1n, producerEpoch: -1 });
  const named = ((_: unknown, __: unknown, done: (error: null) => void) => done(null)) as never;
  Object.assign(transaction, { addPartitions: named });
  const record = { topic, partition: 0, key: Buffer.from(`run/${estimate.chunk}`), value: lineOf(estimate) };
  await transaction.send({ messages: [record], acks: -1 });
  await producer.close(true);
}

const lineOf = (estimate: LiveEstimate): Buffer => Buffer.from(estimateLine(estimate).trimEnd());

/** The headers of the last dead letter. */
async function headersOf(server: NatsServer | KafkaBroker, kind: string): Promise<Record<string, string>> {
  if (kind === 'NATS') {
    const tools = await natsTools(server.port);
    const message = await tools.manager.streams.getMessage('dead', { last_by_subj: 'dead.out' });
    await tools.close();
    return Object.fromEntries([...message!.header].map(([name, values]) => [name, values[0]!]));
  }
  const { Consumer, stringDeserializers } = await import('@platformatic/kafka');
  const consumer = new Consumer({
    clientId: 'test',
    groupId: 'test',
    bootstrapBrokers: [`127.0.0.1:${server.port}`],
    deserializers: stringDeserializers,
  });
  const stream = await consumer.consume({
    topics: ['dead.out'],
    mode: 'manual',
    offsets: [{ topic: 'dead.out', partition: 0, offset: 1n }],
    maxWaitTime: 100,
  });
  for await (const { headers } of stream) {
    await stream.close();
    await consumer.close(true, () => {});
    return Object.fromEntries(headers);
  }
  return {};
}
