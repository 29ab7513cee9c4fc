/**
 * One run of the built package over a stream, in a process of its own, for streams.ts: prints processor seconds, peak
 * memory, delays and coefficients as JSON. A stream runs for ever, so what loading and compiling cost is left out:
 * everything is done twice, and the second time counts.
 *
 *   memory FILE LOSS [CHUNK]     record batches that are in memory
 *   read FILE LOSS [CHUNK]       the same, with every estimate read
 *   kept FILE LOSS [CHUNK]       the same, with a checkpoint of every chunk
 *   dataflow FILE LOSS [CHUNK]   the same rows as `Samples`, by `split` and `descend` alone
 *   nats URL LOSS CHUNK ROWS     a stream of NATS, by `estimateOnline`
 *   consumer URL ROWS            the same messages by the client alone
 *   decoded URL ROWS             the same, decoded by apache-arrow
 *   flat BATCHES                 made batches, once: memory ten times on the way
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv, cpuUsage, memoryUsage } from 'node:process';
import { RecordBatchReader } from 'apache-arrow';
import { lastValueFrom, tap } from 'rxjs';
import { descend, estimateOnline, split, squared } from '../dist/index.js';
import { informationSums, onlineChunks, planOnline } from '../dist/streams.js';

const [, , task, where, ...rest] = argv;
const FEATURES = 11;
const MESSAGE = 1000;

/** The processor seconds of this process since a point in time. */
function secondsSince(begun) {
  const { user, system } = cpuUsage(begun);
  return (user + system) / 1e6;
}

const asked = ([loss, chunk = MESSAGE]) => ({ loss: loss === 'squared' ? squared() : 'auto', chunk: Number(chunk) });

async function estimated(source, options, { isRead = false, isOnce = false } = {}) {
  const once = async more => {
    const delays = [];
    let asked = performance.now();
    const begun = cpuUsage();
    const estimates = estimateOnline(
      source(() => {
        asked = performance.now();
      }),
      { target: 'y', ...options, ...more },
    );
    const { rows, coefficients } = await lastValueFrom(
      estimates.pipe(
        tap(estimate => {
          if (isRead && estimate.model === undefined) throw new Error('an estimate has no model');
          delays.push(performance.now() - asked);
        }),
      ),
    );
    const seconds = secondsSince(begun);
    delays.sort((a, b) => a - b);
    const delay = share => delays[Math.floor(share * (delays.length - 1))];
    const found = Object.values(coefficients).map(({ estimate }) => estimate);
    return { rows: rows.read, seconds, p50: delay(0.5), p99: delay(0.99), coefficients: found };
  };
  if (!isOnce) await once(options.checkpoint && { checkpoint: join(options.checkpoint, 'first') });
  return once();
}

function fromMemory(options, isRead) {
  const batches = [...RecordBatchReader.from(readFileSync(where))];
  const source = told =>
    (function* () {
      for (const batch of batches) {
        told();
        yield batch;
      }
    })();
  return estimated(source, { ...asked(rest), ...options }, isRead);
}

async function consumed(take) {
  const [{ connect }, { jetstream }] = await Promise.all([
    import('@nats-io/transport-node'),
    import('@nats-io/jetstream'),
  ]);
  const { host, pathname } = new URL(where);
  const wanted = Number(rest[0]);
  const once = async () => {
    const begun = cpuUsage();
    const connection = await connect({ servers: host });
    const consumer = await jetstream(connection).consumers.get(pathname.slice(1));
    let read = 0;
    for await (const { data } of await consumer.consume({ max_bytes: 2 ** 25 })) {
      read += take(data);
      if (read >= wanted) break;
    }
    await connection.close();
    return { rows: read, seconds: secondsSince(begun) };
  };
  await once();
  return once();
}

const tasks = {
  memory: () => fromMemory({}),
  read: () => fromMemory({}, { isRead: true }),
  async kept() {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-kept-'));
    try {
      return await fromMemory({ checkpoint: folder });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
  async dataflow() {
    const batches = [...RecordBatchReader.from(readFileSync(where))].map(batch => {
      const columns = batch.data.children.map(({ values }) => values.subarray(0, batch.numRows));
      return { rows: batch.numRows, columns, target: columns.pop() };
    });
    const samples = {
      ...{ rows: Infinity, features: FEATURES, weighted: false },
      async *batches() {
        yield* batches;
      },
    };
    const once = async () => {
      const begun = cpuUsage();
      const { loss, chunk } = asked(rest);
      const plan = planOnline({ features: FEATURES, chunk, ...(loss !== 'auto' && { loss: loss.loss ?? loss }) });
      const iterates = split(samples, { chunks: onlineChunks(plan) }).pipe(descend(plan, informationSums(plan)));
      const { rowsBehind } = await lastValueFrom(iterates);
      return { rows: rowsBehind, seconds: secondsSince(begun) };
    };
    await once();
    return once();
  },
  nats: () => estimated(() => where, { ...asked(rest), untilRows: Number(rest[2]) }),
  consumer: () => consumed(() => MESSAGE),
  decoded: () =>
    consumed(data => {
      let rows = 0;
      for (const batch of RecordBatchReader.from(data)) rows += batch.numRows;
      return rows;
    }),
  async flat() {
    const { makeData, RecordBatch, Schema, Field, Float64, Struct } = await import('apache-arrow');
    const names = [...Array.from({ length: FEATURES }, (_, j) => `x${j}`), 'y'];
    const schema = new Schema(names.map(name => new Field(name, new Float64())));
    let state = 1;
    const next = () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return state / 2 ** 32 - 0.5;
    };
    const count = Number(where);
    const bytes = [];
    const held = () => {
      globalThis.gc?.();
      bytes.push(memoryUsage().rss);
    };
    const source = () =>
      (function* () {
        for (let k = 1; k <= count; k++) {
          const columns = names.map(() => {
            const column = new Float64Array(MESSAGE);
            for (let i = 0; i < MESSAGE; i++) column[i] = next();
            return column;
          });
          const y = columns.at(-1);
          for (let i = 0; i < MESSAGE; i++) y[i] += columns[0][i];
          const children = columns.map(data => makeData({ type: new Float64(), length: MESSAGE, data }));
          yield new RecordBatch(schema, makeData({ type: new Struct(schema.fields), length: MESSAGE, children }));
          if (k % Math.floor(count / 10) === 0) held();
        }
      })();
    return { ...(await estimated(source, {}, { isOnce: true })), bytes };
  },
};

console.log(JSON.stringify(await tasks[task]()));
