import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { kafkaStream } from '../../../src/source/live/kafka.ts';
import type { OpenLiveOptions, Position } from '../../../src/source/live/liveSource.ts';
import { type KafkaBroker, kafkaBroker } from '../support/kafkaBroker.ts';
import { type KafkaTools, kafkaTools } from '../support/kafkaTopics.ts';
import {
  failureOf,
  heldBytes,
  labelledBatch,
  labelledRow,
  labelsOf,
  opening,
  range,
  readOn,
} from '../support/labelledRows.ts';

const COLUMNS = { columns: { label: 'number' } } as const;
const rowsOf = (from: number, to: number): Buffer[] => range(from, to).map(labelledRow);

describe('a topic of Kafka', () => {
  let broker: KafkaBroker;
  let tools: KafkaTools;
  before(async () => {
    broker = await kafkaBroker();
    tools = kafkaTools(broker.host);
  });
  after(async () => {
    await tools.close();
    await broker.remove();
  });
  const open = (topic: string, options: Partial<OpenLiveOptions> = {}) =>
    kafkaStream(`${broker.url}/${topic}`).open(opening({ ...COLUMNS, ...options }));
  const used = async (topic: string, rows: number) => {
    const opened = await open(topic);
    const { position } = await labelsOf(opened, rows);
    return { from: position, identity: opened.identity };
  };
  const removeBefore = (topic: string, offset: bigint) =>
    tools.admin.deleteRecords({ topics: [{ name: topic, partitions: [{ partition: 0, offset }] }] });

  it('gives every row once and in order, of rows and of batches', async () => {
    await tools.make('mixed');
    await tools.send('mixed', rowsOf(0, 3000));
    await tools.send('mixed', [labelledBatch(3000, 1000), labelledBatch(4000, 500)]);
    await tools.send('mixed', rowsOf(4500, 5000));
    const { labels, position } = await labelsOf(await open('mixed'), 5000);
    expect(labels).to.deep.equal(range(0, 5000));
    expect(position).to.have.nested.property('after.used.0.offset', 3501);
    expect(position)
      .to.have.nested.property('after.used.0.digest')
      .that.matches(/^[\da-f]{64}$/);
  });

  it('goes on from any position of several partitions, also within a message, whichever comes first then', async () => {
    await tools.make('parts', 3);
    for (const [partition, first] of [0, 1000, 2000].entries()) {
      for (let label = first; label < first + 200; label += 50)
        await tools.send('parts', [labelledBatch(label, 40), ...rowsOf(label + 40, label + 50)], partition);
    }
    let from: Position | null = null;
    const labels: number[] = [];
    for (const rows of [1, 30, 14, 5, 60, 85, 7, 150, 98, 100, 50]) {
      const read = await labelsOf(await open('parts', { from }), rows, from);
      labels.push(...read.labels);
      from = read.position;
    }
    for (const first of [0, 1000, 2000]) {
      const own = labels.filter(label => label >= first && label < first + 1000);
      expect(own).to.deep.equal(range(first, first + 200));
    }
  });

  it('follows what is sent, knows how much waits, and ends with the signal', async () => {
    await tools.make('live', 2);
    await tools.send('live', rowsOf(0, 10));
    const end = new AbortController();
    const stream = await open('live', { signal: end.signal });
    const reading = readOn(stream, 1000);
    await reading.until(10);
    expect(stream.lag()).to.equal(0);
    await tools.send('live', rowsOf(10, 30), 1);
    await reading.until(30);
    end.abort(new Error('enough'));
    expect((await failureOf(reading.done)).message).to.equal('enough');
    const closed = await open('live');
    await closed.close();
  });

  it('passes over what aborted transactions wrote, and waits for open ones', async () => {
    await tools.make('transactions');
    const { transactional } = tools;
    const write = async (from: number, to: number, end: 'commit' | 'abort') => {
      const transaction = await transactional.beginTransaction();
      const send = async (rows: Buffer[]) =>
        transaction.send({ messages: rows.map(value => ({ topic: 'transactions', partition: 0, value })), acks: -1 });
      await send(rowsOf(from, (from + to) / 2));
      await send(rowsOf((from + to) / 2, to));
      return { finish: () => transaction[end]() };
    };
    await (await write(0, 10, 'commit')).finish();
    await (await write(1000, 1020, 'abort')).finish();
    await (await write(2000, 2020, 'abort')).finish();
    await (await write(10, 20, 'commit')).finish();
    const pending = await write(20, 30, 'commit');
    const reading = readOn(await open('transactions'), 30);
    await reading.until(20);
    await pending.finish();
    expect(await reading.done).to.deep.equal(range(0, 30));
  });

  it('loses and repeats nothing when the broker is killed while it is read', async () => {
    await tools.make('killed');
    await tools.send('killed', rowsOf(0, 1000));
    const problems: (string | null)[] = [];
    const reading = readOn(await open('killed', { onProblem: told => void problems.push(told) }), 2000);
    await reading.until(500);
    await broker.end('SIGKILL');
    await setTimeout(500);
    await broker.start();
    await tools.close();
    tools = kafkaTools(broker.host);
    await tools.send('killed', rowsOf(1000, 2000));
    expect(await reading.done).to.deep.equal(range(0, 2000));
    expect(problems.at(-1)).to.equal(null);
  });

  it('takes a broker that is silent for one that is away, and goes on when it is back', async () => {
    await tools.make('silent');
    await tools.send('silent', rowsOf(0, 10));
    const problems: (string | null)[] = [];
    const reading = readOn(await open('silent', { onProblem: told => void problems.push(told) }), 20);
    await reading.until(10);
    broker.signal('SIGSTOP');
    while (problems.length === 0) await setTimeout(50);
    broker.signal('SIGCONT');
    await tools.close();
    tools = kafkaTools(broker.host);
    await tools.send('silent', rowsOf(10, 20));
    expect(await reading.done).to.deep.equal(range(0, 20));
  });

  describe('that is not what it was', () => {
    it('is refused when unread messages were removed', async () => {
      await tools.make('purged');
      await tools.send('purged', rowsOf(0, 100));
      const half = await used('purged', 50);
      await removeBefore('purged', 50n);
      expect((await labelsOf(await open('purged', half), 50)).labels).to.deep.equal(range(50, 100));
      await removeBefore('purged', 60n);
      const error = await failureOf(open('purged', half));
      expect(error).to.include({ code: 'ERR_CHANGED' });
      expect(error.message).to.match(/partition 0 of .*purged lost offsets 50 to 59|lost offsets 50 to 59/);
    });

    it('is refused when it was made anew, before it is opened and while it is read', async () => {
      await tools.make('anew');
      await tools.send('anew', rowsOf(0, 20));
      const half = await used('anew', 10);
      const reading = readOn(await open('anew'), 1000);
      await reading.until(20);
      await tools.admin.deleteTopics({ topics: ['anew'] });
      await setTimeout(500);
      await tools.make('anew');
      await tools.send('anew', rowsOf(0, 20));
      expect((await failureOf(open('anew', half))).message).to.match(/checkpoint is of .*"id"/);
      expect((await failureOf(reading.done)).message).to.match(/it was made anew|is not there any more/);
    });

    it('is refused when it ends before what was used, or has another message there', async () => {
      await tools.make('short');
      await tools.send('short', rowsOf(0, 10));
      const { from, identity } = await used('short', 10);
      const { used: marks } = from!.after as { used: Record<string, { offset: number; time: number; digest: string }> };
      const as = (change: object) => {
        const after = { of: 0, used: { '0': { ...marks['0']!, ...change } } };
        return failureOf(open('short', { identity, from: { rows: 0, after } }));
      };
      expect((await as({ offset: 12 })).message).to.match(/ends at offset 9, but offset 12 has been used/);
      expect((await as({ time: marks['0']!.time - 1 })).message).to.match(/another message at offset 9/);
      expect((await as({ digest: '00' })).message).to.match(/another message at offset 9/);
    });
  });

  it('has nothing in a private position that rows decide, and is refused where rows decide which others exist', async () => {
    await tools.make('secret');
    await tools.send('secret', [labelledRow(0), Buffer.from('what?'), labelledRow(2)]);
    const hidden = { forPrivate: true, positionKey: new Uint8Array(32) } as const;
    const { labels, position } = await labelsOf(await open('secret', hidden), 3);
    expect(labels).to.have.length(3);
    expect(position).to.have.nested.property('after.used.0').that.has.all.keys('offset', 'seal');
    await (await open('secret', { ...hidden, from: position })).close();
    const otherwise = failureOf(open('secret', { ...hidden, positionKey: new Uint8Array(32).fill(1), from: position }));
    expect((await otherwise).message).to.match(/has another message at offset 2 than the one that has been used/);
    expect(await failureOf(open('secret', { forPrivate: true }))).to.include({ code: 'ERR_NOT_PRIVATE' });
    const settings = { 'cleanup.policy': 'compact', 'retention.bytes': '1000000' };
    for (const [name, value] of Object.entries(settings)) {
      await tools.make(name, 1, { [name]: value });
      const error = await failureOf(open(name, hidden));
      expect(error).to.include({ code: 'ERR_NOT_PRIVATE' });
      expect(error.message).to.include(`${name}=${value}`);
      await (await open(name)).close();
    }
  });

  it('is refused where there is none, and where there is no broker', async () => {
    expect((await failureOf(open('nowhere'))).message).to.match(/nowhere is not there; make a topic/);
    const away = kafkaStream('kafka://127.0.0.1:1/x').open(opening(COLUMNS));
    expect((await failureOf(away)).message).to.match(
      /kafka:\/\/127.0.0.1:1\/x cannot be reached: .*; start the broker/,
    );
  });

  it('lets at most some groups wait in memory for a slow reader', async () => {
    await tools.make('slow');
    const [messages, rows] = [200, 8000];
    const batch = labelledBatch(0, rows);
    await tools.send(
      'slow',
      Array.from({ length: messages }, () => batch),
    );
    const held = heldBytes();
    const stream = await kafkaStream(`${broker.url}/slow`).open(opening());
    let read = 0;
    let most = 0;
    for await (const { batch: one } of stream.arrivals) {
      read += one.numRows;
      if (read % (50 * rows) === 0) await setTimeout(500);
      if (read % (10 * rows) === 0) most = Math.max(most, heldBytes() - held);
      if (read === messages * rows) break;
    }
    // Two answers of 8 MiB, once in pieces and once whole, and the copies in use; the whole topic has 154 MB.
    expect(most).to.be.below(64e6);
  });
});

describe('credentials of Kafka', () => {
  it('may be a user with a password, which nothing shows', async () => {
    const broker = await kafkaBroker({ me: 's3cret-pass' });
    const tools = kafkaTools(broker.host, { username: 'me', password: 's3cret-pass' });
    const said = { SLUICE_KAFKA_USER: 'me', SLUICE_KAFKA_PASSWORD: 's3cret-pass' };
    try {
      await tools.make('kept');
      await tools.send('kept', [labelledRow(1)]);
      const source = kafkaStream(`${broker.url}/kept`);
      Object.assign(process.env, said);
      const stream = await source.open(opening(COLUMNS));
      expect(JSON.stringify([source.name, stream.identity])).to.not.match(/s3cret/);
      expect((await labelsOf(stream, 1)).labels).to.deep.equal([1]);
      process.env.SLUICE_KAFKA_PASSWORD = 'wr0ng-pass';
      const error = await failureOf(source.open(opening(COLUMNS)));
      expect(error.message)
        .to.match(/refused the credentials/)
        .and.not.match(/wr0ng|s3cret/);
    } finally {
      for (const variable of Object.keys(said)) delete process.env[variable];
      await tools.close();
      await broker.remove();
    }
  });
});
