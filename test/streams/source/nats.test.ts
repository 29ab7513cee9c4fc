import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import type { DeadLetter, OpenLiveOptions, Position } from '../../../src/source/live/liveSource.ts';
import { type NatsOptions, natsStream } from '../../../src/source/live/nats.ts';
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
import { type NatsServer, natsServer } from '../support/natsServer.ts';
import { type NatsTools, natsTools } from '../support/natsStreams.ts';

const COLUMNS = { columns: { label: 'number' } } as const;

describe('a stream of NATS', () => {
  let server: NatsServer;
  let tools: NatsTools;
  before(async () => {
    server = await natsServer();
    tools = await natsTools(server.port);
  });
  after(async () => {
    await tools.close();
    await server.remove();
  });
  const open = (stream: string, options: Partial<OpenLiveOptions> = {}, nats: NatsOptions = {}) =>
    natsStream(`${server.url}/${stream}`, nats).open(opening({ ...COLUMNS, ...options }));
  /** Reads so many rows of a stream, and returns how to go on. */
  const used = async (stream: string, rows: number, options: Partial<OpenLiveOptions> = {}) => {
    const opened = await open(stream, options);
    const { position } = await labelsOf(opened, rows);
    return { from: position, identity: opened.identity, ...options };
  };
  const rowsOf = (from: number, to: number): Buffer[] => range(from, to).map(labelledRow);

  it('gives every row once and in order, of rows and of batches of several subjects', async () => {
    await tools.make('mixed');
    await tools.publish('mixed.rows', rowsOf(0, 3000));
    await tools.publish('mixed.batches', [labelledBatch(3000, 1000), labelledBatch(4000, 500)]);
    await tools.publish('mixed.more', rowsOf(4500, 5000));
    const { labels, position } = await labelsOf(await open('mixed'), 5000);
    expect(labels).to.deep.equal(range(0, 5000));
    expect(position.rows).to.equal(0);
    expect(position.after).to.have.keys('sequence', 'time', 'digest').and.include({ sequence: 3502 });
  });

  it('goes on from any position, also within a message', async () => {
    await tools.make('resumed');
    for (let label = 0; label < 600; label += 60) {
      await tools.publish('resumed.x', [labelledBatch(label, 50), ...rowsOf(label + 50, label + 60)]);
    }
    let from: Position | null = null;
    const labels: number[] = [];
    for (const rows of [1, 30, 19, 5, 60, 85, 7, 200, 193]) {
      const read = await labelsOf(await open('resumed', { from }), rows, from);
      labels.push(...read.labels);
      from = read.position;
    }
    expect(labels).to.deep.equal(range(0, 600));
  });

  it('follows what is published, and knows how much waits', async () => {
    await tools.make('live');
    await tools.publish('live.x', rowsOf(0, 10));
    const stream = await open('live');
    const reading = readOn(stream, 30);
    await reading.until(10);
    expect(stream.lag()).to.equal(0);
    await tools.publish('live.x', rowsOf(10, 30));
    expect(await reading.done).to.deep.equal(range(0, 30));
  });

  it('hands unreadable messages over with their places, and goes on', async () => {
    await tools.make('bad');
    await tools.publish('bad.x', [labelledRow(0), Buffer.from('{"label": 1'), Buffer.from('no row'), labelledRow(3)]);
    const letters: DeadLetter[] = [];
    const opened = await open('bad', { onDeadLetter: async letter => void letters.push(letter) });
    expect((await labelsOf(opened, 2)).labels).to.deep.equal([0, 3]);
    expect(letters.map(({ place }) => (place as { sequence: number }).sequence).sort()).to.deep.equal([2, 3]);
  });

  it('loses and repeats nothing when the server is killed while it is read, time and again', async () => {
    await tools.make('killed');
    await tools.publish('killed.x', rowsOf(0, 1000));
    const problems: (string | null)[] = [];
    const stream = await open('killed', { onProblem: told => void problems.push(told) });
    const reading = readOn(stream, 4000);
    for (let label = 1000; label < 4000; label += 1000) {
      await reading.until(label - 500);
      await server.end('SIGKILL');
      await setTimeout(300);
      await server.start();
      await tools.close();
      tools = await natsTools(server.port);
      await tools.publish('killed.x', rowsOf(label, label + 1000));
    }
    expect(await reading.done).to.deep.equal(range(0, 4000));
    expect(problems).to.include(null);
    expect(problems.filter(told => told !== null)).to.not.be.empty;
  });

  it('takes a server that is silent for one that is away, and goes on when it is back', async () => {
    await tools.make('silent');
    await tools.publish('silent.x', rowsOf(0, 10));
    const problems: (string | null)[] = [];
    const stream = await open('silent', { onProblem: told => void problems.push(told) }, { quiet: 300 });
    const reading = readOn(stream, 20);
    await reading.until(10);
    server.signal('SIGSTOP');
    while (problems.length === 0) await setTimeout(20);
    server.signal('SIGCONT');
    await tools.publish('silent.x', rowsOf(10, 20));
    expect(await reading.done).to.deep.equal(range(0, 20));
    expect(problems[0]).to.match(/took longer than 300 ms/);
  });

  it('finds that messages wait although none arrives', async () => {
    await tools.make('stalled');
    await tools.publish('stalled.x', rowsOf(0, 5));
    const problems: (string | null)[] = [];
    const stream = await open('stalled', { onProblem: told => void problems.push(told) }, { quiet: 200 });
    const reading = readOn(stream, 10);
    await reading.until(5);
    // Without its consumer nothing comes, and nobody says so.
    for await (const { name } of tools.manager.consumers.list('stalled'))
      await tools.manager.consumers.delete('stalled', name);
    await tools.publish('stalled.x', rowsOf(5, 10));
    expect(await reading.done).to.deep.equal(range(0, 10));
  });

  describe('that is not what it was', () => {
    it('is refused when unread messages were purged, before it is opened again and while it is read', async () => {
      await tools.make('purged');
      await tools.publish('purged.x', rowsOf(0, 100));
      const half = await used('purged', 50);
      await tools.manager.streams.purge('purged', { seq: 51 });
      expect((await labelsOf(await open('purged', half), 50)).labels).to.deep.equal(range(50, 100));
      await tools.manager.streams.purge('purged', { seq: 61 });
      const error = await failureOf(open('purged', half));
      expect(error).to.include({ code: 'ERR_CHANGED' });
      expect(error.message).to.match(/lost messages 51 to 60/);

      await tools.publish('purged.x', rowsOf(100, 101));
      const stream = await open('purged', {}, { quiet: 200 });
      const reading = readOn(stream, 1000);
      await reading.until(41);
      await tools.manager.streams.purge('purged', { seq: 200 });
      await tools.publish('purged.x', [...rowsOf(101, 110)]);
      expect((await failureOf(reading.done)).message).to.match(/purged.*lost messages|ends at message/);
    });

    it('passes over single messages that were deleted', async () => {
      await tools.make('holes');
      await tools.publish('holes.x', rowsOf(0, 10));
      await tools.manager.streams.deleteMessage('holes', 4);
      expect((await labelsOf(await open('holes'), 9)).labels).to.deep.equal(range(0, 10).filter(label => label !== 3));
    });

    it('is refused when it was made anew, whether or not as many messages are there', async () => {
      await tools.make('anew');
      await tools.publish('anew.x', rowsOf(0, 20));
      const half = await used('anew', 10);
      const reading = readOn(await open('anew', {}, { quiet: 200 }), 1000);
      await reading.until(20);
      await tools.manager.streams.delete('anew');
      await tools.make('anew');
      await tools.publish('anew.x', rowsOf(0, 20));
      expect((await failureOf(open('anew', half))).message).to.match(/created/);
      expect((await failureOf(reading.done)).message).to.match(/was created at .*, and not at|is not there any more/);
    });

    it('is refused when it ends before what was used, or has another message there', async () => {
      await tools.make('short');
      await tools.publish('short.x', rowsOf(0, 10));
      const { from, identity } = await used('short', 10);
      const after = from!.after as { sequence: number; time: number; digest: string };
      const as = (change: object) =>
        failureOf(open('short', { identity, from: { rows: 0, after: { ...after, ...change } } }));
      expect((await as({ sequence: 12 })).message).to.match(/ends at message 10, but message 12 has been used/);
      expect((await as({ time: after.time - 1 })).message).to.match(/another message 10/);
      expect((await as({ digest: '00' })).message).to.match(/another message 10/);
      expect((await failureOf(open('short', { identity, from: { rows: 0, after: 7 } }))).message).to.match(
        /no such place/,
      );
    });
  });

  describe('in a private run', () => {
    const isPrivate = { forPrivate: true } as const;

    it('has nothing in its position that rows decide', async () => {
      await tools.make('secret');
      await tools.publish('secret.x', [...rowsOf(0, 5), Buffer.from('what?'), labelledRow(6)]);
      const opened = await open('secret', isPrivate);
      const { labels, position } = await labelsOf(opened, 7);
      expect(labels).to.have.length(7);
      expect(position.after).to.have.keys('sequence', 'time');
      expect((await open('secret', { ...isPrivate, from: position })).identity).to.deep.equal(opened.identity);
    });

    it('is refused where rows decide which others exist', async () => {
      const settings = {
        max_msgs_per_subject: 5,
        max_bytes: 1_000_000,
        allow_rollup_hdrs: true,
        allow_msg_ttl: true,
      } as const;
      for (const [name, value] of Object.entries(settings)) {
        await tools.make(name, { [name]: value });
        await tools.publish(`${name}.x`, rowsOf(0, 1));
        const error = await failureOf(open(name, isPrivate));
        expect(error).to.include({ code: 'ERR_NOT_PRIVATE' });
        expect(error.message).to.include(name);
        expect((await labelsOf(await open(name), 1)).labels).to.deep.equal([0]);
      }
    });
  });

  it('is refused where acknowledged messages vanish, and where there is none', async () => {
    for (const retention of ['workqueue', 'interest'] as const) {
      await tools.make(retention, { retention });
      expect((await failureOf(open(retention))).message).to.include(`retention "${retention}"`);
    }
    expect((await failureOf(open('nowhere'))).message).to.match(/nowhere is not there; make a JetStream stream/);
  });

  it('is waited for while its server is away when the run begins, unless the host has no address', async () => {
    await tools.make('later');
    await tools.publish('later.x', rowsOf(0, 10));
    await server.end('SIGTERM');
    const problems: (string | null)[] = [];
    const opened = open('later', { onProblem: told => void problems.push(told) });
    while (problems.length < 2) await setTimeout(20);
    expect(problems[0]).to.equal(`waiting for ${server.url}/later: connect ECONNREFUSED 127.0.0.1:${server.port}`);
    await server.start();
    await tools.close();
    tools = await natsTools(server.port);
    expect((await labelsOf(await opened, 10)).labels).to.deep.equal(range(0, 10));
    expect(problems.at(-1)).to.equal(null);
    const nameless = natsStream('nats://a..b:4222/x').open(opening(COLUMNS));
    expect((await failureOf(nameless)).message).to.match(/nats:\/\/a..b:4222\/x cannot be reached: .* has no address/);
    const end = new AbortController();
    const told = (): void => end.abort(new Error('enough'));
    const ended = natsStream('nats://127.0.0.1:1/x').open(opening({ ...COLUMNS, signal: end.signal, onProblem: told }));
    expect((await failureOf(ended)).message).to.equal('enough');
  });

  it('ends with the signal, when it is closed, and when its reader leaves', async () => {
    await tools.make('ended');
    const end = new AbortController();
    const reading = readOn(await open('ended', { signal: end.signal }), 1);
    end.abort(new Error('enough'));
    expect((await failureOf(reading.done)).message).to.equal('enough');
    const closed = await open('ended');
    const other = readOn(closed, 1);
    await closed.close();
    expect(await other.done).to.deep.equal([]);
    await (await open('ended')).close();
  });

  it('lets at most some groups wait in memory for a slow reader', async () => {
    await tools.make('slow');
    const [messages, rows] = [200, 8000];
    const batch = labelledBatch(0, rows);
    for (let sent = 0; sent < messages; sent += 20)
      await tools.publish(
        'slow.x',
        Array.from({ length: 20 }, () => batch),
      );
    const held = heldBytes();
    const stream = await natsStream(`${server.url}/slow`).open(opening());
    let read = 0;
    let most = 0;
    for await (const { batch: one } of stream.arrivals) {
      read += one.numRows;
      // As long as it likes to send.
      if (read % (50 * rows) === 0) await setTimeout(500);
      if (read % (10 * rows) === 0) most = Math.max(most, heldBytes() - held);
      if (read === messages * rows) break;
    }
    // What waits, a group of at least a megabyte, and the copy in use; the whole stream has 154 MB.
    expect(most).to.be.below(32e6);
  });
});

