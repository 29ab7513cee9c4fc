/** Watchers and brokers that are killed at random while labelled rows are published. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ListOffsetTimestamps } from '@platformatic/kafka';
import { expect } from 'chai';
import type { OnlineOptions } from '../../../src/fit/online/estimateOnline.ts';
import { planStream } from '../../../src/fit/online/planStream.ts';
import { readLedgerFile } from '../../../src/privacy/ledgerFile/readLedgerFile.ts';
import {
  expectNoneLeftOut,
  expectSameStream,
  type Feed,
  type Killed,
  killWatchers,
  labelledRows,
  objectsOf,
  type Rows,
  undisturbed,
} from '../../support/killedStreams.ts';
import { scaledRows } from '../../support/onlineRows.ts';
import { kafkaBroker } from './kafkaBroker.ts';
import { kafkaTools } from './kafkaTopics.ts';
import { natsServer } from './natsServer.ts';
import { natsTools } from './natsStreams.ts';
import type { ServerProcess } from './serverProcess.ts';

export interface BrokerFeed extends Feed {
  remove(): Promise<void>;
}

/** Tries until it is done, because the broker may be away; for two minutes at most, which is far longer. */
async function until<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (tries > 2400) throw error;
      await pause(50);
    }
  }
}

const restarting =
  (server: ServerProcess): NonNullable<Feed['restart']> =>
  async between => {
    await server.end('SIGKILL');
    await between();
    await server.start();
  };

/** An array of rows in a message, or the only row. */
const payloadOf = (rows: Rows): Buffer => {
  const objects = objectsOf(rows);
  return Buffer.from(JSON.stringify(objects.length === 1 ? objects[0] : objects));
};

/** A stream of NATS, which stores a message once that is published again because its answer was lost. */
export async function natsFeed(rowsOf: Feed['rowsOf']): Promise<BrokerFeed> {
  const server = await natsServer();
  const tools = await natsTools(server.port, { maxReconnectAttempts: -1, reconnectTimeWait: 100 });
  await tools.make('rows');
  return {
    source: `${server.url}/rows`,
    rowsOf,
    send: async (message, rows) => {
      const payload = payloadOf(rows);
      await until(() => tools.client.publish('rows.in', payload, { msgID: String(message), timeout: 1000 }));
    },
    restart: restarting(server),
    remove: async () => {
      await tools.close();
      await server.remove();
    },
  };
}

/** A topic of Kafka of one partition, whose next offset says whether a message is there whose answer was lost. */
export async function kafkaFeed(rowsOf: Feed['rowsOf']): Promise<BrokerFeed> {
  const broker = await kafkaBroker();
  let tools = kafkaTools(broker.host);
  await tools.make('rows');
  const stored = async (): Promise<bigint> => {
    const partitions = [{ partitionIndex: 0, timestamp: ListOffsetTimestamps.LATEST }];
    const [topic] = await tools.admin.listOffsets({ topics: [{ name: 'rows', partitions }] });
    return topic!.partitions[0]!.offset;
  };
  return {
    source: `${broker.url}/rows`,
    rowsOf,
    send: async (message, rows) => {
      const payload = payloadOf(rows);
      try {
        await tools.send('rows', [payload]);
      } catch {
        await until(async () => {
          await tools.close().catch(() => {});
          tools = kafkaTools(broker.host);
          if ((await stored()) === BigInt(message)) await tools.send('rows', [payload]);
        });
      }
    },
    restart: restarting(broker),
    remove: async () => {
      await tools.close();
      await broker.remove();
    },
  };
}

/** A large epsilon, so that chunks have few rows. */
const PRIVATE = {
  target: 'y',
  bounds: { x1: [-1, 1], x2: [-1, 1], y: [-1, 1] },
  epsilon: 60,
  delta: 1e-6,
} satisfies OnlineOptions;

/** Messages of one row each. */
export function privateRows(message: number): Rows {
  const table = scaledRows(1, message);
  return Object.fromEntries(['x1', 'x2', 'y'].map(name => [name, [...table.getChild(name)!.toArray()]]));
}

