/**
 * One run of the built package over a stream, in a process of its own, for streams.ts: prints processor seconds, peak
 * memory, delays and coefficients as JSON.
 *
 *   memory FILE [loss]        record batches that are in memory, repeated if need be
 *   nats URL ROWS             a stream of NATS, by `estimateOnline`
 *   consumer URL ROWS         the same messages by the client alone
 *   flat BATCHES              made batches, without end: memory after a tenth of them and at the end
 */
import { readFileSync } from 'node:fs';
import { argv, cpuUsage, memoryUsage } from 'node:process';
import { RecordBatchReader } from 'apache-arrow';
import { lastValueFrom, tap } from 'rxjs';
import { estimateOnline, squared } from '../dist/index.js';

const [, , task, where, rows = '0', loss = 'auto'] = argv;
const FEATURES = 11;

const seconds = ({ user, system }) => (user + system) / 1e6;
const inOrder = coefficients => Object.values(coefficients).map(({ estimate }) => estimate);

async function estimated(source, options) {
  const begun = cpuUsage();
  const delays = [];
  let asked = performance.now();
  const found = estimateOnline(
    source(() => (asked = performance.now())),
    { target: 'y', chunk: 1000, ...options },
  );
  const last = await lastValueFrom(found.pipe(tap(() => delays.push(performance.now() - asked))));
  delays.sort((a, b) => a - b);
  const delay = share => delays[Math.floor(share * (delays.length - 1))];
  return {
    rows: last.rows.read,
    seconds: seconds(cpuUsage(begun)),
    p50: delay(0.5),
    p99: delay(0.99),
    coefficients: inOrder(last.coefficients),
  };
}

const tasks = {
  async memory() {
    const batches = [...RecordBatchReader.from(readFileSync(where))];
    const source = told =>
      (function* () {
        for (const batch of batches) {
          told();
          yield batch;
        }
      })();
    return estimated(source, { loss: loss === 'squared' ? squared() : 'auto' });
  },
  nats: () => estimated(() => where, { untilRows: Number(rows) }),
  async consumer() {
    const [{ connect }, { jetstream }] = await Promise.all([
      import('@nats-io/transport-node'),
      import('@nats-io/jetstream'),
    ]);
    const { host, pathname } = new URL(where);
    const connection = await connect({ servers: host });
    const consumer = await jetstream(connection).consumers.get(pathname.slice(1));
    const begun = cpuUsage();
    let read = 0;
    for await (const { data } of await consumer.consume({ max_bytes: 2 ** 25 })) {
      // What any user of the batches has to do.
      for (const batch of RecordBatchReader.from(data)) read += batch.numRows;
      if (read >= Number(rows)) break;
    }
    const spent = seconds(cpuUsage(begun));
    await connection.close();
    return { rows: read, seconds: spent };
  },
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
      const { rss } = memoryUsage();
      bytes.push(rss);
    };
    const source = () =>
      (function* () {
        for (let k = 0; k < count; k++) {
          if (k % Math.floor(count / 10) === 0 && k > 0) held();
          const columns = names.map(() => Float64Array.from({ length: 1000 }, next));
          columns.at(-1).forEach((e, i, y) => {
            y[i] = e + columns[0][i];
          });
          const children = columns.map(data => makeData({ type: new Float64(), length: 1000, data }));
          yield new RecordBatch(schema, makeData({ type: new Struct(schema.fields), length: 1000, children }));
        }
      })();
    return { ...(await estimated(source, {})), bytes };
  },
};

console.log(JSON.stringify(await tasks[task]()));