describe('credentials of NATS', () => {
  const logins: readonly [
    name: string,
    config: string,
    right: Record<string, string>,
    wrong: Record<string, string>,
  ][] = [
    [
      'a user with a password',
      'authorization { user: me, password: "s3cret-pass" }',
      { SLUICE_NATS_USER: 'me', SLUICE_NATS_PASSWORD: 's3cret-pass' },
      { SLUICE_NATS_USER: 'me', SLUICE_NATS_PASSWORD: 'wr0ng-pass' },
    ],
    [
      'a token',
      'authorization { token: "s3cret-token" }',
      { SLUICE_NATS_TOKEN: 's3cret-token' },
      { SLUICE_NATS_TOKEN: 'wr0ng-token' },
    ],
  ];
  for (const [name, config, right, wrong] of logins) {
    it(`may be ${name}, which nothing shows`, async () => {
      const server = await natsServer(config);
      const { SLUICE_NATS_USER: user, SLUICE_NATS_PASSWORD: pass, SLUICE_NATS_TOKEN: token } = right;
      const tools = await natsTools(server.port, { ...(user && { user, pass: pass! }), ...(token && { token }) });
      try {
        await tools.make('kept');
        await tools.publish('kept.x', [labelledRow(1)]);
        const source = natsStream(`${server.url}/kept`);
        Object.assign(process.env, right);
        const stream = await source.open(opening(COLUMNS));
        expect(JSON.stringify([source.name, stream.identity])).to.not.match(/s3cret/);
        expect((await labelsOf(stream, 1)).labels).to.deep.equal([1]);
        Object.assign(process.env, wrong);
        const error = await failureOf(source.open(opening(COLUMNS)));
        expect(error.message)
          .to.match(/refused the credentials/)
          .and.not.match(/wr0ng|s3cret/);
      } finally {
        for (const variable of Object.keys(right)) delete process.env[variable];
        await tools.close();
        await server.remove();
      }
    });
  }
});