/** Options of a private run that is charged in a ledger of the folder. */
export const charged = (folder: string) => ({
  ...PRIVATE,
  ledger: { file: join(folder, 'ledger.jsonl'), dataset: 'rows' },
});

/** What was killed how often, and what came of it: without a lost or repeated row, or the test would have failed. */
export interface KillFigures extends Pick<Killed, 'kills' | 'restarts' | 'rows'> {
  /** Estimates or releases, each of other rows. */
  readonly chunks: number;
}

/** So many kills of watchers, over brokers that are killed a quarter as often; `told` takes what was counted. */
export function survivesKills(
  kills: number,
  told: (name: string, figures: KillFigures) => Promise<void> = async () => {},
): void {
  const tell = (name: string, { kills: killed, restarts, rows, published }: Killed): Promise<void> =>
    told(name, { kills: killed, restarts, rows, chunks: published.at(-1)!.chunk + 1 });
  const share = (part: number): { readonly kills: number; readonly restarts: number } => {
    const some = Math.max(1, Math.round(kills * part));
    return { kills: some, restarts: Math.ceil(some / 4) };
  };
  describe(`a stream of a broker, over ${kills} kills`, () => {
    let folder: string;
    let feed: BrokerFeed | undefined;
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'sluice-kills-'));
    });
    afterEach(async () => {
      await feed?.remove();
      feed = undefined;
      rmSync(folder, { recursive: true });
    });
    const asked: OnlineOptions = { target: 'y', chunk: 400 };

    // 37 rows a message, so that chunks end within messages.
    for (const { name, open, part } of [
      { name: 'NATS', open: natsFeed, part: 0.4 },
      { name: 'Kafka', open: kafkaFeed, part: 0.2 },
    ])
      it(`loses no row and uses none twice when watchers and ${name} are killed`, async () => {
        feed = await open(message => labelledRows(message, 37));
        const found = await killWatchers(folder, feed, asked, { ...share(part), chunk: 400 });
        expect(found).to.include(share(part));
        const whole = await undisturbed(found.sent, asked);
        expect(whole.at(-1)!.read).to.equal(found.rows);
        expectSameStream(found.published, whole);
        await tell(`watchers and ${name}`, found);
      });

    it('makes one release for each position, and one charge, when private watchers and NATS are killed', async () => {
      feed = await natsFeed(privateRows);
      const options = charged(folder);
      const { steps, figures } = planStream(PRIVATE, [
        { name: 'x1', field: 0 },
        { name: 'x2', field: 1 },
      ]);
      // Steps of the preamble may have more rows than a chunk.
      const chunk = Math.max(figures.chunk, steps.at(0)!.rows);
      const found = await killWatchers(folder, feed, options, { ...share(0.4), chunk });
      expect(found).to.include(share(0.4));
      expectNoneLeftOut(found.published);
      // Noise is drawn anew by every process, so that equal estimates are of one release, which was of the same rows.
      const byChunk = new Map(found.published.map(estimate => [estimate.chunk, estimate]));
      for (const estimate of found.published) expect(estimate).to.deep.equal(byChunk.get(estimate.chunk));
      const reads = [...byChunk.values()].map(({ read }) => read);
      expect(reads).to.deep.equal([...new Set(reads)].sort((a, b) => a - b));
      const { runs } = readLedgerFile(options.ledger.file).accounts[0]!;
      expect(runs.map(({ charges }) => charges)).to.deep.equal([1]);
      const witness = JSON.parse(readFileSync(`${options.ledger.file}.${runs[0]!.run}.releases`, 'utf8'));
      expect(witness.releases).to.equal(found.published.at(-1)!.chunk + 1);
      for (const [column, truth] of Object.entries({ x1: 0.4, x2: -0.3, '(intercept)': 0.1 })) {
        const { estimate, error } = found.published.at(-1)!.coefficients[column]!;
        expect(Math.abs(estimate - truth)).to.be.below(6 * error!);
      }
      await tell('private watchers and NATS', found);
    });
  });
}
