// Synthetic trips for docs/streams.md: fare = 3 + 2.2 distance + 0.4 hour-of-waiting + t(3), one JSON row a line on
// standard output, or one a message for a JetStream stream, which is made where there is none:
//   npx tsx pipelines/trips.ts ROWS [nats://host:port/stream]
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import * as sluice from '../src/index.ts';
import * as paper from '../src/lab/paper/index.ts';

const [count = '20000', url] = process.argv.slice(2);
const random = sluice.seeded(`${Date.now()}`, 'trips');
const between = (low: number, high: number): number => low + (high - low) * paper.uniform(random);
function* trips(rows: number): Generator<string> {
  for (let row = 0; row < rows; row++) {
    const [distance, waiting] = [between(0.5, 20), between(0, 10)];
    const fare = Math.max(0, 3 + 2.2 * distance + 0.4 * waiting + paper.studentT(random, 3));
    yield JSON.stringify({ distance: round(distance), waiting: round(waiting), fare: round(fare) });
  }
}
const round = (value: number): number => Number(value.toFixed(2));

if (url === undefined) {
  for (const trip of trips(Number(count)))
    if (!process.stdout.write(`${trip}\n`)) await new Promise(done => process.stdout.once('drain', done));
} else {
  const { host, pathname } = new URL(url);
  const stream = pathname.slice(1);
  const connection = await connect({ servers: host, waitOnFirstConnect: true });
  await (await jetstreamManager(connection)).streams.add({ name: stream, subjects: [stream] });
  const client = jetstream(connection);
  const sent: Promise<unknown>[] = [];
  for (const trip of trips(Number(count))) {
    sent.push(client.publish(stream, trip));
    if (sent.length === 1000) await Promise.all(sent.splice(0));
  }
  await Promise.all(sent);
  await connection.close();
  console.log(`${url}: ${count} trips`);
}
